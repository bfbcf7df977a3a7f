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
  package let ledger = ChangeLedger()
  package let mainQueue: MainQueue
  let cache = RowCache()
  let keys: KeyAllocator
  let classes: ObjectClassTable
  /// The contexts that take in what others save.
  let merging = Locked<[WeakCore]>([])
  /// The results of fetches that wait to be shown by another context.
  let results = FetchedResults()
  private let isClosedFlag = Locked(false)

  /// Puts contexts on top of a store.
  package init(
    model: ManagedObjectModel, store: any PersistentStore, storeNumber: Int32, logger: Logger,
    mainQueue: MainQueue = .standard
  ) {
    managedObjectModel = model
    self.store = store
    self.storeNumber = storeNumber
    self.logger = logger
    self.mainQueue = mainQueue
    keys = KeyAllocator(store: store)
    classes = ObjectClassTable(model)
    StoreNumbers.register(self, storeNumber)
  }

  /// The store's UUID, which object URIs carry.
  public var storeIdentifier: String { store.identifier }

  /// The store's file; nil in memory.
  public var storeURL: URL? { store.url }

  /// Whether `close()` was called.
  public var isClosed: Bool { isClosedFlag.withLock { $0 } }

  /// Gives unused keys back and closes the store; later use throws `stack.closed`.
  package func close() throws {
    let wasClosed = isClosedFlag.withLock { flag in
      defer { flag = true }
      return flag
    }
    guard !wasClosed else { return }
    keys.close(managedObjectModel)
    cache.removeAll()
    try store.close()
  }

  func layout(_ id: ManagedObjectID) -> EntityLayout? {
    id.storeNumber == storeNumber ? managedObjectModel.layout(number: id.entityNumber) : nil
  }
}
