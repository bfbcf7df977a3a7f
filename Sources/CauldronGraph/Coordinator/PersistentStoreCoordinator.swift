public import CauldronModel
public import Foundation
public import Logging

/// Ties a model to a store, and holds what all contexts on it share: the ledger of pending changes,
/// the cache of rows, and the supply of keys.
///
/// - Note: It has no queue. Reads run on pooled connections wherever they are called; only the root
///   context's save writes.
public final class PersistentStoreCoordinator: Sendable {
  /// The model that the store is opened with.
  public let managedObjectModel: ManagedObjectModel
  /// Where saves and new contexts are reported.
  public let logger: Logger
  package let store: any PersistentStore
  package let storeNumber: Int32
  package let ledger: ChangeLedger
  package let mainQueue: MainQueue
  let cache: RowCache
  let keys: KeyAllocator
  /// Which objects unique values are claimed for.
  let claims: UniqueClaims
  let attachments: Attachments
  /// Who wants to know that an event has ended.
  let eventHook = EventHook()
  /// The contexts that take in what others save.
  let merging = Locked<[LedgerNode]>([])
  /// The contexts that have no handle any more and are kept for unsaved objects.
  let kept = KeptContexts()
  /// The results of fetches that wait to be shown by another context.
  let results = FetchedResults()
  /// What the descriptions of object IDs are made from, for as long as the coordinator exists.
  private let named: NamedStore
  /// Who made what was committed lately.
  let committed = CommittedSaves()
  /// Whether logs may show the values of properties.
  let showsValues: Bool
  /// After how many seconds a fetch is told of; nil for never.
  let slowFetch: Double?
  /// The saves that have not ended.
  let saves = RunningSaves()
  /// Who wants to be told at once of what other processes commit.
  let lookout = Locked(Lookout())
  /// Writes what was saved before the store is closed.
  let closing = ClosingWork()
  private let isClosedFlag = Locked(false)

  /// Puts contexts on top of a store.
  package init(
    model: ManagedObjectModel, store: any PersistentStore, storeNumber: Int32, logger: Logger,
    mainQueue: MainQueue = .standard, showsValues: Bool = false, slowFetch: Double? = nil
  ) {
    self.slowFetch = slowFetch
    attachments = Attachments()
    self.showsValues = showsValues
    managedObjectModel = model
    self.store = store
    self.storeNumber = storeNumber
    self.logger = logger
    self.mainQueue = mainQueue
    ledger = ChangeLedger(model)
    cache = RowCache(model)
    keys = KeyAllocator(store: store, provisional: ledger.provisional)
    claims = UniqueClaims(ledger: ledger, keys: keys)
    named = StoreNumbers.register(
      NamedStore(identifier: store.identifier, model: model, keys: keys), storeNumber)
  }

  /// Puts contexts on a view of another coordinator's store; objects have the same IDs in both.
  init(reading view: any PersistentStore, of base: PersistentStoreCoordinator) {
    attachments = base.attachments
    showsValues = base.showsValues
    managedObjectModel = base.managedObjectModel
    store = view
    storeNumber = base.storeNumber
    logger = base.logger
    mainQueue = base.mainQueue
    ledger = ChangeLedger(managedObjectModel)
    cache = RowCache(managedObjectModel)
    keys = KeyAllocator(store: view, provisional: ledger.provisional)
    claims = UniqueClaims(ledger: ledger, keys: keys)
    named = base.named
    slowFetch = base.slowFetch
  }

  /// The store's UUID, which object URIs carry.
  public var storeIdentifier: String { store.identifier }

  /// The store's file; nil in memory.
  public var storeURL: URL? { store.url }

  /// Whether `close()` was called.
  public var isClosed: Bool { isClosedFlag.withLock { $0 } }

  /// Waits until the saves under way have ended; those that are asked for from now on end with
  /// `stack.closed`, and so do those that have stood still for `patience` seconds.
  package func finishSaves(patience: Double) {
    let left = saves.finish(patience: patience)
    guard left > 0 else { return }
    logger.warning("The stack is closed while \(left) saves wait for queues that stand still.")
  }

  /// Ends the contexts that were kept for unsaved objects of which nobody holds one any more.
  package func endUnusedContexts() { kept.endAllUnused() }

  /// Gives unused keys back and closes the store; later use throws `stack.closed`. Where closing the
  /// store has failed, another call tries again.
  package func close() throws {
    let wasClosed = isClosedFlag.withLock { flag in
      defer { flag = true }
      return flag
    }
    guard !wasClosed else { return try store.close() }
    lookout.withLock { $0.end() }
    keys.close(managedObjectModel)
    cache.removeAll()
    attachments.end()
    try store.close()
  }

  /// The ID of an object of an entity.
  func id(_ key: Int64, _ entity: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: storeNumber)
  }

  /// The ID of a row's object.
  func id(_ row: RowPointer) -> ManagedObjectID {
    ManagedObjectID(key: row.key, entityNumber: row.entityNumber, storeNumber: storeNumber)
  }

  func layout(_ id: ManagedObjectID) -> EntityLayout? {
    id.storeNumber == storeNumber ? managedObjectModel.layout(number: id.entityNumber) : nil
  }
}
