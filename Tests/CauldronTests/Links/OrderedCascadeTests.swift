import Cauldron
import TestSupport
import Testing

@Entity final class Imprint: ManagedObject {
  var name: String = ""
  @Relationship(inverse: \Record.imprint, deleteRule: .cascade) var records: ToMany<Record>
}

@Entity final class Record: ManagedObject {
  var name: String = ""
  @Relationship var imprint: Imprint?
  @Relationship(inverse: \Collector.shelf) var collectors: ToMany<Collector>
  @Relationship(inverse: \Cut.record) var cuts: OrderedToMany<Cut>
  /// What takes the record's places when it is deleted.
  static let successors = Locked<[ManagedObjectID: ManagedObjectID]>([:])

  override func prepareForDeletion() {
    guard let id = Self.successors.withLock({ $0[objectID] }), let context = managedObjectContext,
      let successor = context.object(with: id) as? Record
    else { return }
    for collector in collectors { collector.shelf.append(successor) }
  }
}

@Entity final class Collector: ManagedObject {
  var name: String = ""
  @Relationship var shelf: OrderedToMany<Record>
}

@Entity final class Cut: ManagedObject {
  var title: String = ""
  @Relationship var record: Record?
}

/// An edit of an order that was not read carries on what the event has deleted, and follows from what is left.
@Suite(.againstHanging, .ownThread) struct OrderedCascadeTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let (imprint, record, next, collector): (Imprint, Record, Record, Collector)

  init() throws {
    bench = try Bench(
      model: ManagedObjectModel(Imprint.self, Record.self, Collector.self, Cut.self))
    let maker = bench.child("Maker")
    let first = Record.create(in: maker)
    first.name = "a"
    first.imprint = .create(in: maker)
    let second = Record.create(in: maker)
    second.name = "b"
    Collector.create(in: maker).shelf.append(first)
    try maker.saveAndWait(toPersistentStore: true)
    context = bench.child()
    imprint = try #require(try Imprint.findFirst(in: context))
    record = try #require(try Record.findFirst(where: \.name == "a", in: context))
    next = try #require(try Record.findFirst(where: \.name == "b", in: context))
    collector = try #require(try Collector.findFirst(in: context))
  }

  /// What is on the collector's shelf in the store.
  private func stored() throws -> [String] {
    try Collector.findFirst(in: bench.committed())?.shelf.map(\.name) ?? []
  }

  typealias Edit = @Sendable (Collector, Record) -> Void
  static let edits: [Edit] = [
    { $0.shelf.append($1) },
    { $1.collectors.insert($0) },
    { $1.collectors.formUnion([$0]) },
    {
      $0.shelf.remove($1)
      $0.shelf.append($1)
    },
  ]

  @Test(arguments: edits.indices, [false, true])
  func `what goes with its owner is put into no list`(_ number: Int, isWalked: Bool) throws {
    if isWalked { #expect(collector.shelf.count == 1) }
    imprint.delete()
    Self.edits[number](collector, record)
    context.processPendingChanges()
    #expect(record.isDeleted && collector.shelf.isEmpty && !collector.shelf.contains(record))
    try context.saveAndWait(toPersistentStore: true)
    #expect(collector.shelf.isEmpty)
    #expect(try stored() == [])
  }

  @Test(arguments: [false, true])
  func `a reference to what goes with its owner is nil`(_ isWalked: Bool) throws {
    if isWalked { #expect(record.cuts.isEmpty) }
    let cut = Cut.create(in: context)
    context.processPendingChanges()
    imprint.delete()
    cut.record = record
    context.processPendingChanges()
    #expect(record.isDeleted && cut.record == nil)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Cut.findFirst(in: bench.committed())?.record == nil)
  }

  @Test func `what a hook links meanwhile is the one link of the two`() throws {
    let ids = (record.objectID, next.objectID)
    Record.successors.withLock { $0[ids.0] = ids.1 }
    defer { Record.successors.withLock { $0[ids.0] = nil } }
    imprint.delete()
    collector.shelf.append(next)
    collector.shelf.remove(next)
    context.processPendingChanges()
    let shown = collector.shelf.map(\.name)
    #expect(!collector.shelf.contains(next))
    try context.saveAndWait(toPersistentStore: true)
    #expect(try stored() == shown)
  }

  @Test func `many that are put in again are told of as moved alone`() throws {
    nonisolated(unsafe) let (told, taken) = (collector, record)
    let times = context.timesTold {
      !told.shelf.contains(taken)
    } during: {
      record.collectors.remove(collector)
      record.collectors.insert(contentsOf: [collector])
      context.processPendingChanges()
    }
    #expect(times == 0)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try stored() == ["a"])
  }

  @Test func `what comes back into the middle of a list is followed by what is added`()
    throws
  {
    for title in "abc" { record.cuts.append(Self.cut(String(title), in: context)) }
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    record.cuts.remove(at: 1)
    context.processPendingChanges()
    try context.saveAndWait(toPersistentStore: true)
    #expect(record.cuts.map(\.title) == ["a", "c"])
    try context.undo()
    record.cuts.append(Self.cut("d", in: context))
    #expect(record.cuts.map(\.title) == ["a", "b", "c", "d"])
    try context.saveAndWait(toPersistentStore: true)
    let there = try Record.findFirst(where: \.name == "a", in: bench.committed())
    #expect(there?.cuts.map(\.title) == ["a", "b", "c", "d"])
  }

  private static func cut(_ title: String, in context: ManagedObjectContext) -> Cut {
    let cut = Cut.create(in: context)
    cut.title = title
    return cut
  }
}
