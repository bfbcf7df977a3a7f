import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What is set back to what it was is no change, in the same event or in a later one.
@Suite(.againstHanging, .ownThread) struct SetBackTests {
  /// A context with a person of age 1 in the store.
  private func person() throws -> (Bench, ManagedObjectContext, Person) {
    let bench = try Bench(.file)
    let context = bench.child()
    let person = Person.named("ann", age: 1, in: context)
    try context.saveAndWait(toPersistentStore: true)
    return (bench, context, person)
  }

  /// The same, set to another value in one event and set back in the next one.
  private func setBack() throws -> (Bench, ManagedObjectContext, Person) {
    let (bench, context, ann) = try person()
    context.performAndWait { _ in ann.age = 2 }
    context.performAndWait { _ in ann.age = 1 }
    return (bench, context, ann)
  }

  @Test func `a value set back in a later event is no change`() throws {
    let (bench, context, ann) = try setBack()
    defer { withExtendedLifetime(bench) {} }
    context.performAndWait { local in
      #expect(!local.hasChanges && !ann.hasChanges && !ann.isUpdated)
      #expect(local.context.updatedObjects.isEmpty)
      #expect(ann.changedValues().isEmpty)
    }
  }

  @Test func `an object whose edit is set back stays updated by what a child has saved`() throws {
    let (bench, context, ann) = try person()
    context.performAndWait { _ in ann.age = 2 }
    let child = bench.child("Child", of: context)
    try child.performAndWait { try Person.findFirst(in: $0)?.name = "amy" }
    try child.saveAndWait(toPersistentStore: false)
    for _ in 0..<2 {
      context.performAndWait { local in
        ann.age = 1
        #expect(ann.isUpdated && ann.hasChanges && local.context.updatedObjects == [ann])
      }
    }
  }

