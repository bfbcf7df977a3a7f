import Cauldron
import TestSupport
import Testing

/// A context that goes away leaves what its children have saved into it to its parent.
@Suite(.againstHanging) struct BequestTests {
  private let bench: Bench
  private let id: ManagedObjectID

  init() throws {
    bench = try Bench()
    let context = bench.child()
    let person = Person.named("first", age: 1, in: context)
    id = person.objectID
    try context.saveAndWait(toPersistentStore: true)
  }

  /// Saves an age into a context that goes away at once; `meanwhile` runs before that.
  private func leave(_ age: Int, meanwhile: () throws -> Void = {}) throws {
    let middle = bench.child("Middle")
    let leaf = bench.child("Leaf", of: middle)
    try Person.find(id, in: leaf)?.age = age
    try leaf.save()
    try meanwhile()
  }

  @Test func `what was saved into it reaches the parent, and objects there`() throws {
    let person = try bench.root.performAndWait { try Person.find(id, in: $0) }
    #expect(bench.root.performAndWait { _ in person?.age } == 1)
    try leave(2)
    #expect(bench.root.performAndWait { _ in person?.age } == 2)
    #expect(bench.isDirty(bench.root))
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try Person.find(id, in: bench.committed())?.age == 2)
  }

  @Test func `a newer change in the parent is not overwritten`() throws {
    try leave(2) {
      let sibling = bench.child("Sibling")
      try Person.find(id, in: sibling)?.age = 3
      try sibling.save()
    }
    #expect(
      bench.log.messages().contains { $0.hasPrefix("Could not save Leaf: Cannot save") })
    let other = bench.child("Other")
    Person.named("second", in: other)
    try other.saveAndWait(toPersistentStore: true)
    #expect(try Person.find(id, in: bench.committed())?.age == 3)
    #expect(try Person.count(in: bench.committed()) == 2)
  }
}
