import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What a model may forbid is looked for before anything is written, in the values that rows will have.
@Suite(.againstHanging) struct MigrationRiskTests {
  private func filled(
    _ entities: [EntityDescription], _ name: String, _ rows: [[String: any Sendable]]
  ) throws -> DayTwo {
    let store = try DayTwo()
    try store.open(entities) { context in
      for row in rows {
        let object = try context.insertNewObject(forEntityName: name)
        for (key, value) in row { try object.setValue(value, forKey: key) }
      }
    }
    return store
  }

  /// Whether the file is as it was, but for what a look at it leaves.
  private func refused(
    _ store: DayTwo, _ entities: [EntityDescription]
  ) throws -> CauldronError? {
    let rows = OtherConnection(store.url).integers("SELECT count(*) FROM sqlite_master")
    let error = store.refusal(entities)
    #expect(OtherConnection(store.url).integers("SELECT count(*) FROM sqlite_master") == rows)
    return error
  }

  @Test func `a default that is the same for all is no unique value`() throws {
    let store = try filled([.entity("Person", .text("name"))], "Person", [["name": "a"], [:]])
    let unique = EntityDescription.entity(
      "Person", unique: [["code"]], .text("name"),
      .text("code", isOptional: false, default: "none"))
    let error = try refused(store, [unique])
    #expect(error?.code == .migrationNotUnique)
    #expect(error?.message.contains("Person: code has become unique, and 1 values") == true)
    #expect(error?.message.contains("such as none") == true)
  }

  @Test func `what a default fills in may be there already`() throws {
    let before = EntityDescription.entity("Person", unique: [["code"]], .text("code"))
    let store = try filled([before], "Person", [["code": "none"], [:]])
    let after = EntityDescription.entity(
      "Person", unique: [["code"]], .text("code", isOptional: false, default: "none"))
    let error = try refused(store, [after])
    #expect(error?.code == .migrationNotUnique)
    #expect(error?.message.contains("Person: code is unique, and 1 values") == true)
  }

  @Test func `a unique key of one below holds for all who have its values`() throws {
    let person = EntityDescription.entity("Person", .text("name"))
    let store = try filled(
      [person, .entity("Guest", below: "Person")], "Person", [["name": "a"], ["name": "a"]])
    let guest = EntityDescription.entity("Guest", below: "Person", unique: [["name"]])
    let error = try refused(store, [person, guest])
    #expect(error?.code == .migrationNotUnique)
    #expect(error?.entity == "Guest")
  }

  @Test func `a default made for each object is unique`() throws {
    let store = try filled([.entity("Person", .text("name"))], "Person", [["name": "a"], [:]])
    let code = AttributeDescription(
      name: "code", type: .uuid, isOptional: false,
      default: .computed { .blob(Data((0..<16).map { _ in UInt8.random(in: 0...255) })) })
    let unique = EntityDescription.entity(
      "Person", unique: [["code"]], .text("name"), .attribute(code))
    try store.open([unique]) { _ in }
    let file = OtherConnection(store.url)
    #expect(file.integers("SELECT count(DISTINCT ZCODE) FROM ZPERSON") == [2])
  }

  @Test func `digits that a type has no room for are no loss that nobody hears of`() throws {
    let before = EntityDescription.entity("Thing", .number("size"))
    let large: Int64 = 1 << 53 + 1
    let store = try filled([before], "Thing", [["size": large], ["size": Int64(7)]])
    let error = try refused(store, [.entity("Thing", .number("size", .double))])
    #expect(error?.code == .migrationOutOfRange)
    #expect(error?.message.contains("such as 9007199254740993") == true)
    let small = try filled([before], "Thing", [["size": Int64(1 << 53)], ["size": Int64(7)]])
    try small.open([.entity("Thing", .number("size", .double))]) { context in
      let things = try context.fetch(FetchRequest<ManagedObject>(entityName: "Thing"))
      #expect(
        things.compactMap { $0.value(forKey: "size") as? Double }.max() == 9_007_199_254_740_992)
    }
    let real = try filled([.entity("Thing", .number("size", .double))], "Thing", [["size": 0.1]])
    #expect(
      try refused(real, [.entity("Thing", .number("size", .float))])?.code == .migrationCannotInfer)
  }

  @Test func `a relationship that leads to fewer is asked where it leads`() throws {
    let person = EntityDescription.entity("Person", .many("items", "Item", "owner"))
    let guest = EntityDescription.entity("Guest", below: "Person")
    let store = try DayTwo()
    try store.open([person, guest, .entity("Item", .one("owner", "Person", "items"))]) { context in
      for name in ["Person", "Guest"] {
        let item = try context.insertNewObject(forEntityName: "Item")
        try item.setValue(context.insertNewObject(forEntityName: name), forKey: "owner")
      }
    }
    let model = [
      EntityDescription.entity("Person"),
      .entity("Guest", below: "Person", .many("items", "Item", "owner")),
      .entity("Item", .one("owner", "Guest", "items")),
    ]
    let error = try refused(store, model)
    #expect(error?.code == .migrationCannotInfer)
    #expect(
      error?.message.contains("Item.owner leads to Guest, and 1 links lead to others") == true)
    #expect(OtherConnection(store.url).run("UPDATE ZITEM SET ZOWNER = 2 WHERE ZOWNER = 1"))
    try store.open(model) { _ in }
  }

  @Test func `links of many to many that lead to fewer are asked, too`() throws {
    let post = EntityDescription.entity("Post", .many("tags", "Tag", "posts"))
    let tag = EntityDescription.entity("Tag", .many("posts", "Post", "tags"))
    let topic = EntityDescription.entity("Topic", below: "Tag")
    let store = try DayTwo()
    try store.open([post, tag, topic]) { context in
      let post = try context.insertNewObject(forEntityName: "Post")
      try post.setValue([context.insertNewObject(forEntityName: "Tag")], forKey: "tags")
    }
    let model = [
      EntityDescription.entity("Post", .many("tags", "Topic", "posts")),
      .entity("Tag", discards: ["posts: [Post]"]),
      .entity("Topic", below: "Tag", .many("posts", "Post", "tags")),
    ]
    #expect(try refused(store, model)?.code == .migrationCannotInfer)
  }

  @Test func `one side of a one to one does not go on without the other`() throws {
    let before = [
      EntityDescription.entity("Owner", .many("pets", "Pet", "owner")),
      .entity("Pet", .one("owner", "Owner", "pets")),
    ]
    let store = try DayTwo()
    try store.open(before) { context in
      let pet = try context.insertNewObject(forEntityName: "Pet")
      try pet.setValue(context.insertNewObject(forEntityName: "Owner"), forKey: "owner")
    }
    let error = try refused(
      store,
      [
        .entity("Owner", .one("pet", "Pet", "owner")),
        .entity("Pet", .one("owner", "Owner", "pet")),
      ])
    #expect(error?.code == .migrationCannotInfer)
    #expect(error?.message.contains("Pet.owner goes on, and Owner.pet, its other side") == true)
  }
}
