import Foundation
import Testing

/// The programs of the articles: what a page shows is compiled.
@Suite struct ArticleTests {
  private static let compiler = Compiler()
  private static let skip: Comment = "needs swiftc, and a library built without a sanitizer"
  private static let folder = "Articles"

  @Test(.enabled(if: compiler != nil, skip), arguments: Compiler.programs(in: folder))
  func `the program of an article compiles`(_ name: String) throws {
    let outcome = try #require(Self.compiler)
      .compile([Self.url(name)], .init(isTopLevel: true, bringsEntities: true))
    #expect(outcome.isCompiled, "\(name): \(outcome.errors)")
  }

  /// Line by line, but for spaces: a program may have a snippet in a function.
  @Test(arguments: Compiler.programs(in: folder))
  func `every snippet of an article stands in its program`(_ name: String) throws {
    let program = Self.lines(try String(contentsOf: Self.url(name), encoding: .utf8))
    let snippets = Self.snippets(try Self.article(name))
    #expect(!snippets.isEmpty)
    for snippet in snippets {
      let isThere = program.indices.contains { program[$0...].starts(with: snippet) }
      #expect(isThere, "\(name) lacks \(snippet.joined(separator: "\n"))")
    }
  }

  /// But for those that stand for a block, and for declarations.
  @Test func `each call of the tables of Core Data is in their program`() throws {
    let name = "FromCoreData.swift"
    let program = try String(contentsOf: Self.url(name), encoding: .utf8)
    let cells = try Self.article(name).split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.components(separatedBy: " | ").dropFirst().first }
    let calls = cells.compactMap { $0.wholeMatch(of: /`(.*)`/).map { String($0.1) } }
      .filter {
        $0.contains(#/[.(]/#) && !$0.contains("…") && !$0.contains(#/^(@|([a-z]+ )?func )/#)
      }
    #expect(calls.count > 100)
    for call in calls { #expect(program.contains(call), "\(call)") }
  }

  @Test func `there are programs of articles`() {
    #expect(Compiler.programs(in: Self.folder).count >= 8)
  }

  @Test func `README has at most 250 lines, and all that the library does not do`() throws {
    let page = try Self.article("ReadMe.swift")
    #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 251)
    let limits = try Self.article("Limits.swift").components(separatedBy: "## Overview\n\n")
    #expect(limits.count == 2 && page.contains(limits[1]))
  }

  private static func url(_ name: String) -> URL {
    Compiler.programs.appending(path: "\(folder)/\(name)")
  }

  /// The page that a program belongs to; `ReadMe` is the one at the root.
  private static func article(_ name: String) throws -> String {
    let package = Compiler.programs.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = name.prefix { $0 != "." }
    let path = page == "ReadMe" ? "README.md" : "Sources/Cauldron/Cauldron.docc/\(page).md"
    return try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  /// The blocks of Swift, without those that are manifests of packages.
  private static func snippets(_ page: String) -> [[String]] {
    page.matches(of: /```swift\n((?s).*?)```/).map { String($0.1) }
      .filter { !$0.hasPrefix("// swift-tools-version") }.map(lines)
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      .filter { !$0.isEmpty }
  }
}
