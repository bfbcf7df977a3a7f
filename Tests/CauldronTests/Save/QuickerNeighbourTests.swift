import Cauldron
import CauldronGraph
import CauldronModel
import CauldronSQLite
import Dispatch
import Foundation
import TestSupport
import Testing

/// A process that writes the same rows all the time does not keep others from saving.
@Suite(.againstHanging) struct QuickerNeighbourTests {
  @Test func `who writes other properties again and again is no conflict`() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("store.sqlite")
    let (model, number) = (try Office.model(), StoreNumbers.next())
    let base = try SQLiteStore.open(
      url: url, model: model, storeNumber: number,
      options: SQLiteStoreOptions(synchronous: .normal))
    let store = HastyStore(base, OtherConnection(url))
    let coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: LogCapture().logger,
      mainQueue: MainQueue(DispatchQueue(label: "test.main")))
    let root = ManagedObjectContext(.private, coordinator: coordinator, name: "Root")
    let context = ManagedObjectContext(.private, parent: root, name: "Child")
    let jack = context.performAndWait { local in
      let jack = Person.create(in: local)
      jack.name = "jack"
      return jack
    }
    try context.saveAndWait(toPersistentStore: true)
    store.isHasty = true
    context.performAndWait { _ in jack.age = 7 }
    try context.saveAndWait(toPersistentStore: true)
    store.isHasty = false
    let other = OtherConnection(url)
    #expect(other.integers("SELECT ZAGE FROM ZPERSON") == [7])
    #expect(other.texts("SELECT ZEMAIL FROM ZPERSON") == ["3"])
    #expect(other.integers("SELECT Z_OPT FROM ZPERSON") == [5])
    try root.saveAndWait(toPersistentStore: true)
    try store.close()
  }
}

/// A store in which somebody else is quicker whenever that is possible.
private final class HastyStore: ForwardingStore {
  let base: any PersistentStore
  private let other: OtherConnection
  private let state = Locked((isHasty: false, writes: 0))

  init(_ base: any PersistentStore, _ other: OtherConnection) {
    (self.base, self.other) = (base, other)
  }

  var isHasty: Bool {
    get { state.withLock { $0.isHasty } }
    set { state.withLock { $0.isHasty = newValue } }
  }

  private func write() {
    let writes = state.withLock { state in
      state.writes += 1
      return state.writes
    }
    other.run("UPDATE ZPERSON SET ZEMAIL = '\(writes)', Z_OPT = Z_OPT + 1")
  }

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    if isHasty { write() }
    return try base.save(plan, willCommit: willCommit, didCommit: didCommit)
  }

  func saveHolding(
    _ plan: () -> SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    if isHasty { write() }
    let plan: () -> SavePlan = { [self] in
      // Whoever comes now waits until it is written, or gives up.
      #expect(!other.run("UPDATE ZPERSON SET ZEMAIL = 'late'"))
      return plan()
    }
    return try base.saveHolding(plan, willCommit: willCommit, didCommit: didCommit)
  }
}
