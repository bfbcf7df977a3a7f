import Cauldron
import Foundation
import TestSupport
import Testing

@Suite struct ImportTests {
  @Test func recordsBecomeObjects() async throws {
    let atlas = try Atlas()
    let report = try await atlas.load(
      """
      {"3166-1": [
        {"alpha_2": "DE", "name": "Germany", "statistics": {"area": 357.5},
         "subdivisions": [{"code": "DE-BE", "name": "Berlin"}, {"code": "DE-BY"}],
         "speaks": ["deu", "dsb"], "capital": {"name": "Berlin", "mayor": "x"}},
        {"alpha_2": "FR", "common_name": "France", "updated": "2026-11-24T08:00:00Z"}
      ]}
      """, root: "3166-1")
    #expect(
      report.description
        == "2 lands: 2 created, 2 provinces created, 2 tongues created, 1 town created")
    #expect(try await atlas.land("DE") == "Germany 357.5 [DE-BE DE-BY] (deu dsb) Berlin")
    #expect(try await atlas.land("FR") == "France 1.0 [] () -")
  }

  @Test func aSecondImportChangesNothing() async throws {
    let atlas = try Atlas(inFile: true)
    let json = """
      [{"alpha_2": "DE", "name": "Germany", "subdivisions": [{"code": "a"}, {"code": "b"}],
        "speaks": ["y", "x"], "updated": "2026-11-24T08:00:00.123Z", "population": 83e6}]
      """
    try await atlas.load(json)
    let report = try await atlas.load(json)
    #expect(report.description == "1 land: 1 unchanged")
    #expect(report.isUnchanged)
    #expect(report.outcome == .noChanges)
  }

  @Test func whatDiffersIsSet() async throws {
    let atlas = try Atlas()
    try await atlas.load(
      """
      [{"alpha_2": "DE", "name": "Germany", "subdivisions": [{"code": "a"}, {"code": "b"}]}]
      """)
    let report = try await atlas.load(
      """
      [{"alpha_2": "DE", "name": "Germany", "subdivisions": [{"code": "c"}, {"code": "b"}],
        "statistics": {"area": 2}}]
      """)
    #expect(report.description == "1 land: 1 updated, 1 province created")
    #expect(try await atlas.land("DE") == "Germany 2.0 [b c] () -")
    #expect(try await atlas.count(Province.self) == 3)
  }

  @Test func absentAndNullFollowThePolicies() async throws {
    let atlas = try Atlas()
    try await atlas.load(
      """
      [{"alpha_2": "DE", "name": "Germany", "statistics": {"area": 5}, "population": 3,
        "capital": {"name": "Bonn", "mayor": "x"}, "speaks": ["a"]}]
      """)
    // Absent: the area has its default, the others stay.
    try await atlas.load(#"[{"alpha_2": "DE", "name": "Germany"}]"#)
    #expect(try await atlas.land("DE") == "Germany 1.0 [] (a) Bonn")
    try await atlas.load(
      #"[{"alpha_2": "DE", "name": "Germany", "population": null, "capital": null, "speaks": null}]"#
    )
    #expect(try await atlas.land("DE") == "Germany 1.0 [] () -")
    #expect(try await atlas.read { try Land.findFirst(in: $0)?.population } == .some(nil))
  }

  @Test func aRecordIsRefusedAsAWhole() async throws {
    let atlas = try Atlas()
    let report = try await atlas.load(
      """
      [{"alpha_2": "AA", "name": "A", "statistics": {"area": "n/a"}},
       {"name": "B"},
       {"alpha_2": null, "name": "B"},
       {"alpha_2": "CC", "name": "C", "subdivisions": [{"code": "c1"}, {"name": "c2"}]},
       {"alpha_2": "DD", "name": "abcdefghijklmnopqrstuvwxyz"},
       {"alpha_2": "EE"},
       {"alpha_2": "FF", "name": "F", "capital": {"name": "Fa"}},
       {"alpha_2": "GG", "name": "G", "capital": ["x"]},
       7,
       {"alpha_2": "HH", "name": "H"}]
      """)
    #expect(report.created == 1)
    #expect(report.refused == 9)
    #expect(
      report.problems.map(\.description) == [
        #"/0/statistics/area: "n/a" is not a number"#,
        #"/1: the record has no key: "alpha_2" is missing, so that nobody knows which Land it is"#,
        #"/2: the record has no key: "alpha_2" is null, so that nobody knows which Land it is"#,
        #"/3/subdivisions/1: the record has no key: "code" is missing, so that nobody knows which Province it is"#,
        "/4/name: Land.name must have at most 20 UTF-16 units",
        "/5: Land.name is required, and the record has none",
        "/6/capital: Town.mayor is required, and the record has none",
        "/7/capital: an array stands where one object belongs",
        "/8: 7 is not an object",
      ])
    #expect(try await atlas.count(Land.self) == 1)
    #expect(try await atlas.count(Province.self) == 0)
  }

  @Test func forwardReferencesFindTheirObjects() async throws {
    let atlas = try Atlas()
    let report = try await atlas.load(
      """
      [{"code": "a", "parent": "b"}, {"code": "b", "name": "B", "parent": "c"}, {"code": "c", "name": 7},
       {"code": "d", "parent": "zz"}]
      """, as: Province.self)
    #expect(
      report.problems.map(\.description) == [
        "/2/name: 7 is not a text",
        #"/1/parent: the record with Province.code "c" was refused"#,
      ])
    let parents = try await atlas.read { context in
      try Province.findAll(sortedBy: \.code, in: context).map {
        "\($0.code)>\($0.parent?.code ?? "-")"
      }
    }
    #expect(parents == ["a>b", "b>-", "d>zz", "zz>-"])
  }

  @Test func unknownKeysAreLeftOutOrRefused() async throws {
    for unknown in [ImportUnknown.skip, .refuse] {
      let atlas = try Atlas()
      let mapping = ImportMapping(relationships: ["parent": .init(unknown: unknown)])
      let report = try await atlas.load(
        #"[{"code": "a", "parent": "b"}, {"code": "b", "parent": "x"}, {"code": "c", "parent": "a"}]"#,
        as: Province.self, ImportOptions(mappings: ["Province": mapping]))
      let parents = try await atlas.read { context in
        try Province.findAll(sortedBy: \.code, in: context).map {
          "\($0.code)>\($0.parent?.code ?? "-")"
        }
      }
      let problems = report.problems.map(\.description)
      if unknown == .skip {
        #expect(parents == ["a>b", "b>-", "c>a"])
        #expect(problems == [#"/1/parent: nothing has Province.code "x""#])
      } else {
        #expect(parents == ["a>-", "c>a"])
        #expect(
          problems == [
            #"/1/parent: nothing has Province.code "x""#,
            #"/0/parent: the record with Province.code "b" was refused"#,
          ])
      }
    }
  }

  @Test func recordsWithoutKeyAreNewObjects() async throws {
    let atlas = try Atlas()
    let json = #"[{"text": "a"}, {"text": "a"}, {}]"#
    #expect(try await atlas.load(json, as: Note.self).created == 3)
    #expect(try await atlas.load(json, as: Note.self).created == 3)
    #expect(try await atlas.count(Note.self) == 6)
  }

  @Test func anImportThatMeetsAFullDiskIsToBeRunAgain() async throws {
    let directory = try TemporaryDirectory()
    var configuration = StackConfiguration()
    configuration.maxPageCount = 40
    let stack = try Stack(
      storeURL: directory.file("notes.sqlite"), model: ManagedObjectModel(Note.self),
      configuration: configuration)
    let record = #"{"text": "\#(String(repeating: "x", count: 5_000))"}"#
    let json = "[\(Array(repeating: record, count: 100).joined(separator: ", "))]"
    let error = await #expect(throws: CauldronError.self) {
      try await stack.importJSON(Data(json.utf8), as: Note.self)
    }
    #expect(error?.code == .storeDiskFull)
    #expect(error?.hint == "This save has written nothing; free some space and import again.")
  }

  @Test func aPreviewChangesNothing() async throws {
    let atlas = try Atlas(inFile: true)
    try await atlas.load(#"[{"alpha_2": "DE", "name": "Germany"}]"#)
    let before = try Data(contentsOf: #require(atlas.directory).file("atlas.sqlite-wal"))
    let report = try await atlas.stack.planImport(
      of: Data(
        #"""
        [{"alpha_2": "DE", "name": "D", "speaks": ["a"]}, {"alpha_2": "FR", "name": "F"}, {"name": "x"}]
        """#.utf8), as: Land.self)
    #expect(report.created == 1 && report.updated == 1 && report.refused == 1)
    let after = try Data(contentsOf: #require(atlas.directory).file("atlas.sqlite-wal"))
    #expect(before == after)
    #expect(try await atlas.count(Land.self) == 1)
  }

  @Test func hooksRunInTheirOrder() async throws {
    let atlas = try Atlas()
    let report = try await atlas.load(
      """
      [{"id": 1, "name": "a", "size": 13, "boss": {"id": 2, "name": "shout", "size": 7}},
       {"id": 3, "skip": true}, {"id": 4, "throws": "will"},
       {"id": 5, "throws": "did", "boss": {"id": 6}, "friends": [1]},
       {"id": 7, "boss": {"id": 8, "skip": true}}]
      """, as: Watched.self)
    #expect(
      report.problems.map(\.description) == [
        "/2: willImport(_:) of Watched throws Refused",
        "/3: didImport(_:) of Watched throws Refused",
      ])
    let found = try await atlas.read { context in
      try Watched.findAll(sortedBy: \.id, in: context).map {
        "\($0.id) \($0.name ?? "-") \($0.size ?? 0): \($0.calls)| \($0.friends.count) \($0.boss?.id ?? 0)"
      }
    }
    #expect(
      found == [
        "1 a 0: should will name(a) did(boss) | 0 2",
        "2 SHOUT 7: should will name(shout) did(-) | 0 0",
        "7 - 0: should will did(-) | 0 0",
      ])
    #expect(report.declined == 1)
  }

  @Test func swiftValuesAreImported() async throws {
    let atlas = try Atlas()
    let context = ManagedObjectContext.contextWithParent(atlas.stack.rootSavingContext)
    let names = try await context.perform { context in
      let lands = try Land.importFrom(
        [
          [
            "alpha_2": "DE", "name": "Germany", "updated": Date.now,
            "population": NSNumber(value: 3),
          ],
          ["name": "x"], ["alpha_2": "FR", "name": "France", "speaks": ["a", "b"]],
        ], in: context)
      return lands.map { "\($0.name) \($0.population ?? 0) \($0.updated != nil) \($0.isInserted)" }
    }
    #expect(names == ["Germany 3 true true", "France 0 false true"])
    #expect(try await atlas.count(Land.self) == 0)
    try await context.save(toPersistentStore: true)
    #expect(try await atlas.count(Land.self) == 2)
    struct Row: Encodable, Sendable {
      enum CodingKeys: String, CodingKey {
        case code = "alpha_2"
        case name, updated
      }
      let code: String
      let name: String
      let updated: Date?
    }
    let rows = [Row(code: "IT", name: "Italy", updated: .now)]
    let count = try await context.perform { try Land.importFrom(rows, in: $0).count }
    #expect(count == 1)
  }

  @Test func manyRecordsAreSavedInSteps() async throws {
    let atlas = try Atlas()
    let json =
      "["
      + (0..<3_000).map { #"{"code": "p\#($0)", "parent": "p\#(($0 * 7) % 3_000)"}"# }
      .joined(separator: ",") + "]"
    let report = try await atlas.load(json, as: Province.self, ImportOptions(commitEvery: 700))
    #expect(report.records == 3_000)
    #expect(report.committed == 3_000)
    #expect(report.problemCount == 0)
    #expect(try await atlas.count(Province.self) == 3_000)
    let again = try await atlas.load(json, as: Province.self)
    #expect(again.unchanged == 3_000)
  }
}
