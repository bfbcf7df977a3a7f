import Foundation
import Testing

/// Modules whose default isolation is the main actor.
@Suite struct MainActorModuleTests {
  private static let compiler = Compiler()
  private static let skip: Comment = "needs swiftc, and a library built without a sanitizer"
  private static let folder = "MainActorModule"

  @Test(
    .enabled(if: compiler != nil, skip),
    arguments: Compiler.programs(in: "\(folder)/MustCompile"), [false, true])
  func `entities serve where everything else is the main actor's`(
    _ name: String, _ isOptimized: Bool
  ) throws {
    let program = Compiler.programs.appending(path: "\(Self.folder)/MustCompile/\(name)")
    let outcome = try #require(Self.compiler)
      .compile(program, isMainActor: true, isOptimized: isOptimized)
    #expect(outcome.isCompiled, "\(name): \(outcome.errors)")
  }

  @Test(.enabled(if: compiler != nil, skip), arguments: [false, true])
  func `entities of all kinds compile without a warning`(_ isOptimized: Bool) throws {
    let model = Compiler.programs.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "MainActorTests/Model.swift")
    let outcome = try #require(Self.compiler)
      .compile(model, isMainActor: true, isOptimized: isOptimized)
    #expect(outcome.isCompiled, "\(outcome.errors)")
  }

  @Test(
    .enabled(if: compiler != nil, skip),
    arguments: Compiler.programs(in: "\(folder)/MustNotCompile"))
  func `what runs off the main actor must say so, and the article has the error's text`(
    _ name: String
  ) throws {
    let program = Compiler.programs.appending(path: "\(Self.folder)/MustNotCompile/\(name)")
    let text = try String(contentsOf: program, encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first)
    #expect(line.hasPrefix("// error: "), "\(name) does not name its error")
    let expected = line.dropFirst("// error: ".count)
    #expect(try Self.article().contains("| `\(expected)` |"), "the article lacks \(name)")
    let outcome = try #require(Self.compiler).compile(program, isMainActor: true)
    #expect(!outcome.isCompiled, "\(name) compiles")
    let found = outcome.errors.contains {
      ($0.contains(name) || $0.contains("macro expansion"))
        && $0.contains(expected)
    }
    #expect(found, "\(name): \(outcome.errors)")
  }

  private static func article() throws -> String {
    let package = Compiler.programs.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: package.appending(path: "Sources/Cauldron/Cauldron.docc/Contexts.md"),
      encoding: .utf8)
  }

  @Test func `there are programs to compile`() {
    #expect(Compiler.programs(in: "\(Self.folder)/MustCompile").count >= 2)
    #expect(Compiler.programs(in: "\(Self.folder)/MustNotCompile").count >= 4)
  }
}
