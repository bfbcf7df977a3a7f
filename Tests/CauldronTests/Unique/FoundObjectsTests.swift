import Cauldron
import CauldronGraph
import CauldronModel
import CauldronSQLite
import Dispatch
import TestSupport
import Testing

/// What a context has found by unique values is found again without asking the store, and never where
/// it has other values by then.
@Suite(.againstHanging) struct FoundObjectsTests {
  @Test func `what was found or created before costs no statement`() throws {
    let directory = try TemporaryDirectory()
    let model = try Glossary.model()
    let number = StoreNumbers.next()
    let store = CountingStore(
      try SQLiteStore.open(
        url: directory.file("store.sqlite"), model: model, storeNumber: number,
        options: SQLiteStoreOptions(synchronous: .normal)))
    let coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: LogCapture().logger,
      mainQueue: MainQueue(DispatchQueue(label: "test.main")))
    let context = ManagedObjectContext(.private, coordinator: coordinator, name: "Context")
    let tag = try Keyword.findOrCreate(\.name, "a", in: context)
    let pending = try store.tally { try Keyword.findOrCreate(\.name, "a", in: context) }
    #expect(pending.answer === tag && pending.asked.calls == 0)
    try context.saveAndWait(toPersistentStore: true)
    // The row that was saved is read once, by its key.
    let saved = try store.tally { try Keyword.findOrCreate(\.name, "a", in: context) }
    #expect(saved.answer === tag && saved.asked.calls <= 1)
    let again = try store.tally { try Keyword.findOrCreate(\.name, "a", in: context) }
    #expect(again.answer === tag && again.asked.calls == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func `an object that has other values here is not found by the former ones`(
    _ kind: StoreKind
  ) throws {
    let bench = try Glossary.bench(kind)
    let context = bench.child()
    let tag = try Keyword.findOrCreate(\.name, "a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    tag.name = "b"
    let second = try Keyword.findOrCreate(\.name, "a", in: context)
    #expect(second !== tag && second.isInserted)
    #expect(try Keyword.findOrCreate(\.name, "b", in: context) === tag)
    context.delete(second)
    #expect(try Keyword.findOrCreate(\.name, "a", in: context) !== second)
    context.rollback()
    #expect(try Keyword.findOrCreate(\.name, "a", in: context) === tag)
  }

  @Test(arguments: StoreKind.allCases)
  func `what others have renamed or deleted meanwhile is not found`(_ kind: StoreKind) throws {
    let bench = try Glossary.bench(kind)
    let parent = bench.child("Parent")
    let context = bench.child("Context", of: parent)
    let tag = try Keyword.findOrCreate(\.name, "a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let sibling = bench.child("Sibling", of: parent)
    try #require(try Keyword.findFirst(\.name, "a", in: sibling)).name = "b"
    try sibling.save()
    let second = try Keyword.findOrCreate(\.name, "a", in: context)
    #expect(second.objectID != tag.objectID)
    try context.save()
    sibling.processPendingChanges()
    sibling.delete(try #require(try Keyword.findFirst(\.name, "a", in: sibling)))
    try sibling.save()
    let third = try Keyword.findOrCreate(\.name, "a", in: context)
    #expect(third.isInserted && third.objectID != second.objectID)
  }

  @Test func `what another program has renamed is not found, once it has been noticed`() throws {
    let bench = try Glossary.bench(.file)
    let context = bench.child()
    let tag = try Keyword.findOrCreate(\.name, "a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let url = try #require(bench.stack.coordinator.storeURL)
    #expect(OtherConnection(url).run("UPDATE ZKEYWORD SET ZNAME = 'b', Z_OPT = Z_OPT + 1"))
    #expect(try Keyword.count(where: \.name == "b", in: context) == 1)
    let second = try Keyword.findOrCreate(\.name, "a", in: context)
    #expect(second.objectID != tag.objectID)
  }
}
