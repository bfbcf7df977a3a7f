import Cauldron
import TestSupport
import Testing

/// A layer that the store refuses goes back to the context that made it.
@Suite(.againstHanging) struct ReturnedSaveTests {
  private func bench(_ kind: StoreKind) throws -> Bench {
    let bench = try Bench(kind)
    let context = bench.child()
    Person.named("first", in: context).email = "taken"
    try context.saveAndWait(toPersistentStore: true)
    return bench
  }

  @Test(arguments: StoreKind.allCases, [1, 30])
  func `a taken unique value fails, comes back, and can be mended`(
    _ kind: StoreKind, _ count: Int
  ) async throws {
    let bench = try bench(kind)
    let context = bench.child("Child", of: bench.mainContext)
    let people = (0..<count).map { Person.named("new \($0)", in: context) }
    people[0].email = "taken"
    await #expect { try await context.save(toPersistentStore: true) } throws: { error in
      let error = error as? CauldronError
      return error?.code == .saveConstraint && error?.property == "email"
        && error?.objectIDs.first == people[0].objectID
    }
    #expect(try Person.count(in: bench.committed()) == 1)
    #expect(!bench.isDirty(bench.root) && !bench.isDirty(bench.mainContext))
    #expect(context.hasChanges && people[0].isInserted && people[0].hasChanges)
    #expect(people[0].email == "taken" && !people[0].objectID.isTemporaryID)
    #expect(try Person.count(in: context) == count + 1)
    people[0].email = "free"
    try await context.save(toPersistentStore: true)
    #expect(!context.hasChanges && !people[0].hasChanges)
    #expect(try Person.count(in: bench.committed()) == count + 1)
    #expect(try Person.findFirst(where: \.email == "free", in: bench.committed()) != nil)
  }

  @Test(arguments: StoreKind.allCases, [1, 30])
  func `refused edits come back as edits`(_ kind: StoreKind, _ count: Int) async throws {
    let bench = try bench(kind)
    let context = bench.child("Child", of: bench.mainContext)
    let people = (0..<count).map { Person.named("new \($0)", in: context) }
    try await context.save(toPersistentStore: true)
    for person in people { person.age = 1 }
    people[0].email = "taken"
    await #expect(throws: CauldronError.self) {
      try await context.save(toPersistentStore: true)
    }
    context.processPendingChanges()
    #expect(people[0].isUpdated && people[0].changedValues().count == 2)
    #expect(people[0].committedValues()["age"] == .integer(0))
    people[0].email = nil
    try await context.save(toPersistentStore: true)
    #expect(try Person.count(where: \.age == 1, in: bench.committed()) == count)
  }

  @Test(arguments: StoreKind.allCases)
  func `what came back can be rolled back`(_ kind: StoreKind) async throws {
    let bench = try bench(kind)
    let context = bench.child("Child", of: bench.mainContext)
    let person = Person.named("new", in: context)
    try await context.save(toPersistentStore: true)
    person.email = "taken"
    Person.named("newer", in: context)
    await #expect(throws: CauldronError.self) {
      try await context.save(toPersistentStore: true)
    }
    context.rollback()
    #expect(!context.hasChanges && person.email == nil && !person.hasChanges)
    #expect(try Person.count(in: context) == 2)
    #expect(try await context.save(toPersistentStore: true) == .noChanges)
  }

  @Test(arguments: StoreKind.allCases)
  func `other saves of the same commit are written`(_ kind: StoreKind) async throws {
    let bench = try bench(kind)
    let (good, bad, late) = (bench.child("Good"), bench.child("Bad"), bench.child("Late"))
    Person.named("good", in: good)
    let wrong = Person.named("bad", in: bad)
    wrong.email = "taken"
    Person.named("late", in: late)
    for context in [good, bad, late] { try await context.save() }
    await #expect(throws: CauldronError.self) {
      try await bench.root.save(toPersistentStore: true)
    }
    #expect(try Person.names(in: bench.committed()) == ["first", "good", "late"])
    #expect(!bench.isDirty(bench.root) && bad.hasChanges && !good.hasChanges && !late.hasChanges)
    wrong.email = nil
    try await bad.save(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 4)
  }

  @Test(arguments: StoreKind.allCases)
  func `a later save that builds on a refused one comes back as well`(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let (first, second) = (bench.child("One"), bench.child("Two"))
    let wrong = Person.named("bad", in: first)
    wrong.email = "taken"
    try first.save()
    try Person.find(wrong.objectID, in: second)?.age = 5
    try second.save()
    let error = cauldronError { try bench.root.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConstraint)
    #expect(first.hasChanges && second.hasChanges && !bench.isDirty(bench.root))
    wrong.email = "free"
    try first.saveAndWait(toPersistentStore: true)
    try second.saveAndWait(toPersistentStore: true)
    let found = try Person.findFirst(where: \.email == "free", in: bench.committed())
    #expect(found?.age == 5)
  }

  @Test func `a refused save of a context that is gone goes to its parent`() async throws {
    let bench = try bench(.file)
    let parent = bench.child("Parent")
    var child: ManagedObjectContext? = bench.child("Child", of: parent)
    if let child { Person.named("bad", in: child).email = "taken" }
    try await child?.save()
    child = nil
    // The parent is asked to save it, and must not say that it did.
    await #expect { try await parent.save(toPersistentStore: true) } throws: { error in
      (error as? CauldronError)?.code == .saveConstraint
    }
    let refusals = bench.log.messages().filter { $0.hasPrefix("Could not save") }
    #expect(refusals.count == 1 && refusals[0].contains("email"))
    #expect(try Person.count(in: bench.committed()) == 1 && parent.hasChanges)
    try Person.findFirst(where: \.name == "bad", in: parent)?.email = "free"
    try await parent.save(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 2)
  }

  @Test func `unique values may be swapped on their way`() throws {
    let bench = try bench(.file)
    let context = bench.child()
    try Person.findFirst(in: context)?.email = nil
    Person.named("second", in: context).email = "taken"
    try context.saveAndWait(toPersistentStore: true)
    #expect(
      try Person.findFirst(where: \.email == "taken", in: bench.committed())?.name == "second")
  }
}
