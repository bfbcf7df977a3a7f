import Cauldron
import CauldronModel
import Testing

@Suite struct ChangedValuesTests {
  @Test func `a new object's values are all changed until it is saved`() throws {
    let bench = try Bench()
    let context = bench.child()
    let person = Person.named("jack", age: 3, in: context)
    #expect(Set(person.changedValues().keys) == ["name", "age"])
    #expect(person.isInserted && !person.isUpdated && person.hasChanges)
    try context.save()
    #expect(person.changedValues().isEmpty && !person.hasPersistentChangedValues)
    #expect(!person.isInserted && !person.hasChanges && !context.hasChanges)
    #expect(person.committedValues()["name"] == .text("jack"))
  }

  @Test func `changed values are told across events until the save`() throws {
    let bench = try Bench()
    let context = bench.child()
    let person = Person.named("jack", age: 3, in: context)
    try context.save()
    person.name = "jill"
    #expect(Array(person.changedValues().keys) == ["name"])
    context.processPendingChanges()
    person.age = 4
    #expect(Set(person.changedValues().keys) == ["name", "age"])
    #expect(person.changedValues()["age"] as? Int == 4)
    #expect(person.committedValues()["name"] == .text("jack"))
    #expect(person.committedValues()["age"] == .integer(3))
    #expect(person.isUpdated && !person.isInserted)
    #expect(context.updatedObjects == [person])
    try context.save()
    #expect(person.changedValues().isEmpty)
    #expect(person.committedValues()["name"] == .text("jill"))
  }

  @Test(arguments: [false, true])
  func `a value that was set back is no change`(_ isPublished: Bool) throws {
    let bench = try Bench()
    let context = bench.child()
    let person = Person.named("jack", in: context)
    try context.save()
    person.name = "jill"
    if isPublished { context.processPendingChanges() }
    person.name = "jack"
    #expect(!person.hasPersistentChangedValues && person.changedValues().isEmpty)
    context.processPendingChanges()
    #expect(!person.hasPersistentChangedValues)
    if !isPublished { #expect(!context.hasChanges && !person.hasChanges) }
    try context.save()
    #expect(person.name == "jack" && !context.hasChanges)
  }

  @Test func `a cleared value is a change to nil`() throws {
    let bench = try Bench()
    let context = bench.child()
    let person = Person.named("jack", in: context)
    person.email = "x"
    try context.save()
    person.email = nil
    #expect(Array(person.changedValues().keys) == ["email"])
    #expect(person.changedValues()["email"].flatMap { $0 } == nil)
  }

  @Test func `an object that is created and deleted without a save is in no list`() throws {
    let context = try Bench().child()
    let person = Person.named("jack", in: context)
    context.processPendingChanges()
    let other = Person.named("jill", in: context)
    person.delete()
    other.delete()
    #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
    context.processPendingChanges()
    #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
    #expect(try Person.count(in: context) == 0)
    #expect(!context.hasChanges)
  }

  @Test func `the lists tell what was done`() throws {
    let bench = try Bench()
    let context = bench.child()
    let (a, b, c) = (
      Person.named("a", in: context), Person.named("b", in: context),
      Person.named("c", in: context)
    )
    #expect(Set(context.insertedObjects) == [a, b, c])
    try context.save()
    a.age = 1
    b.age = 1
    b.delete()
    let d = Person.named("d", in: context)
    #expect(context.insertedObjects == [d])
    #expect(context.updatedObjects == [a])
    #expect(context.deletedObjects == [b])
    context.processPendingChanges()
    #expect(context.insertedObjects == [d] && context.updatedObjects == [a])
    #expect(context.deletedObjects == [b] && b.isDeleted)
    #expect(Set(context.registeredObjects) == [a, b, c, d])
  }

  @Test func `a merge keeps the edits of all events among the changed values`() throws {
    let bench = try Bench()
    let (context, sibling) = (bench.child(), bench.child())
    let people = (0..<8).map { Person.named("p\($0)", in: context) }
    try context.save()
    // More in the first event than in the second one, so that the two are kept apart.
    for person in people { person.name += "!" }
    context.processPendingChanges()
    people[0].age = 5
    context.processPendingChanges()
    let merged = Locked<ContextChange?>(nil)
    let observation = sibling.observe { change in
      if change.kind == .didSave { merged.withLock { $0 = change } }
    }
    try Person.find(people[0].objectID, in: sibling)?.email = "new"
    try sibling.save()
    let change = try #require(merged.withLock { $0 })
    context.mergeChanges(fromContextDidSave: change)
    withExtendedLifetime(observation) {
      #expect(people[0].email == "new" && people[0].age == 5 && people[0].name == "p0!")
      #expect(Set(people[0].changedValues().keys) == ["name", "age"])
      #expect(people[0].committedValues()["name"] == .text("p0"))
      #expect(people[0].committedValues()["email"] == .text("new"))
    }
  }

  @Test func `an edit of a deleted object is not saved and does no harm`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let person = Person.named("a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    person.delete()
    context.processPendingChanges()
    person.name = "b"
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  /// How an edit ends that another context's deletion then meets.
  enum Ending: CaseIterable { case refresh, undo, rollback }

  @Test(arguments: Ending.allCases)
  func `what another context has deleted is not among the deleted objects`(
    _ ending: Ending
  ) throws {
    let bench = try Bench()
    let context = bench.child()
    context.automaticallyMergesChangesFromParent = true
    let person = context.performAndWait { local in
      local.context.undoManager = UndoManager()
      return Person.named("jack", in: local.context)
    }
    try context.saveAndWait(toPersistentStore: true)
    context.performAndWait { _ in person.name = "jill" }
    try context.performAndWait { local in
      switch ending {
      case .refresh: local.context.refresh(person, mergeChanges: false)
      case .undo: try local.context.undo()
      case .rollback: local.context.rollback()
      }
    }
    try bench.stack.saveAndWait { try Person.findFirst(in: $0)?.delete() }
    context.performAndWait { local in
      // A fault knows nothing of the deletion before it is read.
      #expect((try? local.existingObject(with: person.objectID)) == nil)
      #expect(person.isDeleted && !local.context.hasChanges && !person.hasChanges)
      #expect(local.context.deletedObjects.isEmpty)
      person.name = "joe"
      #expect(!person.hasChanges && !local.context.hasChanges)
    }
  }

  @Test func `what another context has deleted stays so in a save that did not delete it`() throws {
    let bench = try Bench()
    let context = bench.child()
    context.automaticallyMergesChangesFromParent = true
    let (person, other) = context.performAndWait { local in
      (Person.named("jack", in: local.context), Person.named("jim", in: local.context))
    }
    try context.saveAndWait(toPersistentStore: true)
    context.performAndWait { local in
      person.delete()
      local.context.processPendingChanges()
      other.name = "tim"
      local.context.refresh(person, mergeChanges: false)
      #expect(person.name == "jack" && !person.isDeleted)
    }
    try bench.stack.saveAndWait { try Person.findFirst(where: \.name == "jack", in: $0)?.delete() }
    try context.performAndWait { local in
      #expect(person.isDeleted && !person.hasChanges)
      try local.context.save()
      #expect(person.isDeleted && person.managedObjectContext === local.context)
    }
  }
}
