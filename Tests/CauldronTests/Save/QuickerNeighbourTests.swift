import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronSQLite
import CauldronStore
import Dispatch
import Foundation
import TestSupport
import Testing

/// A process that writes the same rows all the time does not keep others from saving.
@Suite(.againstHanging) struct QuickerNeighbourTests {
  /// A store, and contexts on it that write to it.
  private struct Place {
    let url: URL
    let store: HastyStore
    let root: ManagedObjectContext
    let context: ManagedObjectContext

    init(_ url: URL, _ model: ManagedObjectModel) throws {
      self.url = url
      let number = StoreNumbers.next()
      let base = try SQLiteStore.open(
        url: url, model: model, storeNumber: number,
        options: SQLiteStoreOptions(synchronous: .normal))
      store = HastyStore(base, OtherConnection(url, waitingForLocks: false))
      let coordinator = PersistentStoreCoordinator(
        model: model, store: store, storeNumber: number, logger: LogCapture().logger,
        mainQueue: MainQueue(DispatchQueue(label: "test.main")))
      root = ManagedObjectContext(.private, coordinator: coordinator, name: "Root")
      context = ManagedObjectContext(.private, parent: root, name: "Child")
    }
  }

  @Test func `who writes other properties again and again is no conflict`() throws {
    let directory = try TemporaryDirectory()
    let place = try Place(directory.file("store.sqlite"), Office.model())
    let (store, context) = (place.store, place.context)
    let jack = context.performAndWait { local in
      let jack = Person.create(in: local)
      jack.name = "jack"
      return jack
    }
    try context.saveAndWait(toPersistentStore: true)
    store.act = { other, number in
      other.run("UPDATE ZPERSON SET ZEMAIL = '\(number)', Z_OPT = Z_OPT + 1")
    }
    context.performAndWait { _ in jack.age = 7 }
    try context.saveAndWait(toPersistentStore: true)
    store.act = nil
    let other = OtherConnection(place.url)
    #expect(other.integers("SELECT ZAGE FROM ZPERSON") == [7])
    #expect(other.texts("SELECT ZEMAIL FROM ZPERSON") == ["3"])
    #expect(other.integers("SELECT Z_OPT FROM ZPERSON") == [5])
    try place.root.saveAndWait(toPersistentStore: true)
    try store.close()
  }

  /// The row that it becomes is not named by what was saved, and is to be read anew all the same.
  @Test func `who writes what a new object becomes is no conflict`() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("store.sqlite")
    let place = try Place(url, Glossary.model())
    place.store.act = { other, number in
      // First somebody else has the name, and then sets other properties again and again.
      #expect(other.run(number == 1 ? Self.insertion : Self.edit(number)))
    }
    try place.context.performAndWait { context in
      try Keyword.findOrCreate(\.name, "x", in: context).count = 7
    }
    try place.context.saveAndWait(toPersistentStore: true)
    place.store.act = nil
    let other = OtherConnection(url)
    #expect(other.rows("SELECT ZNAME, ZCOUNT, ZORDER FROM ZKEYWORD") == [["x", "7", "3"]])
    try place.store.close()
  }

  private static let insertion = """
    INSERT INTO ZKEYWORD (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOUNT, ZORDER, ZTOKEN)
      SELECT 900, Z_ENT, 1, 'x', 0, 0, randomblob(16) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Keyword';
    UPDATE Z_PRIMARYKEY SET Z_MAX = 900 WHERE Z_NAME = 'Keyword'
    """

  private static func edit(_ number: Int) -> String {
    "UPDATE ZKEYWORD SET ZORDER = \(number), Z_OPT = Z_OPT + 1"
  }
}

/// A store in which somebody else is quicker whenever that is possible.
private final class HastyStore: ForwardingStore {
  let base: any PersistentStore
  private let other: OtherConnection
  private let state = Locked<(act: (@Sendable (OtherConnection, Int) -> Void)?, writes: Int)>(
    (act: nil, writes: 0))

  init(_ base: any PersistentStore, _ other: OtherConnection) {
    (self.base, self.other) = (base, other)
  }

  /// What somebody else does before each write, of which this one is given the number; nil for nothing.
  var act: (@Sendable (OtherConnection, Int) -> Void)? {
    get { state.withLock { $0.act } }
    set { state.withLock { $0.act = newValue } }
  }

  private func write() {
    guard let act else { return }
    let number = state.withLock { state in
      state.writes += 1
      return state.writes
    }
    act(other, number)
  }

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    write()
    return try base.save(plan, willCommit: willCommit, didCommit: didCommit)
  }

  func saveHolding(
    _ plan: () -> SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    write()
    let plan: () -> SavePlan = { [self] in
      // Whoever comes now waits until it is written, or gives up.
      #expect(!other.run("CREATE TABLE LATE (ID INTEGER)"))
      return plan()
    }
    return try base.saveHolding(plan, willCommit: willCommit, didCommit: didCommit)
  }
}
