import Foundation
import TestSupport
import Testing

/// Typical mistakes: the first error of each must be in the line where the mistake is, and say what
/// `Programs/Mistakes.txt` says there.
///
/// What is marked with `error:` names the remedy, or the very word that is wrong. What is marked with
/// `compiler:` has the compiler's own words, which the library cannot choose; it must be in its line all the same.
@Suite struct MistakeTests {
  private static let compiler = Compiler()
  private static let skip: Comment = "needs swiftc, and a library built without a sanitizer"

  @Test(.enabled(if: compiler != nil, skip))
  func `the first error of a mistake is in its own line, and says what is wrong`() throws {
    let directory = try TemporaryDirectory()
    let mistakes = try Mistake.all(in: directory)
    #expect(mistakes.count >= 60)
    #expect(mistakes.count { $0.isCompilers } <= mistakes.count / 3)
    let errors = try Self.errors(of: mistakes, try #require(Self.compiler))
    print("errors | line | mistake | first error")
    for mistake in mistakes {
      let own = errors[mistake.file.lastPathComponent] ?? []
      guard let first = own.first else {
        Issue.record("\(mistake.title): compiles")
        continue
      }
      print("\(own.count) | \(first.line - mistake.line) | \(mistake.title) | \(first.message)")
      #expect(first.line == mistake.line, "\(mistake.title): \(first.message)")
      #expect(first.message.contains(mistake.expected), "\(mistake.title)")
    }
  }

  /// The errors of each file. An error of type checking hides those that are found later, so that the files
  /// which have given theirs are left out of the next run.
  private static func errors(
    of mistakes: [Mistake], _ compiler: Compiler
  ) throws -> [String: [PlacedError]] {
    var found: [String: [PlacedError]] = [:]
    var rest = mistakes
    while !rest.isEmpty {
      let text = try compiler.compile(rest.map(\.file), Compiler.Mode()).text
      for error in PlacedError.all(in: text) { found[error.file, default: []].append(error) }
      let silent = rest.filter { found[$0.file.lastPathComponent] == nil }
      if silent.count == rest.count { break }
      rest = silent
    }
    return found
  }
}

/// A small program with one mistake.
private struct Mistake {
  let title: String
  let file: URL
  /// The line of the mistake, from 1.
  let line: Int
  /// What the first error says.
  let expected: String
  /// Whether the compiler alone says what is wrong.
  let isCompilers: Bool

  /// The mistakes of the list, each written to a file of its own. Their types and functions get names of their
  /// own, since they are compiled together.
  static func all(in directory: TemporaryDirectory) throws -> [Mistake] {
    let list = Compiler.programs.appending(path: "Mistakes.txt")
    let parts = try String(contentsOf: list, encoding: .utf8).components(separatedBy: "\n=== ")
    return try parts.dropFirst().enumerated().map { number, part in
      let file = directory.file("mistake\(number).swift")
      let lines = part.components(separatedBy: "\n")
      let program = ["import Cauldron"] + lines.dropFirst().map { named($0, number) }
      try program.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
      return try Mistake(lines[0], file, program)
    }
  }

  private init(_ title: String, _ file: URL, _ program: [String]) throws {
    let marks = program.enumerated().compactMap { line, text in
      text.firstMatch(of: /\/\/ (error|compiler): (.+)/).map { (line + 1, $0.1, String($0.2)) }
    }
    let mark = try #require(marks.first, "\(title) has no mark")
    self.title = title
    self.file = file
    line = mark.0
    isCompilers = mark.1 == "compiler"
    expected = mark.2
  }

  private static func named(_ line: String, _ number: Int) -> String {
    let parts = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
    let declaration = #/^((?:@\w+ )*)(func|struct|enum|class|final class) /#
    let code = parts[0]
      .replacing(#/\b(Car|Color|Size|Owner)\b/#.wordBoundaryKind(.simple)) { "\($0.1)\(number)" }
      .replacing(declaration) { "\($0.1)private \($0.2) " }
    return parts.count == 1 ? String(code) : "\(code)//\(parts[1])"
  }
}

/// An error with its place in a program; one in the expansion of a macro is where its note says.
private struct PlacedError {
  var file: String
  var line: Int
  let message: String

  static func all(in text: String) -> [PlacedError] {
    var errors: [PlacedError] = []
    var isExpanded = false
    let origin = #/^`- (.+?):([0-9]+):[0-9]+: note: expanded code originates here/#
    for line in text.split(separator: "\n") {
      if isExpanded, !errors.isEmpty,
        let place = line.firstMatch(of: origin),
        let number = Int(place.2)
      {
        errors[errors.count - 1].file = URL(filePath: String(place.1)).lastPathComponent
        errors[errors.count - 1].line = number
      }
      isExpanded = false
      guard let error = line.wholeMatch(of: /([^ `].*?):([0-9]+):[0-9]+: error: (.*)/),
        let number = Int(error.2)
      else { continue }
      let file = URL(filePath: String(error.1)).lastPathComponent
      errors.append(PlacedError(file: file, line: number, message: String(error.3)))
      isExpanded = error.1.hasPrefix("macro expansion")
    }
    return errors
  }
}
