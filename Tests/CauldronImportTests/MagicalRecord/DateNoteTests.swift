import Cauldron
import Foundation
import Testing

/// How dates are written is noted, too.
@Suite struct DateNoteTests {
  /// What a date becomes, in seconds since 1970, or why the record is refused.
  private func date(_ value: String, _ notes: [String: String] = [:]) async throws -> String {
    let desk = try Desk(Editor.entity("Visit", Editor.attribute("day", .date, notes)))
    let report = try await desk.load(#"[{"day": \#(value)}]"#, as: "Visit")
    return try await desk.rows("Visit", "day").first ?? report.complaints.joined()
  }

  @Test(
    arguments: [
      "2011-07-23T22:30:40Z", "2011-07-23T22:30:40GMT", "2011-07-23T22:30:40+00:00",
      "2011-07-24T00:30:40+0200", "2011-07-24T00:30:40+02:00", "2011-07-23T22:30:40.000Z",
    ])
  func `where nothing is noted, a text has a date, a time and a zone`(text: String) async throws {
    #expect(try await date("\"\(text)\"") == "1311460240.0")
  }

  @Test func `where nothing is noted, a number is seconds`() async throws {
    #expect(try await date("1388349428") == "1388349428.0")
  }

  @Test func `a pattern is read in UTC, and numbers are seconds still`() async throws {
    let notes = ["dateFormat": "d.M.yyyy H-mm"]
    #expect(try await date(#""5.8.2011 1-56""#, notes) == "1312509360.0")
    #expect(try await date("1312509360", notes) == "1312509360.0")
  }

  @Test func `UnixTime makes numbers milliseconds`() async throws {
    #expect(try await date("1388349427543", ["dateFormat": "UnixTime"]) == "1388349427.543")
  }

  @Test func `numbered patterns are tried in their order`() async throws {
    let notes = ["dateFormat": "d.M.yyyy", "dateFormat.1": "yyyy/M/d", "dateFormat.3": "d MMMM"]
    #expect(try await date(#""5.8.2011""#, notes) == "1312502400.0")
    #expect(try await date(#""2011/8/5""#, notes) == "1312502400.0")
    #expect(
      try await date(#""5 August""#, notes)
        == #"/0/day: "5 August" is not a date, as d.M.yyyy"#)
  }

  @Test func `null is nil`() async throws { #expect(try await date("null") == "-") }

  @Test(arguments: ["2011-07-23", "2011", "1311460240", "0x10", "soon", "<null>", ""])
  func `what cannot be read is refused, and never nil`(text: String) async throws {
    let notes = ["dateFormat": "d.M.yyyy"]
    #expect(
      try await date("\"\(text)\"", notes) == "/0/day: \"\(text)\" is not a date, as d.M.yyyy")
  }

  @Test(arguments: ["2011", "1311460240", "soon", "2011-07-23T22:30:40"])
  func `a text that is no date by default is none by chance`(text: String) async throws {
    #expect(
      try await date("\"\(text)\"")
        == "/0/day: \"\(text)\" is not a date, as 2026-11-24T08:00:00Z")
  }

  @Test func `a text where milliseconds belong is milliseconds, or refused`() async throws {
    let notes = ["dateFormat": "UnixTime"]
    #expect(try await date(#""1388349427543""#, notes) == "1388349427.543")
    #expect(
      try await date(#""0x10""#, notes)
        == #"/0/day: "0x10" is not a date, as milliseconds since 1970"#)
  }
}
