import Cauldron
import TestSupport
import Testing

@Suite(.againstHanging) struct CachedRowTests {
  @Test(arguments: StoreKind.allCases)
  func `a cached row is shown only where nothing waits above it`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let parent = bench.child("Parent")
    let maker = bench.child("Maker", of: parent)
    let id = Person.named("0", in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    // Has the row in the cache from now on.
    #expect(try name(id, in: other) == "0")
    for round in 1...3 {
      let before = "\(round - 1)"
      #expect(try name(id, in: bench.child("Before", of: parent)) == before)
      let editor = bench.child("Editor", of: parent)
      (try editor.existingObject(with: id) as? Person)?.name = "\(round)"
      #expect(try name(id, in: bench.child("Sibling", of: parent)) == before)
      try editor.save()
      #expect(try name(id, in: bench.child("Child", of: parent)) == "\(round)")
      #expect(try name(id, in: bench.child("Aside")) == before)
      #expect(try name(id, in: bench.committed()) == before)
      if round == 2 {
        parent.performAndWait { local in local.context.rollback() }
        #expect(try name(id, in: bench.child("After", of: parent)) == before)
        let again = bench.child("Again", of: parent)
        (try again.existingObject(with: id) as? Person)?.name = "2"
        try again.save()
      }
      try parent.saveAndWait(toPersistentStore: true)
      #expect(try name(id, in: bench.child("Later", of: parent)) == "\(round)")
      #expect(try name(id, in: bench.committed()) == "\(round)")
    }
  }

  private func name(_ id: ManagedObjectID, in context: ManagedObjectContext) throws -> String? {
    try context.performAndWait { local in
      try (local.existingObject(with: id) as? Person)?.name
    }
  }
}
