import Foundation
import Testing

@Suite struct ConfinementTests {
  private static let compiler = Compiler()
  private static let skip: Comment = "needs swiftc, and a library built without a sanitizer"

  private static func programs(in folder: String) throws -> ProgramSet {
    try ProgramSet(folder, try #require(compiler))
  }

  @Test(.enabled(if: compiler != nil, skip))
  func `programs that take an object out of its context do not compile`() throws {
    let programs = try Self.programs(in: "MustNotCompile")
    #expect(programs.programs.count >= 20)
    #expect(try programs.accepted() == [])
  }

  @Test(.enabled(if: compiler != nil, skip))
  func `programs that wait or call back, and carry identifiers, compile`() throws {
    let programs = try Self.programs(in: "MustCompile")
    #expect(programs.programs.count >= 8)
    #expect(try programs.refused() == [])
  }

  @Test(
    .enabled(if: compiler != nil, skip),
    arguments: Compiler.programs(in: "TopLevel/MustCompile"))
  func `top-level code that waits compiles`(_ name: String) throws {
    let program = Compiler.programs.appending(path: "TopLevel/MustCompile/\(name)")
    let outcome = try #require(Self.compiler).compile([program], .init(isTopLevel: true))
    #expect(outcome.isCompiled, "\(name): \(outcome.errors)")
  }

  @Test(
    .enabled(if: compiler != nil, skip),
    arguments: Compiler.programs(in: "TopLevel/MustNotCompile"))
  func `top-level code that would not wait by accident does not compile`(_ name: String) throws {
    let program = try ProgramSet.Program(
      Compiler.programs.appending(path: "TopLevel/MustNotCompile/\(name)"))
    let outcome = try #require(Self.compiler).compile([program.url], .init(isTopLevel: true))
    #expect(program.isRefused(outcome, as: "main.swift"), "\(name): \(outcome.errors)")
  }

  /// A set of programs of which one is accepted says so.
  @Test(.enabled(if: compiler != nil, skip))
  func `a program that compiles is found among those that must not`() throws {
    let programs = try Self.programs(in: "TestOfSets")
    let accepted = try programs.accepted()
    #expect(accepted.count == 1 && accepted[0].hasPrefix("Accepted.swift: "))
    #expect(
      try programs.refused().map { $0.prefix { $0 != ":" } } == ["Late.swift", "Refused.swift"])
  }

  @Test func `there are programs of top-level code`() {
    #expect(Compiler.programs(in: "TopLevel/MustNotCompile").count >= 3)
    #expect(Compiler.programs(in: "TopLevel/MustCompile").count >= 2)
  }
}
