import CauldronModel
import CauldronQuery
import CauldronStore
import TestSupport

/// A store that lets a test act at moments that are too short to be hit by chance.
///
/// `@unchecked Sendable` because the hook is set before the store is used, and the tests that set
/// one run on a single thread.
final class HookStore: ForwardingStore, @unchecked Sendable {
  enum Moment: CaseIterable {
    /// The commit has not begun.
    case beforeSave
    /// A reader has the mark of the last commit, and has not fixed its view.
    case pinning
    /// A reader has fixed its view, and has no layers yet.
    case pinned
    /// The ledger knows that the commit begins; readers do not see it yet.
    case committing
    /// Readers see the commit; the ledger still has its layers.
    case committed
    /// A reader has its layers, and its view if it pins one, but has not read.
    case reading
  }

  let base: any PersistentStore
  var hook: ((Moment) -> Void)?
  /// Whether the next save is refused before anything is written.
  var refusesNext = false

  init(_ base: any PersistentStore) { self.base = base }

  func reader() throws -> any StoreReader { HookReader(try base.reader(), self) }

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    let isRefused = refusesNext
    refusesNext = false
    hook?(.beforeSave)
    if isRefused { throw CauldronError(.storeBusy, "Locked by a test.") }
    return try base.save(plan) { survivors in
      willCommit(survivors)
      hook?(.committing)
    } didCommit: { receipt in
      hook?(.committed)
      didCommit(receipt)
    }
  }

  func noticeForeignWrites(_ distrust: () -> Void) { base.noticeForeignWrites(distrust) }

  func watchForeignWrites(
    distrusting distrust: @escaping @Sendable () -> Void,
    telling tell: @escaping @Sendable () -> Void
  ) throws -> (any ForeignWatch)? {
    try base.watchForeignWrites(distrusting: distrust, telling: tell)
  }
}

/// A reader of a hooked store.
private final class HookReader: StoreReader {
  private let base: any StoreReader
  private let store: HookStore
  private var pins = 0

  init(_ base: any StoreReader, _ store: HookStore) {
    self.base = base
    self.store = store
  }

  /// Twice a commit may pass meanwhile; then the next one waits for the reader, on whose thread a
  /// hook would wait for itself.
  func pin() throws {
    pins += 1
    if pins <= 2 { store.hook?(.pinning) }
    try base.pin()
    if pins <= 2 { store.hook?(.pinned) }
  }

  func fetch(_ query: StoreQuery) throws -> RowSet {
    store.hook?(.reading)
    return try base.fetch(query)
  }

  func ids(_ query: StoreQuery, storeNumber: Int32) throws -> [ManagedObjectID] {
    store.hook?(.reading)
    return try base.ids(query, storeNumber: storeNumber)
  }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    store.hook?(.reading)
    return try base.rows(keys, of: entity)
  }

  func count(_ query: StoreQuery) throws -> Int {
    store.hook?(.reading)
    return try base.count(query)
  }

  func finish() { base.finish() }
}
