import Cauldron
import TestSupport
import Testing

/// Whoever became a pending object does without it where that one is refused.
@Suite(.againstHanging) struct RefusedSurvivorTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let first: ManagedObjectContext
  private let second: ManagedObjectContext
  private let before: ManagedObjectContext

  /// The first one's save will be refused at the root, for "taken".
  init() throws {
    bench = try Glossary.bench(.file)
    parent = bench.child("Parent")
    first = bench.child("First", of: parent)
    second = bench.child("Second", of: parent)
    before = bench.child("Before")
    Keyword.named("taken", in: before)
    Keyword.named("taken", in: first)
  }

  private func saveAll() throws -> [Keyword] {
    try before.saveAndWait(toPersistentStore: true)
    _ = try? parent.saveAndWait(toPersistentStore: true)
    return try Keyword.findAll(where: \.name == "x", in: bench.committed())
  }

  @Test(arguments: [
    MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ])
  func `what was created is inserted as it was made`(_ policy: MergePolicy) throws {
    let a = Keyword.named("x", in: first)
    (a.count, a.kind) = (1, "first")
    let b = Keyword.named("x", in: second)
    (b.order, b.kind) = (2, "second")
    let remark = Remark.create(in: second)
    remark.tag = b
    try first.save()
    try second.save(mergePolicy: policy)
    let stored = try saveAll()
    #expect(stored.map(\.order) == [2] && stored.map(\.kind) == ["second"])
    #expect(stored.map(\.count) == [0] && stored.map(\.remarks.count) == [1])
    #expect(first.hasChanges && !second.hasChanges)
  }

  @Test func `what was claimed is inserted without the values of the other save`() throws {
    try Keyword.findOrCreate(\.name, "x", in: first).count = 1
    try Keyword.findOrCreate(\.name, "x", in: second).order = 2
    try first.save()
    try second.save()
    let stored = try saveAll()
    #expect(stored.map(\.order) == [2] && stored.map(\.count) == [0])
  }

  @Test func `what was changed of it afterwards is saved, too`() throws {
    Keyword.named("x", in: first).count = 1
    let b = Keyword.named("x", in: second)
    b.order = 2
    try first.save()
    try second.save(mergePolicy: .mergeByPropertyStoreTrump)
    b.kind = "later"
    try second.save()
    let stored = try saveAll()
    #expect(stored.map(\.kind) == ["later"] && stored.map(\.order) == [2])
  }
}
