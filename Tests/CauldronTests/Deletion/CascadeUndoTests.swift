import Cauldron
import TestSupport
import Testing

/// A cascade that comes back comes back as a whole.
@Suite(.againstHanging) struct CascadeUndoTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let root: Branch

  init() throws {
    bench = try Bench(.file, model: Branch.model())
    let maker = bench.child()
    let first = Branch.named("r", after: Branch.named("p", in: maker), in: maker)
    let a = Branch.named("a", on: first, in: maker)
    Branch.named("a1", on: a, in: maker)
    Branch.named("n", after: a, in: maker)
    try maker.saveAndWait(toPersistentStore: true)
    context = bench.child("Other")
    root = try #require(try Branch.find(first.objectID, in: context))
  }

  private func expectWhole(_ context: ManagedObjectContext) throws {
    #expect(try Branch.names(in: context) == ["a", "a1", "n", "p", "r"])
    let found = try Branch.findAll(in: context)
    let all = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) })
    #expect(all["a1"]?.trunk === all["a"] && all["a"]?.trunk === all["r"])
    #expect(all["a"]?.next === all["n"] && all["n"]?.before === all["a"])
    #expect(all["p"]?.next === all["r"] && all["r"]?.before === all["p"])
    #expect(all["r"]?.branches.count == 1 && all.values.allSatisfy { !$0.isDeleted })
  }

  @Test(arguments: [false, true])
  func `a rollback brings all back`(_ isPublished: Bool) throws {
    root.delete()
    if isPublished { context.processPendingChanges() }
    context.rollback()
    try expectWhole(context)
    #expect(!context.hasChanges)
  }

  @Test func `a refresh of the one that was deleted brings all back`() throws {
    root.delete()
    context.processPendingChanges()
    #expect(try Branch.names(in: context) == ["p"])
    context.refresh(root, mergeChanges: false)
    try expectWhole(context)
    try context.saveAndWait(toPersistentStore: true)
    try expectWhole(bench.committed())
  }

  @Test func `what the store refuses comes back, is deleted still, and can be rolled back`() throws
  {
    let theirs = bench.committed()
    let other = try #require(try Branch.findFirst(where: \.name == "a1", in: theirs))
    root.delete()
    context.processPendingChanges()
    other.garden = "theirs"
    try theirs.save()
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    #expect(try Branch.names(in: context) == ["p"] && context.hasChanges)
    try expectWhole(bench.committed())
    context.rollback()
    try expectWhole(context)
  }

  @Test(arguments: ["r", "a", "a1", "n"])
  func `a policy that keeps one of them keeps all`(_ edited: String) throws {
    let theirs = bench.committed()
    root.delete()
    context.processPendingChanges()
    try #require(try Branch.findFirst(where: \.name == edited, in: theirs)).garden = "theirs"
    try theirs.save()
    let mine = bench.committed()
    try #require(try Branch.find(root.objectID, in: mine)).delete()
    mine.processPendingChanges()
    try #require(try Branch.findFirst(where: \.name == edited, in: theirs)).garden = "again"
    try theirs.save()
    try mine.save(mergePolicy: .mergeByPropertyStoreTrump)
    try expectWhole(bench.committed())
  }
}
