import TestSupport
import Testing

/// LiveBoard, as its own self-test and a visitor's HTTP client see it.
@Suite(
  .againstHanging, .enabled(if: !ChildProcess.isSanitized, "programs do not run under sanitizers"))
struct LiveBoardTests {
  @Test func `the stream tells of an import, a search, an edit thrown away and one saved`()
    async throws
  {
    let program = try ChildProcess("LiveBoard")
    let outcome = try await program.run("--self-test", "--people", "3000", "--import", "20000")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors == "")
    let lines = outcome.outputLines
    #expect(lines.first == "connected: 3000 people in 26 sections")
    let told = try #require(lines.first { $0.hasPrefix("imported 20000: ") })
    #expect(told.contains("insertion") || told.contains("reload"))
    #expect(lines.contains { $0.contains(/^longest stall of the main queue meanwhile: .* ms$/) })
    #expect(lines.contains { $0.contains(/^searched "berg": [0-9]+ of 23000 people$/) })
    #expect(lines.contains("searched nothing: 23000 people"))
    #expect(lines.contains { $0.contains(/^edited .* in a session: the list keeps the name$/) })
    #expect(lines.contains("thrown away: nothing in 0 versions"))
    #expect(
      lines.suffix(5).map { $0.replacing(/saved .* as/, with: "saved … as") } == [
        "saved … as Zuzana Probe: 1 move in 1 version",
        "  → Saving <ManagedObjectContext: Edit Session> on a background thread",
        "  → Saving <ManagedObjectContext: Default Context> on the main thread",
        "  → Saving <ManagedObjectContext: Root Saving Context> on a background thread",
        "all rows that the changes lead to are those of the server",
      ])
    #expect(try program.leftovers().isEmpty)
  }

  @Test func `a port that is taken is one line of error`() async throws {
    let program = try ChildProcess("LiveBoard")
    let first = try program.start("--port", "0", "--people", "10")
    let address = try await first.text(after: "LiveBoard is at http://127.0.0.1:")
    let port = String(address.prefix { $0.isNumber })
    let outcome = try await ChildProcess("LiveBoard").run("--port", port, "--people", "10")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errors == "Error: Cannot listen on 127.0.0.1:\(port): Address already in use.\n")
    #expect(try await first.end() == 0)
    #expect(try program.leftovers().isEmpty)
  }
}
