import Cauldron
import Foundation
import Testing

@Suite struct IdentityTests {
  @Test(arguments: StoreKind.allCases)
  func `an ID stays the same on its way to the store`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let child = bench.child()
    let jack = Person.named("jack", in: child)
    let id = jack.objectID
    let uri = id.uriRepresentation
    #expect(!id.isTemporaryID)
    try child.save()
    #expect(!id.isTemporaryID && jack.objectID == id)
    #expect(try Person.findFirst(in: bench.root)?.objectID == id)
    try bench.root.save()
    #expect(!id.isTemporaryID && jack.objectID == id && id.uriRepresentation == uri)
    #expect(
      uri.absoluteString.hasPrefix(
        "x-coredata://\(bench.stack.coordinator.storeIdentifier)/Person/p"))
    #expect(try Person.findFirst(in: bench.committed())?.objectID == id)
  }

  @Test func `an ID with a key of the store is permanent before it is saved to the store`() throws {
    let context = try Bench().child()
    let person = Person.named("ann", in: context)
    try context.obtainPermanentIDs(for: [person])
    #expect(!person.objectID.isTemporaryID)
    try context.save()
    #expect(person.objectID.uriRepresentation.lastPathComponent == "p1")
    #expect(!person.objectID.isTemporaryID && person.objectID.key == 1)
  }

  @Test func `a context has one object for a row`() throws {
    let bench = try Bench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    #expect(try Person.findFirst(in: context) === jack)
    #expect(context.object(with: jack.objectID) === jack)
    #expect(context.registeredObject(for: jack.objectID) === jack)
    #expect(try context.existingObject(with: jack.objectID) === jack)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: context) === jack)
    let other = bench.child()
    #expect(other.registeredObject(for: jack.objectID) == nil)
    let copy = try #require(try Person.find(jack.objectID, in: other))
    #expect(copy !== jack && copy != jack && copy.objectID == jack.objectID)
  }

  @Test func `two contexts never get the same key`() throws {
    let bench = try Bench(.file)
    let contexts = (0..<4).map { bench.child("\($0)") }
    for round in 0..<50 {
      for context in contexts { Person.named("\(round)", in: context) }
    }
    for context in contexts { try context.saveAndWait(toPersistentStore: true) }
    let reader = bench.committed()
    #expect(Set(try Person.findAll(in: reader).map(\.objectID)).count == 200)
  }

  @Test func `keys of a context that went away are given to others`() throws {
    let bench = try Bench(.file)
    for _ in 0..<200 {
      let context = bench.child()
      Person.named("x", in: context)
    }
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let key = try #require(Int(jack.objectID.description.split(separator: "p").last ?? ""))
    #expect(key < 300)
  }

  @Test(arguments: StoreKind.allCases)
  func `an object that the context has deleted is not found by its ID`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    let id = jack.objectID
    try context.saveAndWait(toPersistentStore: true)
    jack.delete()
    for _ in 0..<2 {
      #expect(try Person.find(id, in: context) == nil)
      let error = cauldronError { _ = try context.existingObject(with: id) }
      #expect(error?.code == .objectNotFound)
      #expect(error?.message.contains("its context has deleted it") == true)
      context.processPendingChanges()
    }
    // It is registered until the deletion is saved, and comes back with a rollback.
    #expect(context.registeredObject(for: id) === jack && context.object(with: id) === jack)
    context.rollback()
    #expect(try Person.find(id, in: context) === jack)
    jack.delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.find(id, in: context) == nil)
  }

  @Test func `an object whose deletion was saved is registered no more`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let id = Person.named("jack", in: parent).objectID
    try parent.saveAndWait(toPersistentStore: true)
    let child = bench.child("Child", of: parent)
    let held = try #require(try Person.find(id, in: child))
    held.delete()
    #expect(child.registeredObject(for: id) === held)
    try child.save()
    #expect(child.registeredObject(for: id) == nil)
    withExtendedLifetime(held) {}
  }
}
