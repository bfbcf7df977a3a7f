import Foundation
import Testing

@Suite struct ConfinementTests {
  private static let compiler = Compiler()
  private static let skip: Comment = "needs swiftc, and a library built without a sanitizer"

  @Test(
    .enabled(if: compiler != nil, skip), arguments: Compiler.programs(in: "MustNotCompile"))
  func `a program that takes an object out of its context does not compile`(
    _ name: String
  ) throws {
    let program = Compiler.programs.appending(path: "MustNotCompile/\(name)")
    let expected = try #require(try expectedError(program), "\(name) does not name its error")
    let outcome = try #require(Self.compiler).compile(program)
    #expect(!outcome.isCompiled, "\(name) compiles")
    // An error in another file would hide that this one is accepted; that of a macro has no file.
    let found = outcome.errors.contains {
      ($0.contains(name) || $0.contains("macro expansion")) && $0.contains(expected)
    }
    #expect(found, "\(name): \(outcome.errors)")
  }

  @Test(.enabled(if: compiler != nil, skip), arguments: Compiler.programs(in: "MustCompile"))
  func `a program that waits or calls back, and carries identifiers, compiles`(
    _ name: String
  ) throws {
    let program = Compiler.programs.appending(path: "MustCompile/\(name)")
    let outcome = try #require(Self.compiler).compile(program)
    #expect(outcome.isCompiled, "\(name): \(outcome.errors)")
  }

  @Test(
    .enabled(if: compiler != nil, skip),
    arguments: Compiler.programs(in: "TopLevel/MustCompile"))
  func `top-level code that waits compiles`(_ name: String) throws {
    let program = Compiler.programs.appending(path: "TopLevel/MustCompile/\(name)")
    let outcome = try #require(Self.compiler).compile(program, isTopLevel: true)
    #expect(outcome.isCompiled, "\(name): \(outcome.errors)")
  }

  @Test(
    .enabled(if: compiler != nil, skip),
    arguments: Compiler.programs(in: "TopLevel/MustNotCompile"))
  func `top-level code that would not wait by accident does not compile`(_ name: String) throws {
    let program = Compiler.programs.appending(path: "TopLevel/MustNotCompile/\(name)")
    let expected = try #require(try expectedError(program), "\(name) does not name its error")
    let outcome = try #require(Self.compiler).compile(program, isTopLevel: true)
    #expect(!outcome.isCompiled, "\(name) compiles")
    let found = outcome.errors.contains { $0.contains("main.swift") && $0.contains(expected) }
    #expect(found, "\(name): \(outcome.errors)")
  }

  @Test func `there are programs to compile`() {
    #expect(Compiler.programs(in: "MustNotCompile").count >= 20)
    #expect(Compiler.programs(in: "MustCompile").count >= 8)
    #expect(Compiler.programs(in: "TopLevel/MustNotCompile").count >= 3)
    #expect(Compiler.programs(in: "TopLevel/MustCompile").count >= 2)
  }

  /// The first line is `// error: …`.
  private func expectedError(_ program: URL) throws -> String? {
    let text = try String(contentsOf: program, encoding: .utf8)
    guard let line = text.split(separator: "\n").first, line.hasPrefix("// error: ") else {
      return nil
    }
    return String(line.dropFirst("// error: ".count))
  }
}
