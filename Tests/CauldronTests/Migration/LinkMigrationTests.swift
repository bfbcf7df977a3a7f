import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Links come along, whichever entity comes first afterwards.
@Suite(.againstHanging) struct LinkMigrationTests {
  private static let post = EntityDescription.entity(
    "Post", .text("title"), .many("tags", "Tag", "posts", isOrdered: true))
  private static let tag = EntityDescription.entity(
    "Tag", .text("name"), .many("posts", "Post", "tags"))

  private func filled() throws -> DayTwo {
    let store = try DayTwo()
    try store.open([Self.post, Self.tag]) { context in
      var tags: [ManagedObject] = []
      for name in ["x", "y", "z"] {
        let tag = try context.insertNewObject(forEntityName: "Tag")
        try tag.setValue(name, forKey: "name")
        tags.append(tag)
      }
      for (title, order) in [("a", [2, 0, 1]), ("b", [1]), ("c", [])] {
        let post = try context.insertNewObject(forEntityName: "Post")
        try post.setValue(title, forKey: "title")
        try post.setValue(order.map { tags[$0] }, forKey: "tags")
      }
    }
    return store
  }

  /// The names of each post's tags, in order where there is one.
  private func names(
    _ context: ManagedObjectContext, _ entity: String, _ relationship: String
  ) throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for post in try context.fetch(FetchRequest<ManagedObject>(entityName: entity)) {
      let tags = post.value(forKey: relationship) as? [ManagedObject] ?? []
      found[post.value(forKey: "title") as? String ?? ""] = tags.map {
        $0.value(forKey: "name") as? String ?? ""
      }
    }
    return found
  }

  @Test func `the ends may change places, and their names`() throws {
    let store = try filled()
    let sheet = EntityDescription.entity(
      "Zettel", from: ["Post"], .text("title"),
      .many("labels", "Tag", "sheets", isOrdered: true, from: "tags"))
    let tag = EntityDescription.entity(
      "Tag", .text("name"), .many("sheets", "Zettel", "labels", from: "posts"))
    let found = try store.open([sheet, tag]) { try names($0, "Zettel", "labels") }
    #expect(found == ["a": ["z", "x", "y"], "b": ["y"], "c": []])
    let other = OtherConnection(store.url)
    #expect(
      other.texts(
        "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_1%' ESCAPE '\\'"
          + " AND type = 'table'") == ["Z_1SHEETS"])
    #expect(other.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `an order may come and go`() throws {
    let store = try filled()
    let post = EntityDescription.entity(
      "Post", .text("title"), .many("tags", "Tag", "posts"))
    let found = try store.open([post, Self.tag]) { try names($0, "Post", "tags") }
    #expect(found.mapValues { $0.sorted() } == ["a": ["x", "y", "z"], "b": ["y"], "c": []])
    let again = try store.open([Self.post, Self.tag]) { try names($0, "Post", "tags") }
    // An order that comes anew is that of the keys.
    #expect(again == ["a": ["x", "y", "z"], "b": ["y"], "c": []])
  }

  @Test func `links to what is given up go with it`() throws {
    let store = try filled()
    let post = EntityDescription.entity("Post", .text("title"))
    #expect(store.refusal([post])?.details.count == 2)
    let allowed: MigrationPolicy = .automatic(discarding: ["Tag", "Post.tags: [Tag]"])
    let found = try store.open([post], allowed) { context in
      try context.count(for: FetchRequest<ManagedObject>(entityName: "Post"))
    }
    #expect(found == 3)
    let other = OtherConnection(store.url)
    #expect(other.integers("SELECT count(*) FROM sqlite_master WHERE name LIKE 'Z%TAG%'") == [0])
  }
}
