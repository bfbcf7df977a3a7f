import Cauldron
import Foundation
import Testing

/// What is noted of relationships says where their objects are.
@Suite struct RelationshipNoteTests {
  private func desk(_ notes: [String: String]) throws -> Desk {
    try Desk(
      Editor.entity(
        "Engine", Editor.attribute("engineID", .integer32), Editor.attribute("power", .integer32),
        Editor.back("cars", "Car", "engine"), Editor.back("users", "Car", "spares")),
      Editor.entity(
        "Car",
        Editor.one("engine", "Engine", "cars", notes),
        Editor.many("spares", "Engine", "users", notes)))
  }

  /// The engines of cars, and their spares.
  private func engines(_ notes: [String: String], _ json: String) async throws -> [String] {
    let desk = try desk(notes)
    let report = try await desk.load(json, as: "Car")
    #expect(report.problemCount == 0)
    return try await desk.rows("Car", "engine.engineID", "spares.engineID")
  }

  @Test func `a mapped name stands for the relationship's own, which is not tried`() async throws {
    let json = #"[{"motor": 1, "engine": 2, "spares": 2}, {"engine": 3, "spares": [3]}]"#
    #expect(try await engines(["mappedKeyName": "motor"], json) == ["- []", "1 [1]"])
  }

  @Test func `a mapped name leads into objects`() async throws {
    let json = #"[{"under": {"hood": {"engineID": 1, "power": 2}}}]"#
    #expect(try await engines(["mappedKeyName": "under.hood"], json) == ["1 [1]"])
  }

  @Test func `numbered names count for relationships, too`() async throws {
    let notes = ["mappedKeyName": "a", "mappedKeyName.1": "b", "mappedKeyName.2": "c.d"]
    let json = #"[{"c": {"d": 3}}, {"c": {"d": 3}, "b": 2}, {"b": 2, "a": 1}, {"engine": 9}]"#
    #expect(try await engines(notes, json) == ["- []", "1 [1]", "2 [2]", "3 [3]"])
  }

  @Test func `null ends the search`() async throws {
    let notes = ["mappedKeyName": "a", "mappedKeyName.1": "b"]
    #expect(try await engines(notes, #"[{"a": null, "b": 1}]"#) == ["- []"])
  }

  @Test func `numbered names alone come behind the relationship's own`() async throws {
    let desk = try desk(["mappedKeyName.1": "motor"])
    try await desk.load(#"[{"engine": 1, "motor": 2}, {"motor": 3}]"#, as: "Car")
    #expect(try await desk.rows("Car", "engine.engineID") == ["1", "3"])
  }

  @Test func `what is excluded stays as it is`() async throws {
    let json = #"[{"engine": 1, "spares": [2]}]"#
    #expect(try await engines(["excludeFromImport": "YES"], json) == ["- []"])
  }
}
