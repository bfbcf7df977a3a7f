import Cauldron
import Foundation
import Testing

/// What is noted of entities and relationships says by what objects are found.
@Suite struct KeyNoteTests {
  /// Books whose author is found as is noted.
  private func desk(
    _ author: [String: String] = [:], link: [String: String] = [:]
  ) throws -> Desk {
    try Desk(
      Editor.entity(
        "Author", noted: author, Editor.attribute("authorID", .integer32),
        Editor.attribute("pen", .string, ["mappedKeyName": "pen_name"]),
        Editor.attribute("born", .integer16), Editor.back("books", "Book", "author")),
      Editor.entity(
        "Book", Editor.attribute("title"), Editor.one("author", "Author", "books", link)))
  }

  @Test func `the attribute that an entity names finds its objects`() async throws {
    for note in ["relatedByAttribute", "distinctAttribute"] {
      let desk = try desk([note: "pen"])
      let json = #"[{"pen_name": "x", "born": 1}, {"pen_name": "y"}, {"pen_name": "x", "born": 2}]"#
      let report = try await desk.load(json, as: "Author")
      #expect(report.description == "3 authors: 2 created, 1 updated")
      #expect(try await desk.rows("Author", "pen", "born") == ["x 2", "y -"])
    }
  }

  @Test func `an entity that names none is found by its name and ID`() async throws {
    let desk = try desk()
    try await desk.load(#"[{"authorID": 7, "born": 1}, {"authorID": 7, "born": 2}]"#, as: "Author")
    #expect(try await desk.rows("Author", "authorID", "born") == ["7 2"])
  }

  @Test func `the attribute that a relationship names finds its objects`() async throws {
    let desk = try desk(link: ["relatedByAttribute": "pen"])
    try await desk.add(#"[{"authorID": 1, "pen_name": "x"}]"#, as: "Author")
    let report = try await desk.load(
      #"[{"title": "a", "author": {"pen_name": "x", "born": 3}}, {"title": "b", "author": "x"}]"#,
      as: "Book")
    #expect(report.description == "2 books: 2 created, 1 author updated")
    #expect(try await desk.rows("Book", "title", "author.authorID") == ["a 1", "b 1"])
    #expect(try await desk.rows("Author", "authorID", "born") == ["1 3"])
  }

  @Test func `a relationship that names none takes the key of its entity`() async throws {
    let desk = try desk(["relatedByAttribute": "pen"])
    try await desk.add(#"[{"authorID": 1, "pen_name": "x"}]"#, as: "Author")
    try await desk.load(#"[{"title": "a", "author": {"pen_name": "x", "born": 3}}]"#, as: "Book")
    #expect(try await desk.rows("Author", "authorID", "born") == ["1 3"])
    let other = try self.desk()
    try await other.add(#"[{"authorID": 1}]"#, as: "Author")
    try await other.load(#"[{"title": "a", "author": {"authorID": 1, "born": 3}}]"#, as: "Book")
    #expect(try await other.rows("Author", "authorID", "born") == ["1 3"])
  }

  @Test func `the key of a relationship is its own, whatever its entity says`() async throws {
    let desk = try desk(["relatedByAttribute": "authorID"], link: ["relatedByAttribute": "pen"])
    try await desk.add(#"[{"authorID": 1, "pen_name": "x"}]"#, as: "Author")
    try await desk.load(#"[{"title": "a", "author": {"pen_name": "x"}}]"#, as: "Book")
    #expect(try await desk.rows("Author", "authorID", "pen") == ["1 x"])
  }

  @Test func `a key that is not unique refuses what two objects match`() async throws {
    let desk = try desk(["relatedByAttribute": "pen"])
    try await desk.add(#"[{"pen_name": "x"}, {"pen_name": "x"}]"#, as: "Author")
    let report = try await desk.load(#"[{"pen_name": "x", "born": 1}]"#, as: "Author")
    #expect(report.complaints == [#"/0: two objects of Author have pen "x""#])
    #expect(try await desk.rows("Author", "born") == ["-", "-"])
  }
}
