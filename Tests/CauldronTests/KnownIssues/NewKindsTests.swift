import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Kinds of defects that random operations with conflicts have found, each as its smallest program.
@Suite(.againstHanging) struct NewKindsTests {
  /// G27: with another object with the same ID, edits of the one that the program holds would be lost in
  /// silence.
  @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `an object whose deletion a policy drops stays the object of its ID`(
    _ policy: MergePolicy
  ) throws {
    let bench = try Bench(.memory)
    let id = try bench.root.performAndWait { local in
      let person = Person.named("x", age: 1, in: local.context)
      try local.context.save()
      return person.objectID
    }
    let child = bench.child("Child")
    let held = try child.performAndWait { local in
      let person = try #require(try local.existingObject(with: id) as? Person)
      person.delete()
      return person
    }
    try bench.root.performAndWait { local in
      try #require(try local.existingObject(with: id) as? Person).age = 2
    }
    try child.performAndWait { local in try local.save(mergePolicy: policy) }
    try child.performAndWait { local in
      #expect(!held.isDeleted)
      let found = try local.existingObject(with: id)
      #expect(found === held)
      held.name = "y"
    }
    #expect(child.performAndWait { $0.hasChanges })
    let names = try child.performAndWait { try Person.select(\.name).fetch(in: $0.context) }
    #expect(names == ["y"])
  }

  /// G28, found on an earlier state and right today: the child has never seen the parent's edit.
  @Test func `an edit after a refresh that keeps own edits is not overwritten unseen`() throws {
    let bench = try Bench(.memory)
    let main = bench.mainContext
    let person = try main.performAndWait { local in
      let person = Person.named("x", age: 1, in: local.context)
      try local.context.save()
      return person
    }
    main.performAndWait { _ in person.name = "y" }
    main.performAndWait { _ in person.age = 2 }
    let id = person.objectID
    let child = bench.child("Child", of: main)
    let copy = try child.performAndWait { local in
      let copy = try #require(try local.existingObject(with: id) as? Person)
      copy.name = "child"
      try local.save()
      return copy
    }
    main.performAndWait { $0.context.refresh(person, mergeChanges: true) }
    main.performAndWait { _ in person.age = 3 }
    child.performAndWait { _ in
      #expect(copy.age == 2)
      copy.age = 4
    }
    let error = cauldronError { try child.performAndWait { try $0.save() } }
    #expect(error?.code == .saveConflict)
    let ages = try main.performAndWait {
      try Person.select(\.age).where(\.name == "child").fetch(in: $0.context)
    }
    #expect(ages == [3])
  }

  /// A save that is combined with what other contexts have changed is shown as it was saved, as Core Data shows
  /// it; otherwise the object would go on from a row that is no more.
  @Test func `an object shows what its save was combined with further up`() throws {
    let bench = try Bench(.memory)
    let main = bench.mainContext
    let id = try bench.root.performAndWait { local in
      let person = Person.named("x", age: 1, in: local.context)
      try local.context.save()
      return person.objectID
    }
    let child = bench.child("Child", of: main)
    let held = try child.performAndWait { local in
      let person = try #require(try local.existingObject(with: id) as? Person)
      person.name = "y"
      try local.save()
      return person
    }
    try bench.root.performAndWait { local in
      try #require(try local.existingObject(with: id) as? Person).age = 2
    }
    try main.performAndWait { try $0.save() }
    #expect(child.performAndWait { _ in held.age } == 2)
  }

  /// A person that main has changed before and after a child's save, by which the edits lie in two layers,
  /// and that the root has changed, too.
  private func split(
    _ change: (Person) -> Void
  ) throws -> (Bench, main: ManagedObjectContext) {
    let bench = try Bench(.memory)
    let main = bench.mainContext
    let id = try bench.root.performAndWait { local in
      let person = Person.named("x", age: 1, in: local.context)
      try local.context.save()
      return person.objectID
    }
    let (person, new) = try main.performAndWait { local in
      let person = try #require(try local.existingObject(with: id) as? Person)
      person.name = "y"
      return (person, Person.named("new", in: local.context))
    }
    let newID = new.objectID
    let child = bench.child("Child", of: main)
    try child.performAndWait { local in
      try #require(try local.existingObject(with: newID) as? Person).age = 5
      try local.save()
    }
    main.performAndWait { _ in
      new.age = 6
      change(person)
    }
    try bench.root.performAndWait { local in
      try #require(try local.existingObject(with: id) as? Person).age = 9
    }
    return (bench, main)
  }

  /// The names of those that are as old as the root has made them, and the ages of the new ones.
  private func outcome(_ bench: Bench) throws -> [String] {
    try bench.root.performAndWait { local in
      try Person.select(\.name, \.age).fetch(in: local.context).map { "\($0) \($1)" }.sorted()
    }
  }

