import TestSupport
import Testing

/// A program whose main thread runs a loop of its own, by `poll`.
@Suite(.againstHanging) struct ForeignLoopTests {
  @Test func `all that is sent to the main queue runs in a loop of the program's own`()
    async throws
  {
    let outcome = try await ChildProcess("ForeignLoop").run()
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.outputLines.dropLast() == [
        "a block of the main queue", "a block that has waited", "a task of the main actor",
        "a block that another thread waits for", "signals have not ended the loop",
        "a save has ended on the main thread: true", "main knows jack",
      ])
    // A loop that spins is woken many thousand times.
    let last = outcome.outputLines.last?.split(separator: " ") ?? []
    try #require(last.count == 6 && last.first == "woken")
    #expect(Int(last[1]).map { $0 <= 2 } == true, "\(last[1])")
  }

  @Test func `attaching twice, elsewhere, and draining within a drain do no harm`() async throws {
    let outcome = try await ChildProcess("ForeignLoop").run("--misuse")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.isEmpty)
    let hint =
      "Attach it once, on the first thread, before the loop runs; main must not be async."
    #expect(
      outcome.outputLines == [
        "twice: Cannot attach the main queue: it is attached already. \(hint)",
        "within a drain: false", "after the dialog",
        "elsewhere: Cannot attach the main queue: this is not the main thread. \(hint)",
      ])
  }
}
