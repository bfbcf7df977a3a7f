import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronStore
import Foundation

/// A store as it was at one moment: all of its readers are one reader whose view is fixed.
///
/// `@unchecked Sendable` because the reader is only reached with the lock held.
final class PinnedStore: PersistentStore, @unchecked Sendable {
  let identifier: String
  let url: URL?
  private let lock = NSLock()
  private var view: (any StoreReader)?
  /// Why the view is given up; nil while it lasts.
  private var end: CauldronError?

  init(_ base: any PersistentStore) throws {
    identifier = base.identifier
    url = base.url
    let reader = try base.reader()
    do {
      try reader.pin()
    } catch {
      reader.finish()
      throw error
    }
    view = reader
  }

  deinit { view?.finish() }

  func reader() throws -> any StoreReader { PinnedReader(self) }

  /// Gives the view up, once the call under way has ended; further ones throw.
  func finish(_ error: CauldronError) {
    lock.withLock {
      if end == nil { end = error }
      view?.finish()
      view = nil
    }
  }

  /// Reads, one call at a time.
  func reading<R>(
    _ cancellation: Cancellation?, body: (any StoreReader) throws -> R
  ) throws -> R {
    try lock.withLock {
      guard let view else { throw end ?? CauldronError.closed() }
      view.cancellation = cancellation
      return try body(view)
    }
  }

  func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    throw CauldronError.readOnlyBlock
  }

  func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {}

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt { throw CauldronError.readOnlyBlock }

  func close() throws {}
}

/// A reader of the fixed view; that ends with its store.
private final class PinnedReader: StoreReader {
  private let store: PinnedStore
  var cancellation: Cancellation?

  init(_ store: PinnedStore) { self.store = store }

  func pin() throws {}

  func fetch(_ query: StoreQuery) throws -> RowSet {
    try store.reading(cancellation) { try $0.fetch(query) }
  }

  func ids(_ query: StoreQuery, storeNumber: Int32) throws -> [ManagedObjectID] {
    try store.reading(cancellation) { try $0.ids(query, storeNumber: storeNumber) }
  }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    try store.reading(cancellation) { try $0.rows(keys, of: entity) }
  }

  func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    try store.reading(cancellation) { try $0.row(key, of: entity) }
  }

  func count(_ query: StoreQuery) throws -> Int {
    try store.reading(cancellation) { try $0.count(query) }
  }

  func values(_ query: ValueQuery) throws -> [[AttributeScalar]] {
    try store.reading(cancellation) { try $0.values(query) }
  }

  func columns(_ properties: [PropertyLayout], of query: StoreQuery) throws -> RowSet {
    try store.reading(cancellation) { try $0.columns(properties, of: query) }
  }

  func greatestKey(of root: EntityLayout) throws -> Int64 {
    try store.reading(cancellation) { try $0.greatestKey(of: root) }
  }

  func explain(_ query: StoreQuery) throws -> StoreExplanation {
    try store.reading(cancellation) { try $0.explain(query) }
  }

  func finish() {}
}

extension CauldronError {
  /// A block that reads has tried to write.
  static var readOnlyBlock: CauldronError {
    CauldronError(
      .storeReadOnly, "Cannot save: the context is one of a block that only reads.",
      hint: "Change objects in Stack.save { … }.")
  }

  /// A block has read for longer than it may.
  static func readTooLong(_ seconds: Double, at place: String) -> CauldronError {
    CauldronError(
      .storeReadTooLong, "The read at \(place) has lasted longer than \(seconds) s.",
      hint: "Read in several blocks, or raise configuration.readLimit.")
  }
}
