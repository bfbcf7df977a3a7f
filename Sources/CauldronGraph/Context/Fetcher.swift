import CauldronLedger
package import CauldronModel
package import CauldronQuery
import CauldronStore
import Dispatch
import Logging

/// Asks the store, with the pending changes of the whole chain of contexts.
///
/// It publishes nothing: a call ends the running event first where its query has to find the event's
/// changes.
package struct Fetcher {
  let keys: ObjectKeys

  var place: Place { keys.place }
  var drafts: Drafts { keys.drafts }

  /// Finds out, after a read, whether somebody else has written to the store.
  func noticeOthers() {
    place.coordinator.noticeOthers()
    keys.walks.forgetWalks(before: place.coordinator.ledger.others.count)
  }

  /// The rows that a query selects, the pending changes of the whole chain included.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  func rows(_ query: StoreQuery) throws -> RowSet {
    let isShort = query.isPlain && query.limit.map { $0 <= 100 } ?? false
    let rows = try timed(query) {
      try read(query, isShort: isShort) { try $0.fetch($1, builder: &drafts.builder) }.0
    } count: {
      $0.count
    }
    noticeOthers()
    return rows
  }

  /// The IDs of the objects that a query selects.
  /// - Parameter includesPendingChanges: Whether unsaved changes of the chain decide, too.
  package func ids(
    _ query: StoreQuery, includesPendingChanges: Bool = true
  ) throws -> [ManagedObjectID] {
    let number = place.coordinator.storeNumber
    let ids = try timed(query) {
      try read(query, includesPendingChanges: includesPendingChanges) {
        try $0.ids($1, storeNumber: number, builder: &drafts.builder)
      }.0
    } count: {
      $0.count
    }
    noticeOthers()
    return ids
  }

  /// How many objects a query selects.
  /// - Parameter includesPendingChanges: Whether unsaved changes of the chain decide, too.
  func count(_ query: StoreQuery, includesPendingChanges: Bool = true) throws -> Int {
    try timed(query) {
      try read(query, includesPendingChanges: includesPendingChanges) {
        try $0.count($1, builder: &drafts.builder)
      }.0
    } count: {
      $0
    }
  }

  /// The rows that a query selects, to be handed to another context.
  /// - Parameter includesPendingChanges: Whether unsaved changes of the chain decide, too.
  func storage(
    _ query: StoreQuery, includesPendingChanges: Bool
  ) throws -> FetchedStorage {
    let storage = newStorage()
    let (rows, chain) = try timed(query) {
      try read(query, includesPendingChanges: includesPendingChanges) {
        try $0.fetch($1, builder: &drafts.builder)
      }
    } count: {
      $0.0.count
    }
    storage.fill(rows, seenWith: chain, of: query.entityNumbers)
    return storage
  }

  /// A storage to be filled. Commits tell it what they change from now on, which is before its rows
  /// are read.
  func newStorage() -> FetchedStorage {
    let storage = FetchedStorage(
      storeNumber: place.coordinator.storeNumber, place.coordinator.ledger.provisional)
    place.coordinator.results.add(storage)
    return storage
  }

  /// Reads for a query, which names objects by the keys that they have while it is read.
  /// - Parameters:
  ///   - includesPendingChanges: Whether unsaved changes of the chain are seen.
  ///   - isShort: Whether to read once more costs less than to pin the reader's view.
  /// - Returns: What was made of what is seen, and all layers of the chain, seen or not.
  @inline(__always)
  func read<R>(
    _ query: StoreQuery, includesPendingChanges: Bool = true, isShort: Bool = false,
    body: (Snapshot, StoreQuery) throws -> R
  ) throws -> (R, LayerChain) {
    try keys.withSettledKeys {
      let query = keys.followed(query)
      return try place.coordinator.read(for: place.node, isShort: isShort) {
        try body(includesPendingChanges ? $0 : $0.withoutLayers, query)
      }
    }
  }

  // MARK: Slow fetches

  /// Reads, and tells of it where it has taken long.
  /// - Parameter count: How many rows were found.
  @inline(__always)
  func timed<R>(
    _ query: StoreQuery, read: () throws -> R, count: (R) -> Int
  ) rethrows -> R {
    guard let limit = place.coordinator.slowFetch else { return try read() }
    let began = DispatchTime.now()
    let result = try read()
    let worked = DispatchTime.now().uptimeNanoseconds &- began.uptimeNanoseconds
    if Double(worked) > limit * 1e9 { logSlow(query, rows: count(result), began: began) }
    return result
  }

  /// Names the fetch by its statement. The store is asked for that in the background, so that the caller
  /// does not wait.
  @inline(never)
  private func logSlow(_ query: StoreQuery, rows: Int, began: DispatchTime) {
    let logger = place.coordinator.logger
    guard logger.logLevel <= .notice else { return }
    let milliseconds = began.milliseconds(to: .now())
    let (entity, context, store) = (query.entity.name, keys.settings.name, place.coordinator.store)
    let origin = place.node.place
    Self.explaining.async {
      let explanation = try? Self.explanation(of: query, store)
      let statement = explanation.map { $0.sql.isEmpty ? $0.plan.joined(separator: "; ") : $0.sql }
      var metadata: Logger.Metadata = [
        "entity": "\(entity)", "worked": "\(milliseconds) ms", "context": "\(context)",
      ]
      metadata["from"] = origin.map { "at \($0)" }
      metadata["statement"] = statement.map { "\($0)" }
      metadata.note(rows, as: "rows")
      var message = "Slow fetch of \(entity): \(milliseconds) ms for \(rows) rows"
      if let origin { message += " at \(origin)" }
      if let statement { message += ": \(statement)" }
      for index in explanation?.missingIndexes ?? [] { message += ". Missing: \(index)" }
      logger.notice("\(message).", metadata: metadata)
    }
  }

  private static func explanation(
    of query: StoreQuery, _ store: any PersistentStore
  ) throws -> QueryExplanation {
    let reader = try store.reader()
    defer { reader.finish() }
    return QueryExplanation(try reader.explain(query))
  }

  private static let explaining = DispatchQueue(label: "cauldron.explaining", qos: .utility)
}
