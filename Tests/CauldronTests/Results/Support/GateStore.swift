import CauldronModel
import CauldronQuery
import CauldronStore
import TestSupport

/// A store at whose calls a test can wait, act or fail.
///
/// Nobody tells of what others commit but the test itself, unless `isWatched`.
final class GateStore: ForwardingStore {
  enum Moment: Sendable {
    /// A reader has fixed its view, and has no layers yet.
    case pinned
    /// A reader is about to read rows.
    case reading
    /// A reader is about to count rows.
    case counting
    /// A save has the store's lock and has written all, and the commit has not begun.
    case committing
  }

  let base: any PersistentStore
  private let isWatched: Bool
  private let hook = Locked<(@Sendable (Moment) throws -> Void)?>(nil)

  init(_ base: any PersistentStore, isWatched: Bool) {
    (self.base, self.isWatched) = (base, isWatched)
  }

  /// Has something done at each of the moments, on the thread that is there.
  func onMoment(_ body: (@Sendable (Moment) throws -> Void)?) { hook.withLock { $0 = body } }

  fileprivate func pass(_ moment: Moment) throws { try hook.withLock { $0 }?(moment) }

  func reader() throws -> any StoreReader { GateReader(try base.reader(), self) }

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    let willCommit: ([Int]) -> Void = { survivors in
      try? self.pass(.committing)
      willCommit(survivors)
    }
    return try base.save(plan, willCommit: willCommit, didCommit: didCommit)
  }

  func watchForeignWrites(
    distrusting distrust: @escaping @Sendable () -> Void,
    telling tell: @escaping @Sendable () -> Void
  ) throws -> (any ForeignWatch)? {
    isWatched ? try base.watchForeignWrites(distrusting: distrust, telling: tell) : nil
  }
}

/// A reader of such a store.
private final class GateReader: StoreReader {
  private let base: any StoreReader
  private let store: GateStore

  init(_ base: any StoreReader, _ store: GateStore) { (self.base, self.store) = (base, store) }

  func pin() throws {
    try base.pin()
    try store.pass(.pinned)
  }

  func fetch(_ query: StoreQuery) throws -> RowSet {
    try store.pass(.reading)
    return try base.fetch(query)
  }

  func ids(_ query: StoreQuery, storeNumber: Int32) throws -> [ManagedObjectID] {
    try store.pass(.reading)
    return try base.ids(query, storeNumber: storeNumber)
  }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    try store.pass(.reading)
    return try base.rows(keys, of: entity)
  }

  func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    try store.pass(.reading)
    return try base.row(key, of: entity)
  }

  func count(_ query: StoreQuery) throws -> Int {
    try store.pass(.counting)
    return try base.count(query)
  }

  func finish() { base.finish() }
}
