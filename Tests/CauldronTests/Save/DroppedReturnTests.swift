import Cauldron
import TestSupport
import Testing

/// What came back, and is rolled back before anybody has looked at it.
@Suite(.againstHanging) struct DroppedReturnTests {
  @Test func `a created object that came back is told of as deleted, and is gone`() throws {
    let bench = try Bench()
    let first = bench.child("First")
    Person.named("first", in: first).email = "taken"
    try first.saveAndWait(toPersistentStore: true)
    let context = bench.child("Child")
    let changes = Locked<[ContextChange]>([])
    let observation = context.observe { change in changes.withLock { $0.append(change) } }
    context.performAndWait { local in
      let person = Person.named("second", in: local.context)
      person.email = "taken"
      #expect(throws: Never.self) { try local.save() }
      changes.withLock { $0 = [] }
      // Nothing of the root's own is refused, so that its save does not fail.
      _ = try? bench.root.saveAndWait(toPersistentStore: true)
      #expect(bench.root.performAndWait { !$0.hasChanges })
      local.context.rollback()
      #expect(local.context.registeredObject(for: person.objectID) == nil)
      let told = changes.withLock { $0 }
      #expect(told.flatMap(\.inserted).isEmpty)
      #expect(told.flatMap(\.deleted) == [person.objectID])
    }
    withExtendedLifetime(observation) {}
  }
}
