import Cauldron
import Foundation
import Testing

/// What code of the class does, and what the report says of it.
@Suite struct HookWordTests {
  @Test func aRelationshipThatIsNotImportedIsUnchanged() async throws {
    let depot = try Depot()
    let json = #"[{"id": 1, "friends": [1]}, {"id": 2, "friends": [1]}]"#
    try await depot.load(json, as: Shy.self)
    let report = try await depot.load(json, as: Shy.self)
    #expect(report.unchanged == 2, "\(report)")
    #expect(report.isUnchanged == (report.outcome == .noChanges))
    #expect(try await depot.all(Shy.self) { "\($0.friends.count)" } == ["0", "0"])
  }

  @Test func whatItsOwnFunctionLinksAgainIsUnchanged() async throws {
    let depot = try Depot()
    let json = #"[{"id": 1}, {"id": 2, "friends": [1]}]"#
    try await depot.load(json, as: Busy.self)
    let report = try await depot.load(json, as: Busy.self)
    #expect(report.unchanged == 2, "\(report)")
    #expect(report.isUnchanged == (report.outcome == .noChanges))
  }

  @Test func whatItsOwnFunctionSetsElsewhereIsAChange() async throws {
    let depot = try Depot()
    try await depot.load(#"[{"id": 1, "label": "a"}]"#, as: Busy.self)
    let report = try await depot.load(#"[{"id": 1, "label": "b"}]"#, as: Busy.self)
    #expect(report.updated == 1, "\(report)")
    #expect(report.isUnchanged == (report.outcome == .noChanges))
  }

  @Test func whatHooksChangeIsAChange() async throws {
    let depot = try Depot()
    let json = #"[{"id": 1, "name": "a"}]"#
    try await depot.load(json, as: Watched.self)
    let report = try await depot.load(json, as: Watched.self)
    // The hooks have written down that they were called.
    #expect(report.updated == 1, "\(report)")
    #expect(report.isUnchanged == (report.outcome == .noChanges))
  }

  @Test func aHookThatSavesIsToldNotTo() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"id": 1, "name": "a", "saves": true}, {"id": 2, "name": "b"}]"#, as: Saver.self)
    #expect(report.refused == 1 && report.created == 1, "\(report)")
    #expect(report.problems.first?.description.contains("save") == true, "\(report)")
    #expect(try await depot.all(Saver.self) { "\($0.id)" } == ["2"])
  }

  @Test func aHookThatRollsBackTakesNobodyWithIt() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"id": 1, "name": "a"}, {"id": 2, "rollsBack": true}, {"id": 3}]"#, as: Saver.self)
    let ids = try await depot.all(Saver.self) { "\($0.id)" }
    #expect(report.created == ids.count, "\(report)")
    #expect(ids.contains("1") && ids.contains("3"), "\(ids)")
  }

  @Test func whatAHookImportsGoesWithItsRecord() async throws {
    let depot = try Depot()
    let report = try await depot.load(
      #"[{"id": 1, "nests": true, "throws": "did"}, {"id": 2}]"#, as: Nester.self)
    #expect(report.refused == 1 && report.created == 1, "\(report)")
    #expect(try await depot.count(Tongue.self) == 0)
    #expect(try await depot.all(Nester.self) { "\($0.id)" } == ["2"])
  }

  @Test func whatAHookImportsStaysOrIsRefused() async throws {
    let depot = try Depot()
    let report = try await depot.load(#"[{"id": 1, "nests": true}]"#, as: Nester.self)
    let count = try await depot.count(Tongue.self)
    #expect(report.refused == 1 ? count == 0 : count == 1, "\(report)")
  }
}
