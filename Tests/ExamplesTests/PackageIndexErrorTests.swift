import TestSupport
import Testing

@Suite(.againstHanging) struct PackageIndexErrorTests {
  @Test func `malformed lines are reported with their numbers, and skipped`() async throws {
    let outcome = try await ChildProcess("PackageIndex").run(piping: SampleIndex.malformed)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorLines == [
        "line 3: Installed-Size is not a number; skipped",
        "line 6: a stanza without Package; skipped",
        "line 9: a continuation of nothing; skipped",
        #"line 10: neither "Key: value" nor a continuation; skipped"#,
        "line 13: a second Package in one stanza; taken as the next one",
        #"line 14: neither "Key: value" nor a continuation; skipped"#,
        "line 16: Size is not a number; skipped",
      ])
    #expect(outcome.outputLines.first == "packages: 4")
    #expect(outcome.outputLines.contains("malformed lines: 7"))
  }

  @Test func `only the first ten malformed lines are shown, and all are counted`() async throws {
    let input = String(repeating: "nonsense\n", count: 37) + SampleIndex.stanzas(1)
    let outcome = try await ChildProcess("PackageIndex").run(piping: input)
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorLines.count == 11)
    #expect(outcome.errorLines[9].hasPrefix("line 10: "))
    #expect(outcome.errorLines[10] == "further malformed lines are only counted")
    #expect(outcome.outputLines.contains("malformed lines: 37"))
  }

  @Test func `an index that is missing is one line of error`() async throws {
    let program = try ChildProcess("PackageIndex")
    let outcome = try await program.run("/nowhere/index")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors == "Error: Cannot open /nowhere/index: No such file or directory.\n")
    #expect(try program.leftovers().isEmpty)
  }

  @Test func `an index that cannot be read is one line of error`() async throws {
    let program = try ChildProcess("PackageIndex")
    let outcome = try await program.run("/")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors == "Error: Cannot read /: Is a directory.\n")
    #expect(try program.leftovers().isEmpty)
  }

  @Test func `a store that cannot be created is one line of error`() async throws {
    let program = try ChildProcess("PackageIndex")
    let outcome = try await program.run("-", "--store", "/nowhere/store.sqlite", piping: "")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("/nowhere"))
  }

  @Test func `a batch without packages is refused`() async throws {
    let outcome = try await ChildProcess("PackageIndex").run("-", "--batch", "0", piping: "")
    #expect(outcome.exitCode == 64)
    #expect(outcome.errors.contains("A batch has at least one package."))
  }
}
