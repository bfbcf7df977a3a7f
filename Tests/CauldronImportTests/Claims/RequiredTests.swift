import Cauldron
import Foundation
import Testing

/// What is required, and comes late, from the other side, or from code of the class.
@Suite struct RequiredTests {
  @Test func aLinkThatDoesNotComeRefusesItsRecordAlone() async throws {
    let depot = try Depot()
    try await depot.read { context in
      let root = Branch.create(in: context)
      root.id = 1
      root.parent = root
    }
    let report = try await depot.load(
      #"[{"id": 2, "name": "x", "parent": 1}, {"id": 3, "name": "y", "parent": 99}]"#,
      as: Branch.self)
    #expect(report.created == 1 && report.refused == 1)
    #expect(report.problems.map(\.record) == [1])
    let branches = try await depot.all(Branch.self) { "\($0.id)>\($0.parent?.id ?? 0)" }
    #expect(branches == ["1>1", "2>1"])
  }

  @Test func aLinkThatComesLateIsThereInTime() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"id": 2, "parent": 1}, {"id": 1, "parent": 2}]"#, as: Branch.self)
    #expect(report.created == 2)
    #expect(report.problemCount == 0)
    let branches = try await depot.all(Branch.self) { "\($0.id)>\($0.parent?.id ?? 0)" }
    #expect(branches == ["1>2", "2>1"])
  }

  @Test func codeThatFillsInNothingRefusesOneRecord() async throws {
    let depot = try Depot()
    let json = #"[{"id": 1, "title": "x"}, {"id": 2}]"#
    let awakened = try await depot.load(json, as: Awakened.self)
    #expect(awakened.created == 1 && awakened.refused == 1)
    #expect(try await depot.count(Awakened.self) == 1)
  }

  @Test func codeThatRunsAtTheSaveRefusesOneRecord() async throws {
    let depot = try Depot()
    let json = #"[{"id": 1, "title": "x"}, {"id": 2}]"#
    let saved = try await depot.load(json, as: Saved.self)
    #expect(saved.created == 1 && saved.refused == 1)
    #expect(try await depot.count(Saved.self) == 1)
  }

  @Test func whatCodeDoesNotFillInIsNoStub() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"id": 1, "seat": 5}, {"id": 2}]"#, as: Realm.self)
    #expect(report.created == 2)
    #expect(report.problems.map(\.pointer) == ["/0/seat"])
    #expect(try await depot.count(Awakened.self) == 0)
  }

  @Test func whatNoCodeFillsInAtTheSaveIsNoStub() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"id": 1, "treasure": 5}, {"id": 2}]"#, as: Realm.self)
    #expect(report.created == 2)
    #expect(report.problems.map(\.pointer) == ["/0/treasure"])
    #expect(try await depot.count(Saved.self) == 0)
  }

  @Test func whatCodeFillsInIsThere() async throws {
    let depot = try Depot()
    let report = try await depot.load(#"[{"id": 1}, {"id": 2, "title": "x"}]"#, as: Titled.self)
    #expect(report.created == 2 && report.problemCount == 0, "\(report)")
    #expect(
      try await depot.all(Titled.self) { "\($0.id) \($0.title)" } == ["1 untitled", "2 x"])
    let realms = try await depot.load(#"[{"id": 1, "crown": 5}]"#, as: Realm.self)
    #expect(realms.created == 1 && realms.problemCount == 0, "\(realms)")
    #expect(try await depot.count(Titled.self) == 3)
  }

  @Test(arguments: [#"{"id": 10}"#, "10"])
  func whatIsNestedHasWhatItNeeds(line: String) async throws {
    let depot = try Depot()
    let report = try await depot.load(#"[{"id": 1, "lines": [\#(line)]}]"#, as: Purchase.self)
    #expect(report.created == 1 && report.problemCount == 0, "\(report)")
    let lines = try await depot.all(PurchaseLine.self) { "\($0.id)>\($0.purchase?.id ?? 0)" }
    #expect(lines == ["10>1"])
  }

  @Test func whatIsFilledInAtTheSaveNeedNotBeThereBefore() async throws {
    let depot = try Depot()
    let report = try await depot.load(#"[{"id": 1, "name": "x"}, {"id": 2}]"#, as: Stamped.self)
    #expect(report.created == 2 && report.problemCount == 0, "\(report)")
    #expect(
      try await depot.all(Stamped.self) { "\($0.id) \($0.name ?? "-")" } == ["1 X", "2 -"])
  }

  @Test func aRefusedRecordIsTakenBackFromWhatItWouldCascadeTo() async throws {
    let depot = try Depot()
    try await depot.load(#"[{"id": 1}]"#, as: Chief.self)
    let report = try await depot.load(
      #"[{"id": 5, "staff": [1], "throws": "did"}, {"id": 6}]"#, as: Chief.self)
    #expect(report.created == 1 && report.refused == 1)
    let chiefs = try await depot.all(Chief.self) { "\($0.id)>\($0.boss?.id ?? 0)" }
    #expect(chiefs == ["1>0", "6>0"])
  }
}
