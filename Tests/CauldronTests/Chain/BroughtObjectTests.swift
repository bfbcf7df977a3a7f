import Cauldron
import CauldronModel
import TestSupport
import Testing

/// What children have saved into a context is among its inserted, updated and deleted objects.
@Suite(.againstHanging, .ownThread) struct BroughtObjectTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let children: [ManagedObjectContext]

  init() throws {
    let bench = try Bench(.file)
    let parent = bench.child("Parent")
    children = ["First", "Second", "Third"].map { bench.child($0, of: parent) }
    (self.bench, self.parent) = (bench, parent)
  }

  @Test func `an object that was never saved and comes back is among the inserted ones`() throws {
    let id = try children[0].performAndWait { local in
      let person = Person.named("ann", in: local.context)
      try local.context.save()
      return person.objectID
    }
    try children[2].performAndWait { local in
      try #require(try local.existingObject(with: id) as? Person).age = 2
    }
    try children[1].performAndWait { local in
      try local.existingObject(with: id).delete()
      try local.context.save()
    }
    try children[2].saveAndWait(
      toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
    parent.performAndWait { local in
      #expect(local.context.insertedObjects.map(\.objectID) == [id])
      #expect(local.context.updatedObjects.isEmpty && local.context.deletedObjects.isEmpty)
    }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try Person.findAll(in: bench.committed()).map(\.age) == [2])
  }

  @Test func `a deletion is a deleted object that shows its last row`() throws {
    let ids = try bench.root.performAndWait { local in
      let people = ["ann", "bob"].map { Person.named($0, in: local.context) }
      try local.context.save()
      return people.map(\.objectID)
    }
    try children[0].performAndWait { local in
      for id in ids { try local.existingObject(with: id).delete() }
      try local.context.save()
    }
    let deleted = parent.performAndWait { local in
      let deleted = local.context.deletedObjects
      #expect(Set(deleted.map(\.objectID)) == Set(ids))
      #expect(deleted.allSatisfy { $0.isDeleted && !$0.isFault })
      #expect(deleted.compactMap { ($0 as? Person)?.name }.sorted() == ["ann", "bob"])
      #expect(local.context.deletedObjects == deleted)
      let registered = local.context.registeredObject(for: ids[0])
      #expect(deleted.contains { $0 === registered })
      return deleted
    }
    try parent.performAndWait { local in
      local.context.rollback()
      #expect(deleted.allSatisfy { !$0.isDeleted })
      let found = try local.existingObject(with: ids[0])
      #expect(deleted.contains { $0 === found })
      (found as? Person)?.name = "amy"
    }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["amy", "bob"])
  }
}
