import Cauldron
import Foundation
import TestSupport
import Testing

/// Attributes that are unique together say which object a record is, where none does alone.
@Suite(.againstHanging) struct TogetherTests {
  @Test(arguments: [false, true])
  func `a record finds the object that has all parts of its key`(inFile: Bool) async throws {
    let hall = try Hall(inFile: inFile)
    let first = try await hall.load(
      #"[{"rank": "a", "number": 1, "guest": "jack"}, {"rank": "a", "number": 2, "guest": "jill"}]"#
    )
    #expect(first.created == 2 && first.warnings.isEmpty, "\(first.warnings)")
    let second = try await hall.load(
      #"[{"rank": "a", "number": 2, "guest": "joe"}, {"rank": "b", "number": 1, "guest": "jane"}]"#)
    #expect(second.created == 1 && second.updated == 1 && second.warnings.isEmpty, "\(second)")
    #expect(try await hall.places() == ["a1 jack", "a2 joe", "b1 jane"])
    let plan = try await hall.stack.planImport(
      of: Data(#"[{"rank": "a", "number": 1, "guest": "x"}, {"rank": "c", "number": 1}]"#.utf8),
      as: Place.self)
    #expect(plan.created == 1 && plan.updated == 1, "\(plan)")
    let third = try await hall.load(#"[{"number": 2, "rank": "a", "guest": "joe"}]"#)
    #expect(third.unchanged == 1 && third.isUnchanged, "\(third)")
  }

  @Test func `two records with the same parts are one object`() async throws {
    let hall = try Hall()
    let report = try await hall.load(
      """
      [{"rank": "a", "number": 1, "guest": "jack"}, {"rank": "a", "number": 2},
       {"rank": "a", "number": 1, "guest": "jill"}]
      """)
    #expect(report.created == 2 && report.updated == 1 && report.problemCount == 0, "\(report)")
    #expect(try await hall.places() == ["a1 jill", "a2 -"])
  }

  @Test func `a record without one of the parts is refused, and all parts are named`() async throws
  {
    let hall = try Hall()
    let report = try await hall.load(
      #"[{"rank": "a"}, {"rank": null, "number": 1}, {"guest": "x"}, {"rank": 1, "number": 1}]"#)
    let together = #", and a Place is found by "rank" and "number" together"#
    #expect(
      report.problems.map(\.description) == [
        #"/0: the record has no key: "number" is missing"# + together,
        #"/1: the record has no key: "rank" is null"# + together,
        #"/2: the record has no key: "rank" is missing"# + together, "/3/rank: 1 is not a text",
      ])
    #expect(
      report.problems.map(\.code) == [
        .importMissingKey, .importMissingKey, .importMissingKey, .importValue,
      ])
    #expect(try await hall.places().isEmpty)
  }

  @Test func `an object that lacks one of the parts is never found`() async throws {
    let hall = try Hall()
    try await hall.stack.save { context in
      for guest in ["x", "y"] {
        let place = Place.create(in: context)
        (place.rank, place.guest) = ("a", guest)
      }
    }
    let report = try await hall.load(#"[{"rank": "a", "number": 1, "guest": "jack"}]"#)
    #expect(report.created == 1)
    #expect(try await hall.places() == ["a- x", "a- y", "a1 jack"])
  }

  @Test(arguments: [false, true])
  func `texts that differ only in their form are different parts`(inFile: Bool) async throws {
    let hall = try Hall(inFile: inFile)
    let json = """
      [{"rank": "\u{E9}", "number": 1, "guest": "one"}, {"rank": "e\u{301}", "number": 1, "guest": "two"},
       {"rank": "A", "number": 1, "guest": "three"}, {"rank": "a", "number": 1, "guest": "four"}]
      """
    #expect(try await hall.load(json).created == 4)
    #expect(try await hall.load(json).unchanged == 4)
  }

  @Test(arguments: [false, true])
  func `the parts may be dates, UUIDs, decimals, enumerations and integers`(inFile: Bool)
    async throws
  {
    let hall = try Hall(inFile: inFile)
    let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    func json(_ value: Int, depth: String = "1.50", kind: String = "rain") -> String {
      #"[{"day": "2026-11-28", "device": "\#(id)", "depth": \#(depth), "kind": "\#(kind)", "#
        + #""place": {"site": 7}, "value": \#(value)}]"#
    }
    #expect(try await hall.load(json(1), as: Gauge.self).created == 1)
    #expect(try await hall.load(json(2, depth: "1.5"), as: Gauge.self).updated == 1)
    #expect(try await hall.load(json(3, depth: "15e-1"), as: Gauge.self).updated == 1)
    #expect(try await hall.load(json(4, kind: "heat"), as: Gauge.self).created == 1)
    #expect(try await hall.load(json(5, depth: "2"), as: Gauge.self).created == 1)
    #expect(
      try await hall.all(Gauge.self) { "\($0.kind?.rawValue ?? "-") \($0.depth) \($0.value ?? 0)" }
        == ["heat 1.5 4.0", "rain 1.5 3.0", "rain 2 5.0"])
    let missing = try await hall.load(#"[{"day": "2026-11-28"}]"#, as: Gauge.self)
    #expect(
      missing.problems.first?.reason.hasSuffix(
        #""device" is missing, and a Gauge is found by "day", "device", "depth", "kind" and"#
          + #" "place.site" together"#) == true)
  }

  @Test func `records that stand on lines or have names are found by all parts`() async throws {
    let hall = try Hall(inFile: true)
    let lines = """
      {"rank": "a", "number": 1, "guest": "jack"}
      {"rank": "a", "number": 2}
      {"rank": "a", "number": 1, "guest": "jill"}
      """
    let options = ImportOptions(records: .lines())
    let report = try await hall.load(lines, options)
    #expect(report.created == 2 && report.updated == 1)
    #expect(
      try await hall.load(#"{"rank": "a", "number": 2, "guest": "joe"}"#, options).updated == 1)
    let named = try await hall.load(
      #"{"3": {"rank": "a"}, "2": {"rank": "a", "guest": "jane"}}"#,
      ImportOptions(records: .object(namesAs: "number")))
    #expect(named.created == 1 && named.updated == 1, "\(named)")
    #expect(try await hall.places() == ["a1 jill", "a2 jane", "a3 -"])
  }

  @Test(arguments: [false, true])
  func `many combinations of the parts are found, and nothing else`(inFile: Bool) async throws {
    let hall = try Hall(inFile: inFile)
    func records(_ numbers: Range<Int>, _ shift: Int, _ guest: String) -> String {
      list(
        numbers.map {
          #"{"rank": "r\#($0 % 89)", "number": \#(($0 + shift) % 97), "guest": "\#(guest)"}"#
        })
    }
    #expect(try await hall.load(records(0..<700, 0, "x")).created == 700)
    let mixed = try await hall.load(records(0..<700, 1, "y"))
    let both = Set((0..<700).map { [$0 % 89, $0 % 97] })
      .intersection((0..<700).map { [$0 % 89, ($0 + 1) % 97] }).count
    #expect(mixed.updated == both && mixed.created == 700 - both, "\(mixed)")
    #expect(try await hall.load(records(0..<700, 0, "z")).updated == 700)
  }

  @Test func `steps of an import find what earlier ones have saved`() async throws {
    let hall = try Hall(inFile: true)
    let records = (0..<40).map { #"{"rank": "\#($0 % 5)", "number": \#($0 % 4), "guest": "g"}"# }
    let report = try await hall.load(list(records), ImportOptions(commitEvery: 7))
    #expect(report.created == 20 && report.unchanged == 20, "\(report)")
    #expect(try await hall.places().count == 20)
  }
}
