import Foundation
import Testing

/// The programs that give calls the default context by its name alone leave no call out.
@Suite struct InDefaultTests {
  @Test(arguments: [
    ("InDefault", ["Cauldron", "CauldronGraph", "CauldronImport", "CauldronLive", "CauldronSave"]),
    ("OldInDefault", ["CauldronMagicalRecord"]),
  ])
  func `each call that takes a context is tried with the default one`(
    _ program: String, _ targets: [String]
  ) throws {
    let text = try Self.text(Compiler.programs.appending(path: "MustCompile/\(program).swift"))
    var tried: [String: Int] = [:]
    for match in text.matches(of: /(\w+)\(/)
    where Self.list(text[match.range.lowerBound...]).contains(": .default") {
      tried[String(match.1), default: 0] += 1
    }
    let declared = try Self.declared(in: targets)
    #expect(declared.values.reduce(0, +) >= 40, "the declarations are not found")
    let missing = declared.filter { tried[$0.key, default: 0] < $0.value }
      .map { "\($0.key): \(tried[$0.key, default: 0]) of \($0.value)" }
    #expect(missing.sorted() == [])
  }

  /// How many public functions of each name take a context; an initializer has its type's. What is
  /// unavailable cannot be called.
  private static func declared(in targets: [String]) throws -> [String: Int] {
    var found: [String: Int] = [:]
    for text in try targets.flatMap(files).map(text) {
      let parts = text.split(separator: "public ")
      var type = ""
      for (before, part) in zip(parts, parts.dropFirst()) {
        let types = before.matches(of: /(?m)^(?:final |open )?(?:extension|class) ([A-Z]\w*)/)
        if let name = types.last?.1 { type = String(name) }
        guard !isUnavailable(before),
          let match = part.prefixMatch(of: /(?:\w+ )*(?:func (\w+)|init)/),
          list(part).contains(/(?:in|with) context: (?:some ObjectContext|ManagedObjectContext)/)
        else { continue }
        found[match.1.map(String.init) ?? type, default: 0] += 1
      }
    }
    return found
  }

  /// Whether the attributes at the end of a text say so of the declaration behind it.
  private static func isUnavailable(_ text: Substring) -> Bool {
    let end = text.range(of: "\n\n", options: .backwards)?.upperBound ?? text.startIndex
    return text[end...].contains("@available(*, unavailable")
  }

  /// What stands in the first parentheses of a text.
  private static func list(_ text: Substring) -> Substring {
    guard let start = text.firstIndex(of: "(") else { return "" }
    var depth = 0
    for index in text[start...].indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return text[start...index] }
    }
    return ""
  }

  /// The sources of a target.
  private static func files(_ target: String) throws -> [URL] {
    let folder = Compiler.programs.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/\(target)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
  }

  private static func text(_ file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8)
  }
}
