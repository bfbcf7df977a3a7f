import Foundation
import TestSupport
import Testing

/// `cauldron`, run as a user runs it, on what the examples leave behind.
@Suite(.againstHanging) struct ToolProcessTests {
  @Test func `the store of the quick start has no findings`() async throws {
    let program = try ChildProcess("QuickStart")
    let outcome = try await program.run("--keep")
    let path = try #require(outcome.outputLines.last?.firstMatch(of: /store: (.*)/)?.1)
    let verify = try await ChildProcess("cauldron").run("verify", String(path))
    #expect(verify.exitCode == 0, "\(verify.output)\(verify.errors)")
    #expect(verify.output.contains("no findings"))
    let inspect = try await ChildProcess("cauldron").run("inspect", String(path))
    #expect(inspect.outputLines.contains { $0.firstMatch(of: /^Person\s+1\s/) != nil })
  }

  @Test func `the store of the package index has no findings, and its JSON can be read`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let store = folder.file("index.sqlite")
    let imported = try await ChildProcess("PackageIndex").run(
      "-", "--store", store.path, piping: SampleIndex.stanzas(40))
    #expect(imported.exitCode == 0, "\(imported.errors)")
    let verify = try await ChildProcess("cauldron").run("verify", "--json", store.path)
    #expect(verify.exitCode == 0, "\(verify.output)\(verify.errors)")
    let list = try JSONSerialization.jsonObject(with: Data(verify.output.utf8)) as? [String: Any]
    #expect((list?["findings"] as? [Any])?.isEmpty == true)
    let inspect = try await ChildProcess("cauldron").run("inspect", "--json", store.path)
    let summary = try JSONSerialization.jsonObject(with: Data(inspect.output.utf8))
    #expect((summary as? [String: Any])?["modelCopy"] as? String == "complete")
  }

  @Test func `both versions of day two leave stores without findings, and a step is recorded`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let store = folder.file("people.sqlite").path
    for version in ["v1", "v2"] {
      let outcome = try await ChildProcess("DayTwo").run(version, store)
      #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
      let verify = try await ChildProcess("cauldron").run("verify", store)
      #expect(verify.exitCode == 0, "\(version): \(verify.output)\(verify.errors)")
    }
    let inspect = try await ChildProcess("cauldron").run("inspect", store)
    #expect(inspect.outputLines.contains { $0.hasPrefix("  steps ") })
    let copy = folder.file("people.backup.sqlite").path
    #expect(try await ChildProcess("cauldron").run("verify", copy).exitCode == 0)
  }

  @Test func `nothing but text goes into a pipe, and errors have a status and a line`() async throws
  {
    let folder = try TemporaryDirectory()
    let outcome = try await ChildProcess("cauldron").run("verify", folder.file("none.sqlite").path)
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errorLines.count == 1)
    #expect(!outcome.errors.contains("\u{1B}"))
  }

  @Test func `a wrong command line is told, and the help lists the commands`() async throws {
    #expect(try await ChildProcess("cauldron").run("frobnicate").exitCode == 64)
    #expect(try await ChildProcess("cauldron").run("migrate", "x.sqlite").exitCode == 64)
    let help = try await ChildProcess("cauldron").run("--help")
    #expect(help.exitCode == 0)
    for name in [
      "inspect", "verify", "migrate", "backup", "restore", "move", "destroy", "metadata", "model",
    ] {
      #expect(help.output.contains("  \(name) "))
    }
  }
}
