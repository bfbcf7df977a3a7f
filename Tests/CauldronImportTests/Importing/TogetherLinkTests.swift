import Cauldron
import Foundation
import TestSupport
import Testing

/// Links to objects that are found by several attributes together, and their way back into records.
@Suite(.againstHanging) struct TogetherLinkTests {
  private func parties(_ hall: Hall) async throws -> [String] {
    try await hall.all(Party.self) { party in
      let places = party.places.map(\.text).sorted().joined(separator: ", ")
      return "\(party.name) [\(places)] \(party.head?.text ?? "-") \(party.side?.text ?? "-")"
    }
  }

  private func options(_ name: String, _ relationship: RelationshipImport) -> ImportOptions {
    .relationship("Party", name, relationship)
  }

  @Test(arguments: [false, true])
  func `nested objects are found by all parts`(inFile: Bool) async throws {
    let hall = try Hall(inFile: inFile)
    try await hall.load(
      #"[{"rank": "a", "number": 1, "guest": "x"}, {"rank": "b", "number": 1, "guest": "y"}]"#)
    let json = """
      [{"name": "p", "head": {"rank": "a", "number": 1, "guest": "jack"},
        "places": [{"rank": "b", "number": 1}, {"rank": "b", "number": 2, "guest": "jill"},
                   {"number": 1, "rank": "a"}]},
       {"name": "q", "head": {"rank": "b", "number": 2}}]
      """
    let report = try await hall.load(json, as: Party.self)
    #expect(report.created == 2 && report.problemCount == 0 && report.warnings.isEmpty, "\(report)")
    #expect(report.related["Place"]?.created == 1 && report.related["Place"]?.updated == 1)
    #expect(
      try await parties(hall) == ["p [a1 jack, b1 y, b2 jill] a1 jack -", "q [] b2 jill -"])
    #expect(try await hall.load(json, as: Party.self).isUnchanged)
    let less = try await hall.load(
      #"[{"name": "p", "places": [{"rank": "b", "number": 2}]}]"#, as: Party.self)
    #expect(less.updated == 1)
    #expect(try await parties(hall).first == "p [b2 jill] a1 jack -")
  }

  @Test func `a nested object without one of the parts refuses its record`() async throws {
    let hall = try Hall()
    let report = try await hall.load(
      #"[{"name": "p", "head": {"rank": "a"}}, {"name": "q", "head": 5}, {"name": "r", "head": null}]"#,
      as: Party.self)
    #expect(
      report.problems.map(\.description) == [
        #"/0/head: the record has no key: "number" is missing, and a Place is found by "rank" and "#
          + #""number" together"#,
        #"/1/head: 5 refers to a Place, which is found by "rank" and "number" together; write an"#
          + " object with these",
      ])
    #expect(try await parties(hall) == ["r [] - -"])
  }

  @Test func `a link waits for the record with all parts, and names them where none comes`()
    async throws
  {
    let hall = try Hall()
    let json = """
      [{"name": "p", "places": [{"rank": "a", "number": 1}, {"rank": "a", "number": 2}]}]
      """
    let report = try await hall.load(
      json, as: Party.self,
      options("places", RelationshipImport(members: .linkOnly, unknown: .skip)))
    #expect(
      report.problems.map(\.description) == [
        #"/0/places/0: nothing has Place.rank "a" and number 1"#,
        #"/0/places/1: nothing has Place.rank "a" and number 2"#,
      ])
    let refused = try await hall.load(
      #"[{"name": "q", "head": {"rank": "z", "number": 1}}]"#, as: Party.self,
      options("head", RelationshipImport(members: .linkOnly, unknown: .refuse)))
    #expect(
      refused.problems.map(\.description) == [#"/0/head: nothing has Place.rank "z" and number 1"#])
    #expect(try await parties(hall) == ["p [] - -"])
  }

