import Cauldron
import TestSupport
import Testing

/// A version number that was given to a change which was then taken back is given once more, to
/// other values; so a save must not take the one for the other.
@Suite(.againstHanging) struct VersionNumberTests {
  @Test func `a change to what was taken back meets another commit with the same number`() throws {
    let bench = try Bench()
    let first = bench.child()
    let id = Person.named("first", age: 1, in: first).objectID
    try first.saveAndWait(toPersistentStore: true)

    let middle = bench.child("Middle", of: bench.root)
    let leaf = bench.child("Leaf", of: middle)
    let person = try #require(try Person.find(id, in: middle))
    person.age = 2
    middle.processPendingChanges()
    try Person.find(id, in: leaf)?.age += 10
    middle.refresh(person, mergeChanges: false)
    let other = bench.child("Other", of: bench.root)
    try Person.find(id, in: other)?.age = 5
    try other.saveAndWait(toPersistentStore: true)

    #expect(cauldronError { try leaf.save() }?.code == .saveConflict)
    #expect(try Person.find(id, in: bench.committed())?.age == 5)
  }
}
