import Foundation

/// The programs of a folder, compiled with as few runs of the compiler as tell the errors of each.
struct ProgramSet {
  /// A program and the error that it names in its first line, as `// error: …`.
  struct Program {
    let url: URL
    let expected: String?
    /// Whether the program has entities, whose errors may be found in the macro's expansion.
    let hasEntities: Bool

    var name: String { url.lastPathComponent }

    init(_ url: URL) throws {
      let text = try String(contentsOf: url, encoding: .utf8)
      let first = text.split(separator: "\n").first.map(String.init) ?? ""
      self.url = url
      expected =
        first.hasPrefix("// error: ") ? String(first.dropFirst("// error: ".count)) : nil
      hasEntities = text.contains("@Entity")
    }

    /// Whether a compilation shows the error that the program names, in the program itself: an error in
    /// another file would hide that this one is accepted.
    /// - Parameter file: The name under which the program was compiled, if another one than its own.
    func isRefused(_ outcome: Compiler.Outcome, as file: String? = nil) -> Bool {
      guard !outcome.isCompiled, let expected else { return false }
      return outcome.errors.contains { error in
        let isHere =
          error.contains("/\(file ?? name):") || (hasEntities && error.contains("macro expansion"))
        return isHere && error.contains(expected)
      }
    }
  }

  let programs: [Program]
  private let compiler: Compiler
  private let mode: Compiler.Mode

  init(_ folder: String, _ compiler: Compiler, _ mode: Compiler.Mode = Compiler.Mode()) throws {
    self.compiler = compiler
    self.mode = mode
    programs = try Compiler.programs(in: folder).map {
      try Program(Compiler.programs.appending(path: "\(folder)/\($0)"))
    }
  }

  /// The programs that do not give the error that they name, with what the compiler says of each.
  ///
  /// An error of type checking hides those that are found later, so that the programs which have given
  /// theirs are left out of the next run. A program that gives none beside the rest is compiled alone.
  func accepted() throws -> [String] {
    var rest = programs
    while rest.count > 1 {
      let outcome = try compiler.compile(rest.map(\.url), mode)
      let silent = rest.filter { !$0.isRefused(outcome) }
      guard silent.count < rest.count else { break }
      rest = silent
    }
    return try rest.compactMap { program in
      let outcome = try compiler.compile([program.url], mode)
      return program.isRefused(outcome) ? nil : "\(program.name): \(outcome.errors)"
    }
  }

  /// The programs that do not compile, with what the compiler says of each.
  func refused() throws -> [String] {
    let together = try compiler.compile(programs.map(\.url), mode)
    guard !together.isCompiled else { return [] }
    let refused = try programs.compactMap { program -> String? in
      let outcome = try compiler.compile([program.url], mode)
      return outcome.isCompiled ? nil : "\(program.name): \(outcome.errors)"
    }
    return refused.isEmpty ? ["together: \(together.errors)"] : refused
  }
}
