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
    #expect(report.unread == ["Province.titel", "Land.nmae", "Land.flag"])
    #expect(report.description == "2 lands: 2 created, 1 province created")
  }

  @Test func `names of records that are known are not among them`() async throws {
    let report = try await Atlas().load(#"[{"text": "a", "kind": null}]"#, as: Note.self)
    #expect(report.unread.isEmpty)
  }

  @Test func `only the first hundred objects are looked at`() async throws {
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
    let remedy = #"Import what is under "notes" with root: "notes""#
    #expect(report.problems.first?.reason.hasSuffix(remedy) == true)
    #expect(try await Atlas().load(json, as: Note.self, root: "notes").created == 2)
  }

  @Test func `an object that only lacks all values is a record`() async throws {
    let atlas = try Atlas()
    for json in ["{}", #"{"text": null}"#, #"{"other": 1}"#, #"[{"list": [1]}]"#] {
      #expect(try await atlas.load(json, as: Note.self).created == 1, "\(json)")
    }
  }
}
