import Cauldron
import Foundation
import TestSupport
import Testing

/// Names in records that no property is imported from.
@Suite struct UnreadNameTests {
  @Test func `the report has the names that nothing is imported from, each once`() async throws {
    let report = try await Atlas().load(
      """
      [{"alpha_2": "DE", "name": "Germany", "nmae": "Germany", "statistics": {"aera": 1},
        "subdivisions": [{"code": "DE-BE", "titel": "Berlin"}]},
       {"alpha_2": "FR", "name": "France", "nmae": "France", "flag": "🇫🇷"}]
      """)
    #expect(report.unread == ["Land.nmae", "Province.titel", "Land.flag"])
    #expect(report.description == "2 lands: 2 created, 1 province created")
  }

  @Test func `names of records that are known are not among them`() async throws {
    let report = try await Atlas().load(#"[{"text": "a", "kind": null}]"#, as: Note.self)
    #expect(report.unread.isEmpty)
  }

  @Test func `only the first hundred records are looked at`() async throws {
    let records = (0..<200).map { #"{"text": "a", "\#($0 < 100 ? "early" : "late")": 1}"# }
    let report = try await Atlas().load("[\(records.joined(separator: ","))]", as: Note.self)
    #expect(report.unread == ["Note.early"])
    #expect(report.created == 200)
  }

  @Test func `records under a name are refused without a root, and the name is told`() async throws
  {
    let json = #"{"total": 2, "notes": [{"text": "a"}, {"text": "b"}]}"#
    let report = try await Atlas().load(json, as: Note.self)
    #expect(report.created == 0)
    #expect(report.problems.map(\.code) == [.importRoot])
    #expect(report.problems.first?.reason.contains(#"name "notes", which has a list"#) == true)
    #expect(try await Atlas().load(json, as: Note.self, root: "notes").created == 2)
  }

  @Test func `an object that only lacks all values is a record`() async throws {
    let atlas = try Atlas()
    let records = [
      "{}", #"{"text": null}"#, #"{"other": 1}"#, #"{"list": [1]}"#, #"{"list": []}"#,
      #"[{"notes": [{"text": "a"}]}]"#, #"{"text": null, "notes": [{"text": "a"}]}"#,
    ]
    for json in records {
      #expect(try await atlas.load(json, as: Note.self).created == 1, "\(json)")
    }
  }

  @Test func `the list of objects is named, and of a class with a key, too`() async throws {
    let json = #"{"errors": [], "codes": [1], "lands": [{"alpha_2": "DE", "name": "Germany"}]}"#
    let report = try await Atlas().load(json)
    #expect(report.problems.map(\.code) == [.importRoot])
    #expect(report.problems.first?.reason.contains(#""lands""#) == true)
  }

  @Test func `names of refused records are among them`() async throws {
    let report = try await Atlas().load(#"[{"alpha2": "DE", "name": "Germany"}]"#)
    #expect(report.refused == 1 && report.unread == ["Land.alpha2"])
  }
}
