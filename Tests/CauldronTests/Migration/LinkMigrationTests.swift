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

  @Test func `an end that comes after the other one by its new name keeps its links`() throws {
    let store = try DayTwo()
    let first = EntityDescription.entity("A", .text("title"), .many("links", "B", "links"))
    let second = EntityDescription.entity("B", .text("name"), .many("links", "A", "links"))
    try store.open([first, second]) { context in
      let ends = try ["x", "y"].map { name in
        let end = try context.insertNewObject(forEntityName: "B")
        try end.setValue(name, forKey: "name")
        return end
      }
      let owner = try context.insertNewObject(forEntityName: "A")
      try owner.setValue("a", forKey: "title")
      try owner.setValue([ends[1]], forKey: "links")
    }
    let renamed = EntityDescription.entity(
      "C", from: ["A"], .text("title"), .many("links", "B", "links"))
    let other = EntityDescription.entity("B", .text("name"), .many("links", "C", "links"))
    let found = try store.open([renamed, other]) { try names($0, "C", "links") }
    #expect(found == ["a": ["y"]])
  }

  @Test func `a reference that becomes a link does not lead to what is gone`() throws {
    let store = try DayTwo()
    let animal = EntityDescription.entity("Animal", .text("name"), .many("owners", "Owner", "pet"))
    let cat = EntityDescription.entity("Cat", below: "Animal")
    let owner = EntityDescription.entity(
      "Owner", .text("title"), .one("pet", "Animal", "owners"))
    try store.open([animal, cat, owner]) { context in
      for (title, kind) in [("a", "Animal"), ("c", "Cat")] {
        let pet = try context.insertNewObject(forEntityName: kind)
        try pet.setValue(kind, forKey: "name")
        let owner = try context.insertNewObject(forEntityName: "Owner")
        try owner.setValue(title, forKey: "title")
        try owner.setValue(pet, forKey: "pet")
      }
    }
    let left = EntityDescription.entity("Animal", .text("name"), .many("owners", "Owner", "pets"))
    let pets = EntityDescription.entity(
      "Owner", .text("title"), .many("pets", "Animal", "owners", from: "pet"))
    let found = try store.open([left, pets], .automatic(discarding: ["Cat"])) {
      try names($0, "Owner", "pets")
    }
    #expect(found == ["a": ["Animal"], "c": []])
    let file = OtherConnection(store.url)
    let join = file.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z\\_1%' ESCAPE '\\'")
    #expect(file.integers("SELECT count(*) FROM \(join.first ?? "")") == [1])
  }

  @Test func `a property that comes up from below is looked at as below`() throws {
    let store = try DayTwo()
    let animal = EntityDescription.entity("Animal", .text("name"))
    let dog = EntityDescription.entity("Dog", below: "Animal", .text("x"))
    try store.open([animal, dog]) { context in
      let dog = try context.insertNewObject(forEntityName: "Dog")
      try dog.setValue("abc", forKey: "x")
    }
    let above = EntityDescription.entity("Animal", .text("name"), .number("x"))
    let below = EntityDescription.entity("Dog", below: "Animal")
    #expect(store.refusal([above, below])?.code == .migrationCannotInfer)
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
