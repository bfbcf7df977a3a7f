import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct QuickStartTests {
  @Test func `the log tells the way of a save from the new context to the file`() async throws {
    let outcome = try await ChildProcess("QuickStart").run()
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.isEmpty)
    let lines = outcome.outputLines.map(withoutAddresses)
    #expect(
      lines == [
        "Created new private queue context: <ManagedObjectContext (0x…): Untitled Context>",
        "→ Saving <ManagedObjectContext (0x…): Untitled Context> on a background thread",
        "→ Saving <ManagedObjectContext (0x…): Default Context> on the main thread",
        "→ Saving <ManagedObjectContext (0x…): Root Saving Context> on a background thread",
        "finish save",
        #"saved: true; read back from the file: ["jack"]"#,
      ])
  }

  @Test func `the three contexts have three addresses, and a context keeps its own`() async throws {
    let lines = try await ChildProcess("QuickStart").run().outputLines
    let addresses = lines.compactMap { $0.firstMatch(of: /\((0x[0-9a-f]+)\)/)?.1 }
    try #require(addresses.count == 4)
    #expect(addresses[0] == addresses[1])
    #expect(Set(addresses).count == 3)
  }

  @Test func `nothing is left behind unless the user asks for it`() async throws {
    let program = try ChildProcess("QuickStart")
    _ = try await program.run()
    #expect(try program.leftovers().isEmpty)
    let outcome = try await program.run("--keep")
    let path = try #require(outcome.outputLines.last?.firstMatch(of: /store: (.*)/)?.1)
    #expect(FileManager.default.fileExists(atPath: String(path)))
  }

  private func withoutAddresses(_ line: String) -> String {
    line.replacing(/\(0x[0-9a-f]+\)/, with: "(0x…)")
  }
}
