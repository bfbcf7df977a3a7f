import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport
import Testing

@Suite struct ExplainTests {
  @Test func `a plan tells which index is missing, in the words of the class`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let byAge = try Person.where(\.age > 3 && \.name == "x").explain(in: context)
    #expect(byAge.sql.hasPrefix("SELECT * FROM ZPERSON WHERE "))
    #expect(byAge.plan == ["SCAN ZPERSON"])
    #expect(byAge.missingIndexes == [#"#Index<Person>([\.name, \.age])"#])
    let byName = try Person.where(\.name == "x").explain(in: context)
    #expect(
      byName.missingIndexes
        == [#"@Attribute(.indexed) var name in Person, or #Index<Person>([\.name])"#])
    #expect("\(byName)".contains("Missing: @Attribute(.indexed) var name in Person"))
    let byMail = try Person.where(\.email == "x").explain(in: context)
    #expect(byMail.missingIndexes.isEmpty)
    #expect(byMail.plan.count == 1 && byMail.plan[0].hasPrefix("SEARCH ZPERSON USING INDEX"))
    let sorted = try ObjectQuery<Person>().sorted(by: \.age).explain(in: context)
    #expect(sorted.missingIndexes.count == 1 && sorted.plan.count == 2)
    let far = try Person.where { $0.employer.name == "Acme" }.explain(in: context)
    #expect(
      far.missingIndexes
        == [#"@Attribute(.indexed) var name in Company, or #Index<Company>([\.name])"#])
    #expect(throws: CauldronError.self) {
      try ObjectQuery<Person>().limit(-1).explain(in: context)
    }
  }

  @Test func `an order that no statement has room for is told of`() throws {
    let bench = try Bench(.file)
    let found = try ObjectQuery<Person>().sorted { person in
      var age = person.age + 1
      for _ in 1..<400 { age = age + 1 }
      return age.descending
    }.explain(in: bench.child())
    #expect(found.plan == ["SCAN ZPERSON", "SORT IN MEMORY"])
  }

  @Test func `in memory every row is looked at`() throws {
    let bench = try Bench(.memory)
    let found = try Person.where(\.age > 3).explain(in: bench.child())
    #expect(found.sql.isEmpty && found.plan == ["LOOK AT EVERY ROW OF Person IN MEMORY"])
  }

  @Test(.againstHanging) func `a slow fetch is told of with its statement, time and rows`()
    async throws
  {
    let bench = try Bench(.file) { $0.slowFetch = 0 }
    let context = bench.child()
    let stack = bench.stack
    try await stack.save { Person.create(in: $0).name = "one" }
    func lines() -> [LogCapture.Line] {
      bench.log.lines.filter { $0.message.hasPrefix("Slow fetch of Person") }
    }
    let found = try Person.findAll(in: context)
    #expect(found.count == 1)
    while lines().isEmpty { try await Task.sleep(nanoseconds: 1_000_000) }
    let line = try #require(lines().first)
    #expect(line.level == .notice)
    #expect(line.message.contains("ms for 1 rows: SELECT "))
    #expect(line.message.contains("FROM ZPERSON"))
    #expect(line.metadata["entity"] == "Person" && line.metadata["rows"] == "1")
    #expect(line.metadata["worked"] != nil && line.metadata["context"] == "Child")
    _ = try await stack.read { try Person.count(in: $0) }
    while lines().count < 2 { try await Task.sleep(nanoseconds: 1_000_000) }
    #expect(lines()[1].metadata["from"].map { "\($0)" }?.contains("ExplainTests.swift:") == true)
    _ = try Person.where(\.age > 3).fetch(in: context)
    while lines().count < 3 { try await Task.sleep(nanoseconds: 1_000_000) }
    #expect(lines()[2].message.contains("WHERE"))
    #expect(
      lines()[2].message.hasSuffix(
        "Missing: @Attribute(.indexed) var age in Person, or"
          + " #Index<Person>([\\.age])."))
  }

  @Test func `without a limit nothing is told of`() throws {
    let bench = try Bench(.file) { $0.slowFetch = nil }
    _ = try Person.findAll(in: bench.child())
    #expect(!bench.log.lines.contains { $0.message.hasPrefix("Slow fetch") })
  }
}
