import TestSupport
import Testing

@Suite(.againstHanging) struct ImportJSONTests {
  @Test("lists of codes are imported, and a second time nothing changes")
  func runs() async throws {
    let outcome = try await ChildProcess("ImportJSON").run()
    let output = outcome.outputLines.joined(separator: "\n")
    #expect(outcome.exitCode == 0, "\(output)")
    if output.contains("Skipped.") { return print(output) }
    #expect(output.contains("countries: ") && output.contains(" unchanged"))
    #expect(outcome.outputLines.contains("Again:"))
  }
}
