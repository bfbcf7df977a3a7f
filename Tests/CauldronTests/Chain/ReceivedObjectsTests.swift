import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// A context tells of what children have saved into it as of its own unsaved objects.
@Suite(.againstHanging, .ownThread) struct ReceivedObjectsTests {
  /// The main context, into which a child has saved a new person.
  private func receiver() throws -> (Bench, ManagedObjectID) {
    let bench = try Bench()
    let child = bench.child("Child", of: bench.mainContext)
    let id = try child.performAndWait { local in
      let id = Person.named("ann", in: local.context).objectID
      try local.context.save()
      return id
    }
    bench.settleMain()
    return (bench, id)
  }

  @Test func `what a child has saved is among the inserted objects of its parent`() throws {
    let (bench, id) = try receiver()
    bench.onMain { main in
      #expect(main.hasChanges)
      let inserted = main.insertedObjects.map(\.objectID)
      #expect(inserted == [id])
      let registered = main.registeredObject(for: id)
      #expect(registered != nil)
    }
  }

  @Test func `an observer of a parent's save finds what a child has saved before`() throws {
    let (bench, id) = try receiver()
    let seen = Locked<[ManagedObjectID]>([])
    let name = ManagedObjectContext.willSaveObjectsNotification
    let token = NotificationCenter.default.addObserver(
      forName: name, object: bench.mainContext, queue: nil
    ) { note in
      guard let context = note.object as? ManagedObjectContext else { return }
      seen.withLock { $0 += context.insertedObjects.map(\.objectID) }
    }
    try bench.onMain { try $0.save() }
    NotificationCenter.default.removeObserver(token)
    #expect(seen.withLock { $0 } == [id])
  }

  @Test func `a new object that the parent edits is inserted, and one that it deletes is nothing`()
    throws
  {
    let (bench, id) = try receiver()
    try bench.onMain { main in
      let person = try #require(try main.existingObject(with: id) as? Person)
      person.age = 3
      #expect(main.insertedObjects == [person] && main.updatedObjects.isEmpty)
      main.processPendingChanges()
      #expect(main.insertedObjects == [person] && main.updatedObjects.isEmpty)
      person.delete()
      #expect(main.insertedObjects.isEmpty && main.deletedObjects.isEmpty)
    }
  }

  @Test(arguments: StackLayout.allCases)
  func `what children have changed and deleted is among the parent's sets until it saves`(
    _ layout: StackLayout
  ) throws {
    let bench = try Bench { $0.layout = layout }
    let ids = try bench.onMain { main in
      let people = ["ann", "bob"].map { Person.named($0, in: main) }
      try main.saveAndWait(toPersistentStore: true)
      return people.map(\.objectID)
    }
    let child = bench.child("Child", of: bench.mainContext)
    try child.performAndWait { local in
      for person in try Person.findAll(in: local) {
        if person.name == "ann" { person.age = 3 } else { person.delete() }
      }
      try local.context.save()
    }
    try bench.onMain { main in
      #expect(main.insertedObjects.isEmpty)
      #expect(main.updatedObjects.map(\.objectID) == [ids[0]])
      #expect(main.deletedObjects.map(\.objectID) == [ids[1]])
      #expect((main.updatedObjects.first as? Person)?.age == 3)
      try main.saveAndWait(toPersistentStore: true)
      #expect(main.updatedObjects.isEmpty && main.deletedObjects.isEmpty)
    }
  }

  @Test func `objects that the question makes are asked no hooks in this save`() throws {
    let bench = try Witness.bench()
    let child = bench.child("Child", of: bench.mainContext)
    try child.performAndWait { local in
      Witness.named("new", in: local.context)
      try local.context.save()
    }
    bench.settleMain()
    let name = ManagedObjectContext.willSaveObjectsNotification
    let kept = Locked<[Lent<Witness?>]>([])
    let token = NotificationCenter.default.addObserver(
      forName: name, object: bench.mainContext, queue: nil
    ) { note in
      guard let context = note.object as? ManagedObjectContext else { return }
      kept.withLock { $0 += context.insertedObjects.map { Lent($0 as? Witness) } }
      // Faults are asked nothing in any case.
      #expect(kept.withLock { $0.map(\.value?.name) } == ["new"])
    }
    try bench.onMain { try $0.save() }
    NotificationCenter.default.removeObserver(token)
    let calls = bench.onMain { _ in kept.withLock { $0.map(\.value?.calls) } }
    #expect(calls == [[]])
    // One that the context has had before is asked.
    try child.performAndWait { local in
      try Witness.findFirst(in: local)?.count = 8
      try local.context.save()
    }
    try bench.onMain { try $0.save() }
    #expect(
      bench.onMain { _ in kept.withLock { $0.first?.value?.calls } } == ["willSave", "didSave"])
  }
}
