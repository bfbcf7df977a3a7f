import Cauldron
import Logging
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

@Suite(.againstHanging) struct CascadeTests {
  /// A tree, r with a (a1, a2) and b, beside another one, s with t.
  private func plant(_ context: ManagedObjectContext, _ garden: String = "") -> Branch {
    let root = Branch.named("r", garden: garden, in: context)
    let a = Branch.named("a", on: root, garden: garden, in: context)
    Branch.named("b", on: root, garden: garden, in: context)
    for name in ["a1", "a2"] { Branch.named(name, on: a, garden: garden, in: context) }
    Branch.named("t", on: Branch.named("s", in: context), in: context)
    return root
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func `all below a deleted object goes, and nothing else`(
    _ kind: StoreKind, _ isSaved: Bool
  ) throws {
    let bench = try Bench(kind, model: Branch.model())
    let maker = bench.child()
    let root = plant(maker)
    if isSaved { try maker.saveAndWait(toPersistentStore: true) }
    let context = isSaved ? bench.child("Other") : maker
    try #require(try Branch.find(root.objectID, in: context)).delete()
    #expect(try Branch.names(in: context) == ["s", "t"])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Branch.names(in: bench.committed()) == ["s", "t"])
    #expect(try bench.root.performAndWait { try Branch.names(in: $0.context) } == ["s", "t"])
  }

  @Test func `each is told once, while its relationships are alive, and keeps its values`() throws {
    let bench = try Bench(model: Branch.model())
    let maker = bench.child()
    let id = plant(maker, "told").objectID
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Other")
    let all = try Branch.findAll(in: context)
    try #require(try Branch.find(id, in: context)).delete()
    context.processPendingChanges()
    #expect(
      Branch.notes.withLock { $0["told"]?.sorted() }
        == ["a of r: a1,a2", "a1 of a: ", "a2 of a: ", "b of r: ", "r of -: a,b"])
    let a1 = try #require(all.first { $0.name == "a1" })
    #expect(a1.isDeleted && a1.trunk?.name == "a" && a1.trunk?.trunk?.name == "r")
    #expect(context.deletedObjects.count == 5)
  }

  @Test func `a hook may delete more, which cascades, too`() throws {
    let bench = try Bench(model: Branch.model())
    let context = bench.child()
    let root = plant(context)
    Branch.named("c+s", on: root, garden: "more", in: context)
    try context.saveAndWait(toPersistentStore: true)
    root.delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Branch.count(in: bench.committed()) == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `cycles and an object that is its own trunk end`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: Branch.model())
    let maker = bench.child()
    let ring = (0..<4).map { Branch.named("\($0)", in: maker) }
    for index in 0..<4 {
      ring[index].next = ring[(index + 1) % 4]
      ring[index].trunk = ring[(index + 3) % 4]
    }
    let own = Branch.named("own", in: maker)
    own.trunk = own
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Other")
    try #require(try Branch.find(ring[2].objectID, in: context)).delete()
    #expect(try Branch.names(in: context) == ["own"])
    try #require(try Branch.find(own.objectID, in: context)).delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Branch.count(in: bench.committed()) == 0)
  }

  @Test func `edits of the same event count: who came goes along, who left stays`() throws {
    let bench = try Bench(.file, model: Branch.model())
    let maker = bench.child()
    let root = plant(maker)
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Other")
    let found = try Branch.findAll(in: context)
    let all = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) })
    let (a, b, t) = try (#require(all["a"]), #require(all["b"]), #require(all["t"]))
    a.trunk = nil
    t.trunk = b
    Branch.named("u", on: t, in: context)
    try #require(try Branch.find(root.objectID, in: context)).delete()
    context.processPendingChanges()
    #expect(try Branch.names(in: context) == ["a", "a1", "a2", "s"])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Branch.names(in: bench.committed()) == ["a", "a1", "a2", "s"])
  }

  @Test(.enabled(if: !Sanitizer.isOn, "the stack of a sanitizer's build is another one"))
  func `a chain of 100,000 needs no stack, and ends before it was saved, too`() throws {
    let bench = try Bench(model: Branch.model())
    let context = bench.child()
    let first = Branch.named("0", in: context)
    var last = first
    for _ in 1..<100_000 { last = Branch.named("", after: last, in: context) }
    first.delete()
    context.processPendingChanges()
    #expect(!context.hasChanges && last.isDeleted)
  }

  @Test(.enabled(if: !Sanitizer.isOn, "what is counted is the same without a sanitizer"))
  func `a cascade of 100,000 objects: visits and statements are counted and linear`() throws {
    let count = 100_000
    let log = LogCapture(.trace)
    let bench = try Bench(.file, model: Branch.model()) { $0.logger = log.logger }
    let maker = bench.child()
    let root = Branch.named("root", in: maker)
    for _ in 0..<count { Branch.named("", on: root, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.committed()
    let doomed = try #require(try Branch.find(root.objectID, in: context))
    let before = log.messages(.trace).count { $0.hasPrefix("SELECT") }
    doomed.delete()
    context.processPendingChanges()
    let statements = log.messages(.trace).count { $0.hasPrefix("SELECT") } - before
    // One walk of the trunk and one of each 512 branches; another statement fixes its view.
    #expect(statements > 1 && statements <= 2 * (2 + count / 512), "\(statements)")
    // Each branch once from its trunk, and once back.
    #expect(context.core.event.visits == 2 * count)
    #expect(context.deletedObjects.count == count + 1)
  }

  @Test func `one-to-one: the next goes, and the one before loses its reference`() throws {
    let bench = try Bench(.file, model: Branch.model())
    let maker = bench.child()
    let first = Branch.named("1", in: maker)
    let second = Branch.named("2", after: first, in: maker)
    Branch.named("3", after: second, in: maker)
    try maker.saveAndWait(toPersistentStore: true)
    let context = bench.child("Other")
    try #require(try Branch.find(second.objectID, in: context)).delete()
    try context.saveAndWait(toPersistentStore: true)
    let left = try Branch.findAll(in: bench.committed())
    #expect(left.map(\.name) == ["1"] && left[0].next == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `what another context cascades is gone here, too`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: Branch.model())
    let maker = bench.child()
    let id = plant(maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let (mine, theirs) = (bench.committed(), bench.committed())
    mine.automaticallyMergesChangesFromParent = true
    let seen = try Branch.findAll(sortedBy: \.name, in: mine)
    try #require(try Branch.find(id, in: theirs)).delete()
    try theirs.save()
    mine.processPendingChanges()
    #expect(seen.filter(\.isDeleted).map(\.objectID).count == 5)
    #expect(try Branch.names(in: mine) == ["s", "t"] && !mine.hasChanges)
  }
}
