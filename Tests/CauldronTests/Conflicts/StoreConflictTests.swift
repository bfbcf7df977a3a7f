import Cauldron
import Testing

/// Two contexts on one coordinator meet in the store.
@Suite struct StoreConflictTests {
  private struct Scene {
    let bench: Bench
    let other: ManagedObjectContext
    let mine: Person
    let theirs: Person
  }

  private func scene(_ kind: StoreKind, _ policy: MergePolicy = .error) throws -> Scene {
    let bench = try Bench(kind)
    let other = bench.committed()
    let maker = bench.committed()
    let id = Person.named("jack", age: 1, in: maker).objectID
    try maker.save()
    bench.root.mergePolicy = policy
    return Scene(
      bench: bench, other: other, mine: try #require(try Person.find(id, in: bench.root)),
      theirs: try #require(try Person.find(id, in: other)))
  }

  @Test(arguments: StoreKind.allCases)
  func `a row that another context wrote is a conflict`(_ kind: StoreKind) throws {
    let scene = try scene(kind)
    scene.theirs.name = "theirs"
    try scene.other.save()
    scene.mine.name = "mine"
    let error = cauldronError { try scene.bench.root.save() }
    #expect(error?.code == .saveConflict)
    #expect(scene.bench.root.hasChanges && scene.mine.name == "mine")
    #expect(try Person.names(in: scene.bench.committed()) == ["theirs"])
    scene.bench.root.refresh(scene.mine, mergeChanges: true)
    try scene.bench.root.save()
    #expect(try Person.names(in: scene.bench.committed()) == ["mine"])
  }

  @Test(
    arguments: StoreKind.allCases,
    [
      (MergePolicy.mergeByPropertyStoreTrump, "theirs"), (.mergeByPropertyObjectTrump, "mine"),
      (.overwrite, "mine"), (.rollback, "theirs"),
    ])
  func `the root's policy decides at the store`(
    _ kind: StoreKind, _ expected: (MergePolicy, String)
  ) throws {
    let scene = try scene(kind, expected.0)
    scene.theirs.name = "theirs"
    try scene.other.save()
    scene.mine.name = "mine"
    try scene.bench.root.save()
    #expect(try Person.names(in: scene.bench.committed()) == [expected.1])
    #expect(!scene.bench.root.hasChanges)
  }

  @Test(arguments: StoreKind.allCases)
  func `a conflict of the root's own edits does not touch the saves beside it`(
    _ kind: StoreKind
  ) throws {
    let scene = try scene(kind)
    scene.theirs.name = "theirs"
    try scene.other.save()
    scene.mine.name = "mine"
    scene.bench.root.processPendingChanges()
    let child = scene.bench.child()
    Person.named("jill", in: child)
    try child.save()
    #expect(cauldronError { try scene.bench.root.save() }?.code == .saveConflict)
    #expect(try Person.names(in: scene.bench.committed()) == ["jill", "theirs"])
    #expect(scene.bench.root.hasChanges)
    scene.bench.root.refresh(scene.mine, mergeChanges: true)
    try scene.bench.root.save()
    #expect(try Person.names(in: scene.bench.committed()) == ["jill", "mine"])
  }
}
