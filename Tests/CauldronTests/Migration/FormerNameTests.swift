import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Names that were once given go on to be understood.
@Suite(.againstHanging) struct FormerNameTests {
  private func open<R>(
    _ store: DayTwo, _ entity: EntityDescription, _ work: (ManagedObject) throws -> R
  ) throws -> R {
    try store.open([entity]) { context in
      let request = FetchRequest<ManagedObject>(entityName: entity.name)
      let first = try context.fetch(request).first
      return try work(try first ?? context.insertNewObject(forEntityName: entity.name))
    }
  }

  @Test func `an identity that nobody states any more stays with the store`() throws {
    let store = try DayTwo()
    try open(store, .entity("Person", .text("label"))) { try $0.setValue("x", forKey: "label") }
    try open(store, .entity("Person", .text("title", from: "label"))) { _ in }
    // Another migration, whose model has forgotten what the title was.
    try open(store, .entity("Person", .text("title"), .number("age"))) { _ in }
    let last = EntityDescription.entity(
      "Person", .text("caption", from: "label"), .number("age"))
    let value = try open(store, last) { $0.value(forKey: "caption") as? String }
    #expect(value == "x")
  }

  @Test func `the URI of an entity that was renamed leads to the same object`() throws {
    let store = try DayTwo()
    let uri = try open(store, .entity("Man", .text("name"))) { man in
      try man.setValue("jack", forKey: "name")
      try man.managedObjectContext?.saveAndWait(toPersistentStore: true)
      return man.objectID.uriRepresentation
    }
    #expect(uri.absoluteString.contains("/Man/p"))
    try store.open([.entity("Person", from: ["Man"], .text("name"))]) { context in
      let id = try #require(
        context.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri))
      #expect(id.uriRepresentation.absoluteString.contains("/Person/p"))
      let jack = try context.existingObject(with: id)
      #expect(jack.value(forKey: "name") as? String == "jack")
    }
  }
}