  @Test func `links to records behind them, and to refused ones, name all parts`() async throws {
    let hall = try Hall()
    let mappings = [
      "Place": ImportMapping(relationships: ["party": RelationshipImport(from: ["party"])]),
      "Party": ImportMapping(relationships: ["head": RelationshipImport(members: .linkOnly)]),
    ]
    let report = try await hall.load(
      """
      [{"rank": "c", "number": 1, "party": {"name": "r", "head": {"rank": "c", "number": 2}}},
       {"rank": "c", "number": 2, "guest": "jack"},
       {"rank": "c", "number": 3, "party": {"name": "s", "head": {"rank": "c", "number": 4}}},
       {"rank": "c", "number": 4, "guest": 7}]
      """, as: Place.self, ImportOptions(mappings: mappings))
    #expect(
      report.problems.map(\.description) == [
        "/3/guest: 7 is not a text",
        #"/2/party/head: the record with Place.rank "c" and number 4 was refused"#,
      ])
    #expect(try await parties(hall) == ["r [c1 -] c2 jack -", "s [c3 -] - -"])
  }

  @Test func `an object of a subentity with its own key is linked by the parts, too`() async throws
  {
    let hall = try Hall()
    let mappings = [
      "Lodge": ImportMapping(
        key: "label", relationships: ["party": RelationshipImport(from: ["party"])]),
      "Party": ImportMapping(relationships: [
        "head": RelationshipImport(members: .linkOnly, unknown: .skip)
      ]),
    ]
    let options = ImportOptions(mappings: mappings)
    let report = try await hall.load(
      """
      [{"label": "x", "rank": "a", "number": 1, "party": {"name": "p", "head": {"rank": "a", "number": 1}}},
       {"label": "y", "rank": "a", "number": 2, "party": {"name": "q", "head": {"rank": "b", "number": 1}}},
       {"label": "z", "rank": "b", "number": 1},
       {"label": "x", "number": 3},
       {"label": "v", "rank": "a", "number": 1, "party": {"name": "r", "head": {"rank": "a", "number": 3}}}]
      """, as: Lodge.self, options)
    #expect(report.problemCount == 0, "\(report)")
    #expect(
      try await parties(hall) == [
        "p [a3 -] a3 - -", "q [a2 -] b1 - -", "r [a1 -] a3 - -",
      ])
    let twice = try await hall.load(
      #"[{"label": "w", "rank": "a", "number": 1}]"#, as: Lodge.self, options)
    #expect(
      twice.problems.map(\.reason) == [
        #"Lodge.rank, number must be unique together, and another has "a", 1"#
      ])
  }

  @Test func `an object of another entity with all parts refuses its record`() async throws {
    let hall = try Hall()
    try await hall.load(#"[{"rank": "a", "number": 1}]"#)
    let report = try await hall.load(
      #"[{"rank": "a", "number": 1, "label": "x"}]"#, as: Lodge.self,
      ImportOptions(mappings: ["Lodge": ImportMapping(key: "label")]))
    #expect(report.refused == 1 && report.problems.map(\.code) == [.saveConstraint], "\(report)")
    #expect(try await hall.places() == ["a1 -"])
  }

  @Test func `a relationship that finds objects by one of the parts sees new ones`() async throws {
    let hall = try Hall()
    let report = try await hall.load(
      """
      [{"name": "p", "side": "b"}, {"name": "q", "head": {"rank": "b", "number": 1}},
       {"name": "r", "side": "b"}, {"name": "s", "head": {"rank": "b", "number": 2}},
       {"name": "t", "side": "b"}]
      """, as: Party.self,
      options("side", RelationshipImport(match: "rank", unknown: .skip)))
    #expect(report.problems.map(\.description) == ["/4/side: two objects of Place have rank \"b\""])
    #expect(
      try await parties(hall) == [
        "p [] - b1 -", "q [] b1 - -", "r [] - b1 -", "s [] b2 - -",
      ])
  }

  @Test(arguments: [1, 2])
  func `what is exported names objects by all parts, and comes back`(depth: Int) async throws {
    let hall = try Hall()
    let json = """
      [{"name": "p", "head": {"rank": "b", "number": 2, "guest": "jill"},
        "places": [{"rank": "b", "number": 1}, {"rank": "a", "number": 10}]}]
      """
    try await hall.load(json, as: Party.self)
    let text = try await hall.stack.save { context in
      try Party.findAll(in: context).exportJSON(depth: depth)
    }
    let guest = depth == 1 ? "" : #","guest":null"#
    #expect(
      text
        == #"[{"name":"p","places":[{"rank":"a","number":10\#(guest)},{"rank":"b","number":1\#(guest)}],"#
        + #""head":{"rank":"b","number":2\#(depth == 1 ? "" : #","guest":"jill""#)}}]"#)
    let back = try await hall.load(text, as: Party.self)
    #expect(back.unchanged == 1 && back.isUnchanged, "\(back)")
    let other = try Hall()
    #expect(try await other.load(text, as: Party.self).created == 1)
    #expect(try await other.places().count == 3)
  }

  @Test func `a key is not written where reading it would reset the object`() async throws {
    let hall = try Hall()
    try await hall.load(
      #"[{"name": "p", "head": {"rank": "b", "number": 2, "guest": "jill"}}]"#, as: Party.self)
    let mappings = ["Place": ImportMapping(attributes: ["guest": AttributeImport(absent: .setNil)])]
    let message = try await hall.stack.save { context in
      do {
        return try Party.findAll(in: context).exportJSON(options: ImportOptions(mappings: mappings))
      } catch let error as CauldronError { return error.message }
    }
    #expect(
      message
        == "Cannot export Party.head: a record that has nothing but the key would reset Place.guest."
    )
  }
}
