import Cauldron
import Foundation
import Testing

/// Members that a record does not list any more.
@Suite struct RemovedMemberTests {
  @Test(
    arguments: [
      #"[{"id": 1, "books": [], "favourite": "b1"}]"#,
      #"[{"id": 1, "books": []}, {"id": 2, "favourite": {"code": "b1"}}]"#,
      #"[{"id": 2, "favourite": "b1"}, {"id": 1, "books": []}]"#,
    ], [nil, 1])
  func whatAnotherRelationshipLinksStays(json: String, every: Int?) async throws {
    let depot = try Depot()
    try await depot.load(#"[{"id": 1, "books": ["b1", "b2"]}]"#, as: Writer.self)
    let report = try await depot.load(json, as: Writer.self, ImportOptions(commitEvery: every))
    #expect(report.deleted == 1)
    #expect(
      try await depot.all(Volume.self) { "\($0.code)>\($0.author?.id ?? 0) \($0.fans.count)" }
        == ["b1>0 1"])
  }

  @Test(arguments: [ImportMembers.replace, .replaceAndDelete])
  func aMemberThatSaysNoStays(members: ImportMembers) async throws {
    let depot = try Depot()
    try await depot.load(#"[{"id": 1}, {"id": 2, "boss": 1}]"#, as: Watched.self)
    let report = try await depot.load(
      #"[{"id": 1, "staff": [{"id": 2, "skip": true}]}]"#, as: Watched.self,
      .relationship("Watched", "staff", .init(members: members)))
    #expect(report.deleted == 0)
    let bosses = try await depot.all(Watched.self) { "\($0.id)>\($0.boss?.id ?? 0)" }
    #expect(bosses == ["1>0", "2>1"])
  }

  /// A venture with an errand, and another one without.
  private func ventures() async throws -> Depot {
    let depot = try Depot()
    try await depot.read { context in
      let venture = Venture.create(in: context)
      venture.id = 1
      let errand = Errand.create(in: context)
      errand.id = 10
      errand.venture = venture
    }
    return depot
  }

  @Test func whoNeedsItsOwnerRefusesTheRecordThatTakesItOut() async throws {
    let depot = try await ventures()
    let report = try await depot.load(
      #"[{"id": 1, "errands": []}, {"id": 2}]"#, as: Venture.self)
    #expect(report.created == 1 && report.refused == 1)
    #expect(report.problems.map(\.code) == [.validationMissing])
    let errands = try await depot.all(Errand.self) { "\($0.id)>\($0.venture?.id ?? 0)" }
    #expect(errands == ["10>1"])
  }

  @Test(arguments: [nil, 1]) func whoNeedsItsOwnerIsDeletedWhereItMayBe(every: Int?) async throws {
    let depot = try await ventures()
    let report = try await depot.load(
      #"[{"id": 1, "errands": []}, {"id": 2}]"#, as: Venture.self,
      .relationship("Venture", "errands", .init(members: .replaceAndDelete), commitEvery: every))
    #expect(report.deleted == 1 && report.created == 1)
    #expect(try await depot.count(Errand.self) == 0)
  }

  @Test(
    arguments: [
      (#"[{"id": 1, "errands": []}, {"id": 1, "errands": [10]}]"#, 0),
      (#"[{"id": 1, "errands": []}, {"id": 1, "errands": [10]}, {"id": 1, "errands": []}]"#, 1),
      (#"[{"id": 1, "errands": [10]}, {"id": 1, "errands": []}]"#, 1),
    ])
  func whoNeedsItsOwnerStaysWhereThatListsItAgain(json: String, deleted: Int) async throws {
    let depot = try await ventures()
    let report = try await depot.load(
      json, as: Venture.self,
      .relationship("Venture", "errands", .init(members: .replaceAndDelete)))
    #expect(report.deleted == deleted)
    #expect(try await depot.count(Errand.self) == 1 - deleted)
  }

  @Test func whatIsTakenFromWhoNeedsItRefusesTheRecord() async throws {
    let depot = try Depot()
    try await depot.load(#"[{"id": 1, "badge": "x"}]"#, as: Holder.self)
    let report = try await depot.load(
      #"[{"id": 2, "badge": "x"}, {"id": 3, "badge": "y"}]"#, as: Holder.self)
    #expect(report.created == 1 && report.refused == 1)
    #expect(report.problems.map(\.record) == [0])
    let holders = try await depot.all(Holder.self) { "\($0.id) \($0.badge?.code ?? "-")" }
    #expect(holders == ["1 x", "3 y"])
  }

  @Test func whatMayNotBeDeletedStays() async throws {
    let depot = try Depot()
    try await depot.load(#"[{"id": 1, "quoted": [2]}, {"id": 3, "subject": 2}]"#, as: Remark.self)
    let report = try await depot.load(#"[{"id": 1, "quoted": []}, {"id": 9}]"#, as: Remark.self)
    #expect(report.created == 1)
    let remarks = try await depot.all(Remark.self) { "\($0.id)>\($0.subject?.id ?? 0)" }
    #expect(remarks == ["1>0", "2>0", "3>2", "9>0"])
  }
}