  /// G31: the edits lie in two layers, since the child's object is in both, and the policy drops one.
  @Test func `a policy that drops all edits of an object drops those before a child's save`()
    throws
  {
    let (bench, main) = try split { $0.age = 2 }
    try main.performAndWait { try $0.save(mergePolicy: .rollback) }
    #expect(try outcome(bench) == ["new 6", "x 9"])
  }

  @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback])
  func `with a deletion that a policy drops the edits before it are dropped`(
    _ policy: MergePolicy
  ) throws {
    let (bench, main) = try split { $0.delete() }
    try main.performAndWait { try $0.save(mergePolicy: policy) }
    #expect(try outcome(bench) == ["new 6", "x 9"])
  }

  @Test func `a policy that takes single values of theirs keeps the edits before a child's save`()
    throws
  {
    let (bench, main) = try split { $0.age = 2 }
    try main.performAndWait { try $0.save(mergePolicy: .mergeByPropertyStoreTrump) }
    #expect(try outcome(bench) == ["new 6", "y 9"])
  }

  /// One child's change is brought back by the save, the other one's was by its own, over a deletion that is
  /// saved.
  @Test func `an object that two parts of a save bring back is there once`() throws {
    let bench = try Bench(.memory)
    let main = bench.mainContext
    let id = try bench.root.performAndWait { local in
      let person = Person.named("x", age: 1, in: local.context)
      try local.context.save()
      return person.objectID
    }
    let (first, second) = (bench.child("First", of: main), bench.child("Second", of: main))
    try first.performAndWait { local in
      try #require(try local.existingObject(with: id) as? Person).name = "y"
      try local.save()
    }
    try second.performAndWait { local in
      try #require(try local.existingObject(with: id) as? Person).age = 2
    }
    try bench.root.performAndWait { local in
      try local.existingObject(with: id).delete()
      try local.save()
    }
    for context in [second, main] {
      try context.performAndWait { try $0.save(mergePolicy: .mergeByPropertyObjectTrump) }
    }
    let names = try bench.root.performAndWait { local in
      try Person.select(\.name).fetch(in: local.context)
    }
    #expect(names == ["y"])
  }

  /// G32: the object may be let go when the parent has taken the deletion.
  @Test(arguments: [false, true])
  func `a deletion that a refused save gives back is among the deleted objects`(
    _ passesParent: Bool
  ) throws {
    let bench = try Bench(.file) { $0.busyTimeout = 0.02 }
    let context = passesParent ? bench.child() : bench.root
    let id = try bench.root.performAndWait { local in
      let person = Person.named("x", in: local.context)
      try local.context.save()
      return person.objectID
    }
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.run("BEGIN IMMEDIATE"))
    let held = try context.performAndWait { local in
      let person = try local.existingObject(with: id)
      person.delete()
      return person
    }
    let error = cauldronError { _ = try context.saveAndWait(toPersistentStore: true) }
    other.run("ROLLBACK")
    #expect(error?.code == .storeBusy)
    context.performAndWait { local in
      #expect(local.context.hasChanges)
      #expect(local.context.deletedObjects == [held])
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  @Test func `so is one of which the program holds no object any more`() throws {
    let bench = try Bench(.file) { $0.busyTimeout = 0.02 }
    let context = bench.child()
    let id = try bench.root.performAndWait { local in
      let person = Person.named("x", in: local.context)
      try local.context.save()
      return person.objectID
    }
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.run("BEGIN IMMEDIATE"))
    try context.performAndWait { local in try local.existingObject(with: id).delete() }
    let error = cauldronError { _ = try context.saveAndWait(toPersistentStore: true) }
    other.run("ROLLBACK")
    #expect(error?.code == .storeBusy)
    context.performAndWait { local in
      let deleted = local.context.deletedObjects
      #expect(deleted.map(\.objectID) == [id] && (deleted.first as? Person)?.name == "x")
      local.context.rollback()
      #expect(deleted.first?.isDeleted == false && !local.context.hasChanges)
    }
  }

  @Test func `an object whose deletion is saved leaves the context`() throws {
    let bench = try Bench(.memory)
    let child = bench.child("Child")
    try child.performAndWait { local in
      let person = Person.named("x", in: local.context)
      try local.context.save()
      let id = person.objectID
      person.delete()
      try local.context.save()
      #expect(person.managedObjectContext == nil && !person.isDeleted && person.name == "x")
      #expect(!local.context.registeredObjects.contains(person))
      #expect(throws: CauldronError.self) { try local.existingObject(with: id) }
      #expect(person.managedObjectContext == nil && !person.isDeleted && person.name == "x")
    }
  }
}
