import CauldronModel
import CauldronQuery
import CauldronStore
import TestSupport

/// A store in which a test can have somebody else write whenever a key is to be reserved at once.
final class BusyStore: ForwardingStore {
  private struct State {
    var pause: (@Sendable () -> Void)?
    var interruption: (@Sendable () -> Void)?
    var isBusy = false
    var failures = 0
    var blocks = 0
  }

  let base: any PersistentStore
  private let state = Locked(State())

  init(_ base: any PersistentStore) { self.base = base }

  /// Whether somebody else is writing; a call that may wait is let through.
  var isBusy: Bool {
    get { state.withLock { $0.isBusy } }
    set { state.withLock { $0.isBusy = newValue } }
  }

  /// How many of the next calls that may wait fail because they waited too long.
  var failures: Int {
    get { state.withLock { $0.failures } }
    set { state.withLock { $0.failures = newValue } }
  }

  /// Runs while a save has the store's lock and has written all, but has not committed.
  var pause: (@Sendable () -> Void)? {
    get { state.withLock { $0.pause } }
    set { state.withLock { $0.pause = newValue } }
  }

  /// Runs once, when a reader has its layers, and its view if it pins one, but has not read.
  var interruption: (@Sendable () -> Void)? {
    get { state.withLock { $0.interruption } }
    set { state.withLock { $0.interruption = newValue } }
  }

  /// How many blocks of keys were reserved.
  var blocks: Int { state.withLock { $0.blocks } }

  func reader() throws -> any StoreReader { BusyReader(try base.reader(), self) }

  fileprivate func interrupt() {
    let interruption = state.withLock { state in
      defer { state.interruption = nil }
      return state.interruption
    }
    interruption?()
  }

  func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    let fails = state.withLock { state in
      defer { state.failures = max(0, state.failures - 1) }
      return state.failures > 0
    }
    if fails { throw CauldronError(.storeBusy, "Locked by a test.") }
    state.withLock { $0.blocks += 1 }
    return try base.reserveKeys(count, for: root)
  }

  func reserveKeysAtOnce(_ count: Int, for root: EntityLayout) throws -> Range<Int64>? {
    if isBusy { return nil }
    state.withLock { $0.blocks += 1 }
    return try base.reserveKeysAtOnce(count, for: root)
  }

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try base.save(
      plan,
      willCommit: { survivors in
        willCommit(survivors)
        pause?()
      }, didCommit: didCommit)
  }
}

/// A reader of such a store.
private final class BusyReader: StoreReader {
  private let base: any StoreReader
  private let store: BusyStore

  init(_ base: any StoreReader, _ store: BusyStore) {
    self.base = base
    self.store = store
  }

  func pin() throws { try base.pin() }

  func fetch(_ query: StoreQuery) throws -> RowSet {
    store.interrupt()
    return try base.fetch(query)
  }

  func ids(_ query: StoreQuery, storeNumber: Int32) throws -> [ManagedObjectID] {
    store.interrupt()
    return try base.ids(query, storeNumber: storeNumber)
  }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    store.interrupt()
    return try base.rows(keys, of: entity)
  }

  func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    store.interrupt()
    return try base.row(key, of: entity)
  }

  func count(_ query: StoreQuery) throws -> Int {
    store.interrupt()
    return try base.count(query)
  }

  func finish() { base.finish() }
}
