import Cauldron
import TestSupport
import Testing

/// A save that fails takes with it what builds on it, and nothing else.
@Suite(.againstHanging) struct SharedObjectsTests {
  private let bench: Bench
  private let one: ManagedObjectContext
  private let two: ManagedObjectContext
  private let shared: ManagedObjectID

  init() throws {
    bench = try Bench(.file)
    (one, two) = (bench.child("One"), bench.child("Two"))
    let first = bench.child("First")
    Person.named("first", in: first).email = "taken"
    let person = Person.named("shared", in: first)
    try first.saveAndWait(toPersistentStore: true)
    shared = person.objectID
  }

  private func person(in context: ManagedObjectContext) throws -> Person {
    try #require(try context.existingObject(with: shared) as? Person)
  }

  @Test func `another property of an object of a refused save is written`() throws {
    try person(in: one).email = "taken"
    try one.save()
    try person(in: two).age = 5
    try two.save()
    _ = try? bench.root.saveAndWait(toPersistentStore: true)
    let stored = try person(in: bench.committed())
    #expect(stored.age == 5 && stored.email == nil)
    #expect(!two.hasChanges && one.performAndWait { $0.hasChanges })
  }

  @Test func `what rests on a value of a refused save goes back with it`() throws {
    let changed = try person(in: one)
    changed.email = "taken"
    changed.age = 5
    try one.save()
    try person(in: two).age += 1
    try two.save()
    _ = try? bench.root.saveAndWait(toPersistentStore: true)
    #expect(try person(in: bench.committed()).age == 0)
    #expect(bench.isDirty(one) && bench.isDirty(two))
  }

  @Test func `a reference to an object that a refused save has changed is written`() throws {
    try person(in: one).email = "taken"
    try one.save()
    Passport.create(in: two).holder = try person(in: two)
    try two.save()
    _ = try? bench.root.saveAndWait(toPersistentStore: true)
    #expect(try Passport.findFirst(in: bench.committed())?.holder?.objectID == shared)
  }
}
