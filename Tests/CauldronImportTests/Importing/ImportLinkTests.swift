import Cauldron
import Foundation
import Testing

@Suite struct ImportLinkTests {
  private static let skipping = ImportOptions(
    mappings: ["Province": .init(relationships: ["parent": .init(unknown: .skip)])])

  private func parents(_ atlas: Atlas) async throws -> [String] {
    try await atlas.read { context in
      try Province.findAll(sortedBy: \.code, in: context).map {
        "\($0.code)>\($0.parent?.code ?? "-")"
      }
    }
  }

  @Test func pointersLeadToWhatIsMeant() async throws {
    let atlas = try Atlas()
    let report = try await atlas.load(
      """
      [{"alpha_2": "AA", "common_name": "abcdefghijklmnopqrstuvwxyz"},
       {"alpha_2": "BB", "name": "B", "statistics.area": "x"},
       {"alpha_2": "CC", "name": "C", "speaks": ["a"]}]
      """,
      ImportOptions(
        mappings: ["Land": .init(relationships: ["languages": .init(unknown: .skip)])]))
    #expect(
      report.problems.map(\.pointer) == ["/0/common_name", "/1/statistics.area", "/2/speaks/0"])
    let listed = try await atlas.load(
      #"[{"alpha_2": "CC", "name": "C", "tongues": ["a"]}]"#,
      ImportOptions(
        mappings: [
          "Land": .init(relationships: ["languages": .init(from: ["tongues"], unknown: .skip)])
        ]))
    #expect(listed.problems.map(\.pointer) == ["/0/tongues/0"])
    let alone = try await atlas.load(
      #"{"code": "a", "parent": "x"}"#, as: Province.self, Self.skipping)
    #expect(alone.problems.map(\.pointer) == ["/parent"])
  }

  @Test func theLastWordCountsAlsoWhereALinkWaits() async throws {
    let atlas = try Atlas()
    try await atlas.load(
      """
      [{"code": "a", "parent": "x"}, {"code": "b", "parent": "x"}, {"code": "a", "parent": "c"},
       {"code": "b", "parent": null}, {"code": "c"}, {"code": "x"}]
      """, as: Province.self, Self.skipping)
    #expect(try await parents(atlas) == ["a>c", "b>-", "c>-", "x>-"])
  }

  @Test func whatComesLateStandsWhereItIsListed() async throws {
    let atlas = try Atlas()
    try await atlas.load(
      """
      [{"alpha_2": "A", "name": "A", "speaks": ["x", "y", "z"]},
       {"alpha_2": "B", "name": "B", "speaks": [{"code": "y"}, {"code": "z"}, {"code": "x"}]}]
      """,
      ImportOptions(
        mappings: [
          "Land": .init(relationships: ["languages": .init(from: ["speaks"], unknown: .skip)])
        ]))
    #expect(try await atlas.land("A") == "A 1.0 [] (x y z) -")
    #expect(try await atlas.land("B") == "B 1.0 [] (y z x) -")
  }

  @Test func aRefusedTargetGivesThePlaceBack() async throws {
    let atlas = try Atlas()
    try await atlas.load(#"[{"code": "a", "parent": "v"}]"#, as: Province.self)
    let report = try await atlas.load(
      #"[{"code": "a", "parent": "s"}, {"code": "a", "parent": "t"}, {"code": "s", "name": 7}, {"code": "t", "name": 8}]"#,
      as: Province.self)
    #expect(try await parents(atlas) == ["a>v", "v>-"])
    #expect(report.problems.map(\.pointer) == ["/2/name", "/3/name", "/1/parent"])
    #expect(report.related["Province"]?.created == 0)
  }

  @Test func whatHasARecordIsNotDeleted() async throws {
    let atlas = try Atlas()
    let options = ImportOptions(
      mappings: [
        "Province": .init(relationships: ["children": .init(members: .replaceAndDelete)])
      ])
    let json = #"[{"code": "a", "children": ["b", "c"]}, {"code": "b", "children": ["d"]}]"#
    try await atlas.load(json, as: Province.self, options)
    let report = try await atlas.load(
      #"[{"code": "c"}, {"code": "a", "children": []}]"#, as: Province.self, options)
    // Nobody has taken what it leads to out of it.
    #expect(report.deleted == 1)
    #expect(try await parents(atlas) == ["a>-", "c>-", "d>-"])
  }

  @Test func aRequiredValueWithoutDefaultRefusesTheRecord() async throws {
    let atlas = try Atlas()
    let report = try await atlas.load(
      #"[{"alpha_2": "A"}, {"alpha_2": "B", "name": "B"}]"#,
      ImportOptions(mappings: ["Land": .init(attributes: ["name": .init(absent: .setDefault)])]))
    #expect(report.refused == 1 && report.created == 1)
  }

  @Test func `related objects of the same entity are told apart from the records`() async throws {
    let report = try await Atlas().load(
      #"[{"code": "a", "parent": {"code": "b"}}]"#, as: Province.self)
    #expect(report.description == "1 province: 1 created, 1 other province created")
  }
}
