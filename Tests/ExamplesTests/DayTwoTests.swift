import Foundation
import TestSupport
import Testing

/// The data of a program's first version are there in its second one, and the first one is told.
@Suite(.againstHanging) struct DayTwoTests {
  @Test func `day two: every person comes over, and the first version is refused`() async throws {
    let program = try ChildProcess("DayTwo")
    let outcome = try await program.run()
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors.isEmpty)
    let lines = outcome.outputLines
    #expect(lines.first == "version 1: 10000 people in 10 companies")
    for line in [
      "Person.label → title", "Person.mail: optional → required", "Person + rank",
      "Person.employer → employers", "Person − fax", "step: split name",
      "lost: 10000 values of Person.fax: String", "lost: 10000 values of Person.name: String",
    ] {
      #expect(lines.contains("  \(line)"), "\(line)")
    }
    #expect(!lines.contains { $0.contains("problem") })
    #expect(
      lines.suffix(4) == [
        "[##############################] 100 %", "version 2: 10000 people, 0 of them wrong",
        "the store as it was: people.backup.sqlite",
        "version 1: refused, migration.cannotInfer, migration.missingValue, migration.wouldDiscard;"
          + " nothing has changed",
      ])
    #expect(try program.leftovers().isEmpty)
  }
}
