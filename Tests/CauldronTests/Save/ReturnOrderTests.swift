import Cauldron
import TestSupport
import Testing

/// What comes back lies in the order in which it was made.
@Suite(.againstHanging) struct ReturnOrderTests {
  @Test func `an edit in between does not put an older edit before a newer one`() throws {
    let bench = try Bench()
    let first = bench.child("First")
    Person.named("first", in: first).email = "taken"
    try first.saveAndWait(toPersistentStore: true)
    let context = bench.child("Child", of: bench.mainContext)
    let person = Person.named("second", in: context)
    try context.saveAndWait(toPersistentStore: true)
    // The first edit is in the root when the second one is saved, and is refused by the store.
    person.email = "taken"
    person.age = 1
    try context.saveAndWait(toPersistentStore: false)
    try bench.mainContext.saveAndWait(toPersistentStore: false)
    person.age = 2
    try context.saveAndWait(toPersistentStore: false)
    _ = try? bench.root.saveAndWait(toPersistentStore: true)
    #expect(bench.root.performAndWait { !$0.hasChanges })
    // An event of its own beside the first edit, before the second one comes back as well.
    person.name = "third"
    context.processPendingChanges()
    _ = try? bench.mainContext.saveAndWait(toPersistentStore: true)
    #expect(!bench.isDirty(bench.mainContext) && !bench.isDirty(bench.root))
    context.processPendingChanges()
    #expect(person.name == "third" && person.age == 2)
    person.email = "free"
    try context.saveAndWait(toPersistentStore: true)
    let stored = try Person.findFirst(where: \.email == "free", in: bench.committed())
    #expect(stored?.age == 2)
  }
}
