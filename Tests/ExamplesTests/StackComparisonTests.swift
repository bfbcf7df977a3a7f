import Testing

@Suite(.timeLimit(.minutes(10))) struct StackComparisonTests {
  /// A line of a table, without the published figures.
  private struct Entry {
    let rows: Int
    let stack: String
    /// The total time, the main thread's part of it, and the longest stall, in milliseconds.
    let figures: [Double]
  }

  @Test func `the four layouts are compared at each size, beside the published figures`()
    async throws
  {
    let outcome = try await ChildProcess("StackComparison").run("--quick")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.isEmpty)
    let lines = outcome.outputLines
    #expect(lines.first == "milliseconds; best of 1")
    for (title, published) in [
      ("insert and save", ["14–18", "26–65"]),
      ("fetch and show in the main context", ["2.6–3.6", "5–21.6"]),
      // Nobody has published these for so few rows.
      ("fetch a live list in the background, with ten inserts meanwhile", []),
      ("insert and save under a live list", ["14–18 without a list", "26–65 without a list"]),
    ] {
      let start = try #require(lines.firstIndex(of: title), "no table \"\(title)\"")
      #expect(lines[start + 1].hasSuffix("Core Data, published"))
      let table = lines[(start + 2)...].prefix { !$0.isEmpty }
      let entries = try table.map(entry)
      let stacks = ["A single", "B siblings", "C mainParent", "D writerRoot"]
      #expect(entries.map(\.stack) == stacks + stacks)
      #expect(entries.map(\.rows) == [100, 0, 0, 0, 1_000, 0, 0, 0])
      #expect(published.allSatisfy { figure in table.contains { $0.hasSuffix(figure) } })
      #expect(entries.allSatisfy { $0.figures.allSatisfy { $0 >= 0 && $0 < 100_000 } })
    }
  }

  private func entry(_ line: String) throws -> Entry {
    let pattern = /\s*([0-9,]*)\s+([ABCD] [a-zA-Z]+)\s+([0-9.]+)\s+([0-9.]+)\s+([0-9.]+).*/
    let match = try #require(try pattern.wholeMatch(in: line), "not a line of a table: \(line)")
    let rows = match.1.filter(\.isNumber)
    return Entry(
      rows: Int(rows) ?? 0, stack: String(match.2),
      figures: [match.3, match.4, match.5].compactMap { Double($0) })
  }
}
