import Cauldron
import CauldronModel
import TestSupport
import Testing

/// A batch changes what a parent has edited in another property, unsaved; a child then edits on.
@Suite(.againstHanging) struct BatchBelowTests {
  @Test(arguments: StoreKind.allCases)
  func `a child that has read what a batch wrote meets no conflict`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let writer = bench.child("Writer")
    Person.named("a", age: 40, in: writer)
    try writer.saveAndWait(toPersistentStore: true)
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    try parent.performAndWait { parent in
      let person = try #require(try Person.findFirst(\.name, "a", in: parent))
      person.name = "b"
      parent.context.processPendingChanges()
      try Person.where(\.name == "a").batchUpdate(in: bench.child("Other")) { $0.age.set(50) }
      try child.performAndWait { child in
        let same = try #require(try Person.findFirst(\.name, "b", in: child))
        #expect(same.age == 50)
        same.age = 51
        try child.context.saveAndWait(toPersistentStore: false)
      }
    }
    try parent.saveAndWait(toPersistentStore: true)
    let stored = try #require(try Person.findFirst(\.name, "b", in: bench.committed()))
    #expect(stored.age == 51)
  }
}
