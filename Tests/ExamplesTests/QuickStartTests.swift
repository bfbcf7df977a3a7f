import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct QuickStartTests {
  @Test func `the log tells the way of a save from the new context to the file`() async throws {
    let outcome = try await ChildProcess("QuickStart").run()
    #expect(outcome.exitCode == 0)
    let sentences = outcome.errorLines.map {
      withoutAddresses($0).replacing(#/^[0-9:.]+ /#, with: "").replacing(
        #/ in [0-9.]+ ms/#, with: ""
      )
      .replacing(#/ +main\.swift:.*$/#, with: "")
    }
    #expect(
      sentences == [
        "Created new private queue context: <ManagedObjectContext (0x…): Untitled Context>",
        "→ Saving <ManagedObjectContext (0x…): Untitled Context> on a background thread",
        "→ Saving <ManagedObjectContext (0x…): Default Context> on the main thread",
        "→ Saving <ManagedObjectContext (0x…): Root Saving Context> on a background thread",
        "✓ Saved to people.sqlite: 1 inserted",
      ])
    #expect(
      outcome.outputLines == [
        "finish save", #"saved: true; read back from the file: ["jack"]"#,
      ])
  }

  @Test func `a program writes its model where the environment says`() async throws {
    let folder = try TemporaryDirectory()
    let model = folder.file("People.xcdatamodel")
    let outcome = try await ChildProcess(
      "QuickStart", environment: ["CAULDRON_WRITE_MODEL": model.path]
    ).run()
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errors.contains("Wrote the model to \(model.path), as CAULDRON_WRITE_MODEL asks."))
    let contents = try String(contentsOf: model.appending(path: "contents"), encoding: .utf8)
    #expect(contents.contains("<entity name=\"Person\""))
  }

  @Test func `README shows what the program writes, but for times and addresses`() async throws {
    let outcome = try await ChildProcess("QuickStart").run()
    let written = outcome.errorLines.map(withoutTimes)
    let lines = try readmeLines().map(withoutTimes)
    let end = try #require(lines.firstIndex(of: "finish save"))
    #expect(Array(lines[..<end]) == written)
    #expect(Array(lines[end...]) == outcome.outputLines)
  }

  /// The lines that README shows where it tells what the log says.
  private func readmeLines() throws -> [String] {
    let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../README.md")
    let text = try String(contentsOf: readme.standardized, encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "\n## What the log says\n").dropFirst().first)
    let block = try #require(section.components(separatedBy: "\n```\n").dropFirst().first)
    return block.components(separatedBy: "\n")
  }

  private func withoutTimes(_ line: String) -> String {
    withoutAddresses(line).replacing(
      #/^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3} /#, with: "00:00:00.000 "
    )
    .replacing(#/ in [0-9.]+ ms +/#, with: " in … ms ")
  }

  @Test func `the three contexts have three addresses, and a context keeps its own`() async throws {
    let lines = try await ChildProcess("QuickStart").run().errorLines
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
