import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite(.againstHanging, .ownThread) struct DerivedAttributeTests {
  @Test(arguments: StoreKind.allCases)
  func `the saving context and those that merge show the number after the save`(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench.tomes(kind)
    let context = bench.child()
    let tome = Tome.titled("a", leaves: 3, in: context)
    #expect(tome.leafCount == 0)
    try context.saveAndWait(toPersistentStore: true)
    #expect(tome.leafCount == 3)
    let shown = try bench.onMain { try Tome.findAll(in: $0) }
    bench.onMain { _ in #expect(shown.map(\.leafCount) == [3]) }
    let other = bench.committed()
    let held = try #require(try Tome.findFirst(in: other))
    #expect(held.leafCount == 3)
    tome.addLeaf(9, in: context)
    #expect(tome.leafCount == 3)
    try context.saveAndWait(toPersistentStore: true)
    #expect(tome.leafCount == 4 && !tome.hasChanges)
    #expect(comesTrueSoon { bench.onMain { _ in shown[0].leafCount } == 4 })
    other.processPendingChanges()
    #expect(try Tome.findFirst(in: other) === held && held.leafCount == 4)
    let direct = bench.committed()
    try #require(try Tome.findFirst(in: direct)).addLeaf(10, in: direct)
    try direct.save()
    #expect(try Tome.findFirst(in: direct)?.leafCount == 5)
  }

  @Test(arguments: StoreKind.allCases)
  func `who awaits a save of the main context sees the number after it`(
    _ kind: StoreKind
  ) async throws {
    let bench = try Bench.tomes(kind)
    let main = bench.mainContext
    let seen = Locked<[Int]>([])
    nonisolated(unsafe) let tome = bench.onMain { Tome.titled("a", leaves: 3, in: $0) }
    try await main.save(toPersistentStore: true)
    bench.main.sync { seen.withLock { $0.append(tome.leafCount) } }
    _ = bench.onMain { tome.addLeaf(1, in: $0) }
    await withCheckedContinuation { continuation in
      main.save(toPersistentStore: true) { _, _ in
        seen.withLock { $0.append(tome.leafCount) }
        continuation.resume()
      }
    }
    #expect(seen.withLock { $0 } == [3, 4])
  }

  @Test(arguments: StoreKind.allCases)
  func `an old number in an edit does not come back`(_ kind: StoreKind) throws {
    let bench = try Bench.tomes(kind)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let tome = Tome.titled("a", leaves: 1, in: first)
    try first.saveAndWait(toPersistentStore: true)
    tome.title = "b"
    let same = try #require(try Tome.findFirst(in: second))
    same.addLeaf(2, in: second)
    try second.saveAndWait(toPersistentStore: true)
    // The first context has a row with the old number, and the version is the same.
    try first.saveAndWait(toPersistentStore: true)
    let observer = bench.committed()
    #expect(try observer.leafCounts() == ["b": 2])
    #expect(try bench.onMain { try $0.leafCounts() } == ["b": 2])
    #expect(try bench.root.performAndWait { try $0.context.leafCounts() } == ["b": 2])
  }

  @Test(arguments: StoreKind.allCases)
  func `conditions and orders reach it, and lists stay right`(_ kind: StoreKind) throws {
    let bench = try Bench.tomes(kind)
    let maker = bench.child()
    for (title, count) in [("a", 0), ("b", 2), ("c", 4)] {
      Tome.titled(title, leaves: count, in: maker)
    }
    try maker.saveAndWait(toPersistentStore: true)
    let list = try bench.onMain { main in
      let query = Tome.where(\.leafCount > 1).sorted(by: \.leafCount)
      let list = FetchedResultsController(query, in: main)
      try list.performFetchAndWait()
      return list
    }
    func titles() -> [String] { list.snapshot.values(of: \.title) }
    #expect(titles() == ["b", "c"])
    let a = try #require(try Tome.findFirst(\.title, "a", in: maker))
    for number in 0..<3 { a.addLeaf(number, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    #expect(comesTrueSoon { titles() == ["b", "a", "c"] }, "\(titles())")
    let b = try #require(try Tome.findFirst(\.title, "b", in: maker))
    b.leaves.objects.first?.delete()
    try maker.saveAndWait(toPersistentStore: true)
    #expect(comesTrueSoon { titles() == ["a", "c"] }, "\(titles())")
  }

  @Test(arguments: StoreKind.allCases)
  func `batches keep it, and their contexts show it`(_ kind: StoreKind) throws {
    let bench = try Bench.tomes(kind)
    let context = bench.child()
    let (a, b) = (
      Tome.titled("a", leaves: 4, in: context), Atlas.titled("b", leaves: 1, in: context)
    )
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Leaf.where(\.number >= 2).batchDelete(in: context).deleted == 2)
    #expect(try context.leafCounts() == ["a": 2, "b": 1])
    let id = b.objectID
    try context.batchUpdate(
      FetchRequest<Leaf>(), [BatchAssignment("tome", .object(id))])
    #expect(try context.leafCounts() == ["a": 0, "b": 3] && a.leafCount == 0)
    _ = try Leaf.batchInsert([7, 8], in: context) { row, number in
      row.number = number
      row.tome = b.objectID
    }
    #expect(try context.leafCounts() == ["a": 0, "b": 5] && b.leafCount == 5)
  }

  @Test(arguments: StoreKind.allCases)
  func `nobody sets it`(_ kind: StoreKind) throws {
    let bench = try Bench.tomes(kind)
    let context = bench.child()
    let tome = Tome.titled("a", leaves: 1, in: context)
    #expect(tome.changedValues().keys.sorted() == ["leaves", "title"])
    let sentence =
      "Tome.leafCount is derived from \"leaves.@count\" by the store and cannot be set."
      + " Change what it is derived from."
    let error = cauldronError { try tome.setValue(7, forKey: "leafCount") }
    #expect(error?.code == .queryUnsupported && error?.description == sentence)
    try context.saveAndWait(toPersistentStore: true)
    let batch = cauldronError {
      let value = BatchAssignment("leafCount", .expression(.value(.integer(9))))
      try context.batchUpdate(FetchRequest<Tome>(), [value])
    }
    #expect(batch?.description == sentence && tome.leafCount == 1)
    let insertion = cauldronError {
      try Tome.batchInsert(0..<1, in: context) { row, _ in row.leafCount = 3 }
    }
    #expect(insertion?.description == sentence)
  }

  @Test func `a connection of another program is followed`() throws {
    let bench = try Bench.tomes()
    let context = bench.committed()
    let tome = Tome.titled("a", leaves: 1, in: context)
    try context.save()
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(!other.run("INSERT INTO ZLEAF (Z_PK, Z_ENT, Z_OPT, ZTOME) VALUES (900, 1, 1, 1)"))
    other.registerTriggerFunctions()
    #expect(other.run("INSERT INTO ZLEAF (Z_PK, Z_ENT, Z_OPT, ZTOME) VALUES (900, 1, 1, 1)"))
    #expect(try context.leafCounts() == ["a": 2] && tome.leafCount == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `who overwrites a row does not overwrite its number`(_ kind: StoreKind) throws {
    let bench = try Bench.tomes(kind)
    let (a, b) = (bench.child("A"), bench.child("B"))
    Tome.create(in: a).title = "first"
    try a.saveAndWait(toPersistentStore: true)
    let mine = try #require(try Tome.findFirst(in: a))
    mine.title = "mine"
    let theirs = try #require(try Tome.findFirst(in: b))
    theirs.title = "theirs"
    for _ in 0..<2 { Leaf.create(in: b).tome = theirs }
    try b.saveAndWait(toPersistentStore: true)
    _ = try bench.committed().existingObject(with: mine.objectID)
    a.mergePolicy = .overwrite
    try a.saveAndWait(toPersistentStore: true)
    let stored = try #require(try Tome.where(\.leafCount == 2).fetch(in: bench.committed()).first)
    #expect(stored.title == "mine" && stored.leafCount == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `who compares whole rows meets no conflict over a number that nobody can set`(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench.tomes(kind)
    let (mine, theirs) = (bench.committed(), bench.child())
    mine.mergePolicy = .strict
    let tome = Tome.titled("a", leaves: 1, in: mine)
    try mine.save()
    tome.title = "b"
    try #require(try Tome.findFirst(in: theirs)).addLeaf(2, in: theirs)
    try theirs.saveAndWait(toPersistentStore: true)
    // The edit is not published yet, and what it was made from has the old number.
    try mine.save()
    #expect(try bench.committed().leafCounts() == ["b": 2])
  }

  @Test(arguments: StoreKind.allCases, [MergePolicy.error, .strict])
  func `nor does who deletes a row of which only the number is another`(
    _ kind: StoreKind, _ policy: MergePolicy
  ) throws {
    let bench = try Bench.tomes(kind)
    let (mine, theirs) = (bench.child("Mine"), bench.child("Theirs"))
    mine.mergePolicy = policy
    let tome = Tome.titled("a", in: mine)
    try mine.saveAndWait(toPersistentStore: true)
    let same = try #require(try Tome.findFirst(in: theirs))
    same.title = "b"
    try theirs.saveAndWait(toPersistentStore: true)
    same.title = "a"
    same.addLeaf(in: theirs)
    try theirs.saveAndWait(toPersistentStore: true)
    tome.delete()
    try mine.saveAndWait(toPersistentStore: true)
    #expect(try Tome.count(in: bench.committed()) == 0)
  }
}
