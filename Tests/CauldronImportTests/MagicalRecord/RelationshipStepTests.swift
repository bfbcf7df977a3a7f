import Cauldron
import Foundation
import Testing

/// How a relationship finds its objects, step by step.
@Suite struct RelationshipStepTests {
  private let desk: Desk

  init() throws {
    desk = try Desk(
      Editor.entity(
        "Song", Editor.attribute("songID", .integer32, ["mappedKeyName": "no"]),
        Editor.attribute("title"), Editor.back("lists", "List", "songs"),
        Editor.back("hits", "List", "best"), Editor.back("rows", "List", "order")),
      Editor.entity(
        "List", Editor.attribute("listID", .integer32), Editor.one("best", "Song", "hits"),
        Editor.many("songs", "Song", "lists"),
        Editor.many("order", "Song", "rows", isOrdered: true),
        Editor.many("labels", "Label", "list")),
      Editor.entity("Label", Editor.attribute("text"), Editor.one("list", "List", "labels")))
  }

  @discardableResult
  private func load(_ json: String) async throws -> [String] {
    try await desk.load("[\(json)]", as: "List").complaints
  }

  private func songs() async throws -> [String] {
    try await desk.rows("List", "best.songID", "songs.songID")
  }

  @Test func `what is absent stays, and null empties`() async throws {
    try await load(#"{"listID": 1, "best": 5, "songs": [5, 6]}"#)
    try await load(#"{"listID": 1}"#)
    #expect(try await songs() == ["5 [5 6]"])
    try await load(#"{"listID": 1, "best": null, "songs": null}"#)
    #expect(try await songs() == ["- []"])
  }

  @Test func `one object alone can stand where many may`() async throws {
    try await load(#"{"listID": 1, "songs": {"no": 5, "title": "a"}}"#)
    try await load(#"{"listID": 1, "songs": 6}"#)
    #expect(try await songs() == ["- [5 6]"])
  }

  @Test func `members that are not listed stay`() async throws {
    try await load(#"{"listID": 1, "songs": [5]}"#)
    try await load(#"{"listID": 1, "songs": [6, {"no": 7}]}"#)
    #expect(try await songs() == ["- [5 6 7]"])
  }

  @Test func `a record is found by its key under the name of that, and changed`() async throws {
    try await desk.load(#"[{"no": 5, "title": "a"}]"#, as: "Song")
    try await load(#"{"listID": 1, "best": {"no": 5, "title": "b"}, "songs": [5]}"#)
    #expect(try await desk.rows("Song", "songID", "title") == ["5 b"])
    #expect(try await songs() == ["5 [5]"])
  }

  @Test func `a key that nothing has makes an object with that key`() async throws {
    let report = try await desk.load(#"[{"listID": 1, "best": 5, "songs": [6]}]"#, as: "List")
    #expect(report.related["Song"]?.created == 2)
    #expect(try await desk.rows("Song", "songID", "title") == ["5 -", "6 -"])
  }

  @Test func `an ordered relationship keeps the order of the file`() async throws {
    try await load(#"{"listID": 1, "order": [7, 5, 6]}"#)
    let numbers = try await desk.stack.save { context in
      let lists = try context.fetch(FetchRequest<ManagedObject>(entityName: "List"))
      let songs = lists.first?.value(forKey: "order") as? [ManagedObject] ?? []
      return songs.map { $0.value(forKey: "songID").map { "\($0)" } ?? "-" }
    }
    #expect(numbers == ["7", "5", "6"])
  }

  @Test func `an array where one object belongs is refused`() async throws {
    #expect(
      try await load(#"{"listID": 1, "best": [5]}"#) == [
        "/0/best: an array stands where one object belongs"
      ])
    #expect(try await songs() == [])
  }

  @Test func `arrays in arrays, and null among members, are refused`() async throws {
    #expect(
      try await load(#"{"listID": 1, "songs": [5, [6, 7]]}, {"listID": 2, "songs": [null]}"#) == [
        "/0/songs/1: an array stands where one object belongs", "/1/songs/0: null is no object",
      ])
    #expect(try await desk.rows("Song") == [])
  }

  @Test func `a key where nothing is found by keys is refused`() async throws {
    #expect(
      try await load(#"{"listID": 1, "labels": ["x"]}"#) == [
        #"/0/labels/0: "x" refers to a Label, which has no key to be found by"#
      ])
    try await load(#"{"listID": 1, "labels": [{"text": "x"}, {"text": "x"}]}"#)
    #expect(try await desk.rows("List", "labels.text") == ["[x x]"])
  }

  @Test func `the key in a text finds the object with that number`() async throws {
    try await desk.load(#"[{"no": 5, "title": "a"}]"#, as: "Song")
    try await load(#"{"listID": 1, "best": "5", "songs": [{"no": "5", "title": "b"}]}"#)
    #expect(try await desk.rows("Song", "songID", "title") == ["5 b"])
    #expect(try await songs() == ["5 [5]"])
  }

  @Test func `a nested record without key is refused, and takes no object without one`()
    async throws
  {
    try await desk.add(#"[{"title": "a"}]"#, as: "Song")
    let report = try await desk.load(
      #"[{"listID": 1, "best": {"title": "b"}}, {"listID": 2, "songs": [{"no": null, "title": "c"}]}]"#,
      as: "List")
    #expect(report.problems.map(\.pointer) == ["/0/best", "/1/songs/0"])
    #expect(report.problems.allSatisfy { $0.code == .importMissingKey })
    #expect(try await desk.rows("Song", "title") == ["a"])
  }
}
