import Foundation
import Testing

/// Modules whose default isolation is the main actor.
@Suite struct MainActorModuleTests {
  private static let compiler = Compiler()
  private static let skip: Comment = "needs swiftc, and a library built without a sanitizer"
  private static let folder = "MainActorModule"

  private static func programs(in folder: String, isOptimized: Bool = false) throws -> ProgramSet {
    try ProgramSet(
      "\(Self.folder)/\(folder)", try #require(compiler),
      .init(isMainActor: true, isOptimized: isOptimized))
  }

  @Test(.enabled(if: compiler != nil, skip), arguments: [false, true])
  func `entities serve where everything else is the main actor's`(_ isOptimized: Bool) throws {
    let programs = try Self.programs(in: "MustCompile", isOptimized: isOptimized)
    #expect(programs.programs.count >= 2)
    #expect(try programs.refused() == [])
  }

  @Test(.enabled(if: compiler != nil, skip), arguments: [false, true])
  func `entities of all kinds compile without a warning`(_ isOptimized: Bool) throws {
    let model = Compiler.programs.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "MainActorTests/Model.swift")
    let outcome = try #require(Self.compiler)
      .compile([model], .init(isMainActor: true, isOptimized: isOptimized))
    #expect(outcome.isCompiled, "\(outcome.errors)")
  }

  @Test(.enabled(if: compiler != nil, skip))
  func `what runs off the main actor must say so, and the article has the error's text`() throws {
    let programs = try Self.programs(in: "MustNotCompile")
    #expect(programs.programs.count >= 4)
    let article = try Self.article()
    for program in programs.programs {
      let expected = try #require(program.expected, "\(program.name) does not name its error")
      #expect(article.contains("| `\(expected)` |"), "the article lacks \(program.name)")
    }
    #expect(try programs.accepted() == [])
  }

  private static func article() throws -> String {
    let package = Compiler.programs.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: package.appending(path: "Sources/Cauldron/Cauldron.docc/Contexts.md"),
      encoding: .utf8)
  }
}
