import Foundation
import TestSupport
import Testing

/// What the sources of the old calls declare.
@Suite(.againstHanging) struct DeclarationTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/CauldronMagicalRecord").standardized

  /// An old call: its attributes, and its name with labels.
  private struct Declaration {
    let attributes: String
    let name: String
  }

  @Test func `each old call tells what to use instead`() throws {
    let all = try declarations()
    #expect(all.count > 150)
    for declaration in all {
      let isTold = declaration.attributes.contains(
        /\*, (deprecated|unavailable),\s+(renamed|message)/)
      #expect(isTold, "\(declaration.name)")
    }
  }

  @Test(.enabled(if: ImportedNames() != nil, "the list of the old calls is not here"))
  func `each old call has the name that the importer gave it`() throws {
    let names = try #require(ImportedNames()).names
    let own = Set(try declarations().map(\.name).filter { $0.contains("mr_") })
    // Its name with older SDKs.
    let older: Set = ["mr_executeFetchRequest(_:)", "mr_executeFetchRequest(_:in:)"]
    #expect(own.subtracting(names).subtracting(older).sorted() == [])
    let left = names.subtracting(own).filter { $0.hasPrefix("mr_") }.filter { name in
      !ImportedNames.left.contains { name.contains($0) }
    }
    #expect(left.sorted() == [])
  }

  @Test func `conveniences have names of their own, and are not deprecated`() throws {
    let all = try declarations { $0.path.contains("/Conveniences/") }
    #expect(!all.isEmpty)
    for declaration in all {
      #expect(!declaration.name.contains("mr_"))
      #expect(!declaration.attributes.contains("deprecated"), "\(declaration.name)")
    }
  }

  /// The public functions, with the lines before each that belong to it; those of the old calls by default.
  private func declarations(
    in isAsked: (URL) -> Bool = { !$0.path.contains("/Conveniences/") }
  ) throws -> [Declaration] {
    let files = try #require(
      FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" && isAsked($0) }
      .flatMap {
        let parts = try String(contentsOf: $0, encoding: .utf8).components(separatedBy: "func ")
        return zip(parts, parts.dropFirst()).compactMap(Self.declaration)
      }
  }

  /// What is declared behind `func`; nil where it is not public.
  private static func declaration(_ before: String, _ after: String) -> Declaration? {
    let attributes = before.components(separatedBy: "  ///").last ?? ""
    guard attributes.contains("public ") else { return nil }
    let name = after.prefix { $0.isLetter || $0 == "_" }
    guard let start = after.firstIndex(of: "(") else { return nil }
    return Declaration(attributes: attributes, name: "\(name)(\(labels(after[start...])))")
  }

  /// The labels of parameters, each with a colon; without those that tell the place of a call.
  private static func labels(_ text: Substring) -> String {
    var (depth, parts) = (0, [""])
    for character in text.replacing("->", with: "") {
      if ")>]".contains(character) { depth -= 1 }
      if character == ",", depth == 1 { parts.append("") }
      if character != ",", depth > 0 { parts[parts.count - 1].append(character) }
      if "(<[".contains(character) { depth += 1 }
      if depth == 0 { break }
    }
    return parts.compactMap { part in
      part.split { $0.isWhitespace || $0 == ":" }.first.map { "\($0):" }
    }.filter { $0 != "file:" && $0 != "line:" }.joined()
  }
}

/// The names that the importer gave MagicalRecord's calls, as a list beside the package has them.
private struct ImportedNames {
  let names: Set<String>

  init?() {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../shared/reference/magicalrecord.md").standardized
    guard let text = try? String(contentsOf: url, encoding: .utf8),
      let start = text.range(of: "\n# Appendix A."), let end = text.range(of: "\n# Appendix B.")
    else { return nil }
    let cells = text[start.lowerBound..<end.lowerBound].matches(of: /\| `[+-][^`]+` \| `([^`]+)`/)
    names = Set(cells.map { "\($0.1)" })
  }

  /// What is not here: iCloud, options of stores as dictionaries, models in files, and what has no counterpart.
  static let left = [
    "iCloud", "Ubiq", "Options", "ObjectModelNamed", "newModelNamed", "configuration",
    "mr_coordinator(with:)",
  ]
}
