package import CauldronModel
import CauldronQuery
package import Foundation

/// A store that keeps its rows in memory: the reference for all others, and quick enough for tests.
///
/// Tables are copied when they are written, so a view is a copy of a few references.
package final class MemoryStore: PersistentStore {
  package let identifier = UUID().uuidString
  package var url: URL? { nil }
  private let storeNumber: Int32
  private let state: Locked<State>
  /// Held while a plan is written; `state` is held only to copy references, because `willCommit`
  /// takes locks under which others begin to read.
  // Not empty: ThreadSanitizer takes an empty value for the object's first word.
  private let writer = Locked(false)

  private struct State {
    var tables: MemoryTables
    var nextKeys: [Int32: Int64] = [:]
    var isClosed = false
  }

  /// Makes an empty store.
  package init(model: ManagedObjectModel, storeNumber: Int32) {
    self.storeNumber = storeNumber
    state = Locked(State(tables: MemoryTables(model: model)))
  }

  package func reader() throws -> any StoreReader {
    _ = try tables()
    return MemoryReader(store: self)
  }

  package func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    try withState { state in
      let first = state.nextKeys[root.rootNumber] ?? 1
      let next = first + Int64(max(count, 0))
      state.nextKeys[root.rootNumber] = next
      return first..<next
    }
  }

  package func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {
    try withState { state in
      guard state.nextKeys[root.rootNumber] == range.upperBound else { return }
      state.nextKeys[root.rootNumber] = range.lowerBound
    }
  }

  package func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try writer.withLock { _ in try write(plan, willCommit: willCommit, didCommit: didCommit) }
  }

  package func saveHolding(
    _ plan: () -> SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try writer.withLock { _ in try write(plan(), willCommit: willCommit, didCommit: didCommit) }
  }

  private func write(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    var transaction = MemoryTransaction(
      tables: try tables(), identifier: identifier, storeNumber: storeNumber)
    let receipt = transaction.run(plan)
    let survivors = receipt.survivors
    guard !survivors.isEmpty else { return receipt }
    willCommit(survivors)
    var committed: SaveReceipt?
    defer { didCommit(committed) }
    try withState { $0.tables = transaction.tables }
    committed = receipt
    return receipt
  }

  package func close() throws {
    writer.withLock { _ in state.withLock { $0.isClosed = true } }
  }

  /// The rows of this moment.
  func tables() throws -> MemoryTables {
    try withState { $0.tables }
  }

  private func withState<R>(_ body: (inout State) throws -> R) throws -> R {
    try state.withLock { state in
      if state.isClosed { throw CauldronError.closed }
      return try body(&state)
    }
  }
}

/// A view of a memory store.
final class MemoryReader: StoreReader {
  private let store: MemoryStore
  private var pinned: MemoryTables?
  var cancellation: Cancellation?

  init(store: MemoryStore) { self.store = store }

  func pin() throws { pinned = try store.tables() }

  func fetch(_ query: StoreQuery) throws -> RowSet {
    let all = try table(of: query.entity)
    guard query.isPlain else { return try graphFetch(query, among: RowSet(all.values)) }
    let matcher = QueryMatcher(query)
    return RowSet(query.page(matcher.sort(matcher.select(all))))
  }

  private func graphFetch(_ query: StoreQuery, among all: RowSet) throws -> RowSet {
    let matcher = GraphMatcher(query, StoredRowSource(self))
    return try all.withRows { rows in
      let selected = try matcher.sort(matcher.select(Array(rows)))
      return RowSet(Array(query.page(selected)), among: all.memory)
    }
  }

  func ids(_ query: StoreQuery, storeNumber: Int32) throws -> [ManagedObjectID] {
    try fetch(query).ids(storeNumber)
  }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    let table = try table(of: entity)
    let numbers = StoreQuery(entity: entity).entityRange
    let found = Set(keys).compactMap { table[$0] }
    return RowSet(found.filter { numbers.contains($0.row.entityNumber) })
  }

  func count(_ query: StoreQuery) throws -> Int {
    guard query.isPlain else { return try fetch(query).count }
    let selected = try QueryMatcher(query).select(table(of: query.entity))
    return query.page(selected).count
  }

  func finish() { pinned = nil }

  private func table(of entity: EntityLayout) throws -> [Int64: HeldRow] {
    try cancellation?.check()
    return try (pinned ?? store.tables()).table(of: entity)
  }
}

extension StoreQuery {
  /// The part of a whole result that offset and limit leave.
  package func page<T>(_ all: [T]) -> ArraySlice<T> {
    all.dropFirst(max(offset, 0)).prefix(limit.map { max($0, 0) } ?? .max)
  }
}