  @Test func `a new object that a child has deleted is nothing to save`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    for isChilds in [true, false] {
      (isChilds ? child : parent).performAndWait { _ = Person.named("ann", in: $0.context) }
      try child.saveAndWait(toPersistentStore: false)
      try child.performAndWait { try Person.findFirst(in: $0)?.delete() }
      try child.saveAndWait(toPersistentStore: false)
      parent.performAndWait { local in
        #expect(!local.hasChanges && local.context.insertedObjects.isEmpty)
        #expect(local.context.deletedObjects.isEmpty)
      }
      #expect(try parent.saveAndWait(toPersistentStore: true) == .noChanges)
      parent.performAndWait { local in
        _ = Person.named("bob", in: local.context)
        #expect(local.hasChanges)
      }
      try parent.saveAndWait(toPersistentStore: true)
      #expect(try Person.names(in: bench.committed()) == ["bob"])
      try parent.performAndWait { try Person.findFirst(in: $0)?.delete() }
      try parent.saveAndWait(toPersistentStore: true)
    }
  }

  @Test func `a value set back in a later event writes no row`() throws {
    let (bench, context, _) = try setBack()
    defer { withExtendedLifetime(bench) {} }
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
  }

  @Test func `a value set back in a later event is not in conflict`() throws {
    let (bench, context, _) = try setBack()
    try bench.stack.saveAndWait { try Person.findFirst(in: $0)?.age = 9 }
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
    #expect(try Person.findFirst(in: bench.committed())?.age == 9)
  }

  @Test(arguments: [MergePolicy.error, .strict])
  func `what else was edited is saved without what was set back`(_ policy: MergePolicy) throws {
    let (bench, context, ann) = try person()
    context.performAndWait { _ in (ann.age, ann.name) = (2, "amy") }
    context.performAndWait { _ in ann.email = "amy@example.org" }
    context.performAndWait { _ in ann.age = 1 }
    context.performAndWait { local in
      #expect(local.hasChanges && ann.hasChanges)
      #expect(Set(ann.changedValues().keys) == ["name", "email"])
    }
    if policy == .error { try bench.stack.saveAndWait { try Person.findFirst(in: $0)?.age = 9 } }
    try context.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    let stored = try #require(try Person.findFirst(in: bench.committed()))
    #expect(stored.name == "amy" && stored.email == "amy@example.org")
    #expect(stored.age == (policy == .error ? 9 : 1))
  }

  @Test func `a value set back after others have changed it is an edit, and in conflict`() throws {
    let (bench, context, ann) = try person()
    context.automaticallyMergesChangesFromParent = true
    context.performAndWait { _ in ann.age = 2 }
    try bench.stack.saveAndWait { try Person.findFirst(in: $0)?.age = 9 }
    context.performAndWait { _ in }
    context.performAndWait { _ in ann.age = 1 }
    context.performAndWait { local in #expect(local.hasChanges && ann.hasChanges && ann.age == 1) }
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    try context.saveAndWait(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try Person.findFirst(in: bench.committed())?.age == 1)
  }

  @Test func `an equal value is no change, also before the event ends`() throws {
    let (bench, context, ann) = try person()
    defer { withExtendedLifetime(bench) {} }
    context.performAndWait { local in
      ann.age = 1
      #expect(!local.hasChanges && !ann.hasChanges && local.context.updatedObjects.isEmpty)
      local.processPendingChanges()
      #expect(!local.hasChanges && !ann.hasChanges)
    }
  }

  @Test func `a value set back in its event is no change, also before the event ends`() throws {
    let (bench, context, ann) = try person()
    defer { withExtendedLifetime(bench) {} }
    context.performAndWait { local in
      ann.age = 2
      #expect(local.hasChanges && ann.hasChanges)
      ann.age = 1
      #expect(!local.hasChanges && !ann.hasChanges)
    }
  }

  @Test func `a value set back in a later event is no change before that event ends`() throws {
    let (bench, context, ann) = try person()
    defer { withExtendedLifetime(bench) {} }
    context.performAndWait { _ in ann.age = 2 }
    context.performAndWait { local in
      #expect(local.hasChanges && ann.hasChanges)
      ann.age = 1
      #expect(!local.hasChanges && !ann.hasChanges && local.context.updatedObjects.isEmpty)
      ann.age = 3
      #expect(local.hasChanges && ann.hasChanges && local.context.updatedObjects == [ann])
    }
    context.performAndWait { local in
      ann.name = "amy"
      ann.age = 1
      #expect(local.hasChanges && ann.hasChanges)
      ann.name = "ann"
      #expect(!local.hasChanges && !ann.hasChanges)
    }
    context.performAndWait { local in #expect(!local.hasChanges && !ann.hasChanges) }
  }

  @Test func `what an event creates and deletes is no change before it ends`() throws {
    let (bench, context, _) = try person()
    defer { withExtendedLifetime(bench) {} }
    context.performAndWait { local in
      let bob = Person.named("bob", in: local.context)
      #expect(local.hasChanges)
      bob.delete()
      #expect(!local.hasChanges)
    }
  }

  @Test func `many objects that are created and deleted one by one leave no change`() throws {
    let (bench, context, _) = try person()
    defer { withExtendedLifetime(bench) {} }
    let people = context.performAndWait { local in
      (0..<10).map { Person.named("p\($0)", in: local.context) }
    }
    for person in people { context.performAndWait { _ in person.delete() } }
    context.performAndWait { local in #expect(!local.hasChanges) }
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
  }

  @Test func `references that are set back leave no change at either end`() throws {
    let (bench, context, ann) = try person()
    defer { withExtendedLifetime(bench) {} }
    let (firm, passport) = context.performAndWait { local in
      let passport = Passport.create(in: local.context)
      passport.holder = ann
      return (Company.named("firm", in: local.context), passport)
    }
    try context.saveAndWait(toPersistentStore: true)
    context.performAndWait { _ in (ann.employer, ann.passport) = (firm, nil) }
    context.performAndWait { _ in #expect(passport.hasChanges && firm.employees.count == 1) }
    context.performAndWait { _ in (ann.employer, passport.holder) = (nil, ann) }
    context.performAndWait { local in
      #expect(!local.hasChanges && !ann.hasChanges && !passport.hasChanges)
      #expect(ann.passport == passport && firm.employees.count == 0)
    }
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
  }

  @Test func `links that are taken back in a later event leave no change`() throws {
    let bench = try Creature.bench()
    let context = bench.child()
    let (cat, tom) = (Creature.named("cat", in: context), Creature.named("tom", in: context))
    cat.friends.insert(tom)
    try context.saveAndWait(toPersistentStore: true)
    context.performAndWait { _ in tom.friends.insert(cat) }
    context.performAndWait { _ in tom.friends.remove(cat) }
    context.performAndWait { local in #expect(!local.hasChanges) }
    context.performAndWait { _ in cat.friends.remove(tom) }
    context.performAndWait { local in
      #expect(local.hasChanges)
      cat.friends.insert(tom)
    }
    context.performAndWait { local in
      #expect(!local.hasChanges && cat.friends.contains(tom) && tom.fans.contains(cat))
    }
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
    let stored = try Creature.findFirst(where: \.name == "cat", in: bench.committed())
    #expect(stored?.friends.count == 1)
  }

  @Test func `an undo of what set a value back makes it an edit again`() throws {
    let (bench, context, ann) = try person()
    context.undoManager = UndoManager()
    context.performAndWait { _ in ann.age = 2 }
    context.performAndWait { _ in ann.age = 1 }
    try context.performAndWait { local in
      #expect(!local.hasChanges)
      try local.context.undo()
      #expect(ann.age == 2 && ann.hasChanges)
      try local.context.undo()
      #expect(ann.age == 1 && !local.hasChanges)
      try local.context.redo()
      #expect(ann.age == 2 && local.hasChanges)
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.committed())?.age == 2)
  }

  @Test func `observers and children are told of a value that is set back`() throws {
    let (bench, context, ann) = try person()
    defer { withExtendedLifetime(bench) {} }
    let child = bench.child("Grandchild", of: context)
    child.automaticallyMergesChangesFromParent = true
    let copy = try #require(try child.performAndWait { try Person.findFirst(in: $0) })
    context.performAndWait { _ in ann.age = 2 }
    let list = try context.performAndWait {
      try Person.where(\.age >= 2).fetch(in: $0.context).count
    }
    #expect(list == 1)
    context.performAndWait { _ in ann.age = 1 }
    let old = try child.performAndWait { local in
      #expect(copy.age == 1)
      return try Person.count(where: \.age >= 2, in: local)
    }
    #expect(old == 0)
    child.performAndWait { _ in copy.name = "amy" }
    try child.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.committed())?.name == "amy")
  }

  @Test func `a child's edit beside a value stays where the value is set back`() throws {
    let (bench, context, ann) = try person()
    context.performAndWait { _ in ann.age = 2 }
    let child = bench.child("Grandchild", of: context)
    try child.performAndWait { local in
      try #require(try Person.findFirst(in: local)).name = "amy"
      try local.save()
    }
    context.performAndWait { _ in ann.age = 1 }
    context.performAndWait { local in #expect(local.hasChanges && ann.name == "amy") }
    try bench.stack.saveAndWait { try Person.findFirst(in: $0)?.age = 9 }
    try context.saveAndWait(toPersistentStore: true)
    let stored = try #require(try Person.findFirst(in: bench.committed()))
    #expect(stored.name == "amy" && stored.age == 9)
  }

  @Test func `an edit that a refused save gives back vanishes where it is set back`() throws {
    let bench = try Bench(.file) { $0.busyTimeout = 0.02 }
    let context = bench.child()
    let ann = Person.named("ann", age: 1, in: context)
    try context.saveAndWait(toPersistentStore: true)
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.run("BEGIN IMMEDIATE"))
    context.performAndWait { _ in ann.age = 2 }
    let error = cauldronError { _ = try context.saveAndWait(toPersistentStore: true) }
    other.run("ROLLBACK")
    #expect(error?.code == .storeBusy)
    context.performAndWait { local in #expect(local.hasChanges) }
    context.performAndWait { _ in ann.age = 1 }
    context.performAndWait { local in #expect(!local.hasChanges && !ann.hasChanges) }
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
  }

  @Test func `an equal value is no change where others' changes are taken in beside it`() throws {
    let (bench, context, ann) = try person()
    context.automaticallyMergesChangesFromParent = true
    try context.performAndWait { local in
      ann.age = 1
      try bench.stack.saveAndWait { try Person.findFirst(in: $0)?.name = "amy" }
      local.processPendingChanges()
      #expect(ann.name == "amy" && !ann.hasChanges && !local.hasChanges)
    }
    context.performAndWait { local in #expect(!ann.hasChanges && !local.hasChanges) }
  }

  /// A parent and a child that have given a person one age, the parent first.
  private func equal() throws -> (
    Bench, parent: ManagedObjectContext, child: ManagedObjectContext
  ) {
    let (bench, parent, ann) = try person()
    let child = bench.child("Grandchild", of: parent)
    let copy = try #require(try child.performAndWait { try Person.findFirst(in: $0) })
    #expect(child.performAndWait { _ in copy.age } == 1)
    parent.performAndWait { _ in ann.age = 2 }
    try parent.saveAndWait(toPersistentStore: false)
    child.performAndWait { _ in copy.age = 2 }
    return (bench, parent, child)
  }

  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite, .mergeByPropertyStoreTrump])
  func `a value that both sides have set is no edit once a policy has decided`(
    _ policy: MergePolicy
  ) throws {
    let (bench, parent, child) = try equal()
    defer { withExtendedLifetime(bench) {} }
    try child.saveAndWait(toPersistentStore: false, mergePolicy: policy)
    for context in [child, parent] {
      context.performAndWait { local in
        #expect(!local.hasChanges && local.context.updatedObjects.isEmpty)
      }
    }
    #expect(try parent.saveAndWait(toPersistentStore: false) == .noChanges)
  }

  @Test func `a value that both sides have set is in conflict without a policy`() throws {
    let (bench, _, child) = try equal()
    defer { withExtendedLifetime(bench) {} }
    let error = cauldronError { try child.saveAndWait(toPersistentStore: false) }
    #expect(error?.code == .saveConflict)
    child.performAndWait { local in
      #expect(local.hasChanges && local.context.updatedObjects.count == 1)
    }
  }

  @Test func `a refresh that keeps edits ends those that are equal to the newest values`() throws {
    let (bench, parent, child) = try equal()
    defer { withExtendedLifetime(bench) {} }
    try child.performAndWait { local in
      let copy = try #require(try Person.findFirst(in: local))
      local.context.refresh(copy, mergeChanges: true)
      #expect(!local.hasChanges && !copy.hasChanges && local.context.updatedObjects.isEmpty)
      #expect(copy.age == 2)
      copy.age = 3
    }
    try child.saveAndWait(toPersistentStore: false)
    #expect(try parent.performAndWait { try Person.findFirst(in: $0)?.age } == 3)
  }

  /// Each context has made an edit of what it showed.
  @Test func `a value that a parent sets back after a child's save is changed, for all who ask`()
    throws
  {
    let (bench, context, ann) = try person()
    let child = bench.child("Grandchild", of: context)
    try child.performAndWait { local in
      try #require(try Person.findFirst(in: local)).age = 2
      try local.save()
    }
    context.performAndWait { _ in ann.age = 1 }
    context.performAndWait { local in
      #expect(local.hasChanges && ann.hasChanges && ann.isUpdated)
      #expect(local.context.updatedObjects == [ann])
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.committed())?.age == 1)
    #expect(!bench.isDirty(context))
  }
}
