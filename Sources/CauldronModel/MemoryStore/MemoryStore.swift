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
      let first = state.nextKeys[root.root.number] ?? 1
      let next = first + Int64(max(count, 0))
      state.nextKeys[root.root.number] = next
      return first..<next
    }
  }

  package func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {
    try withState { state in
      guard state.nextKeys[root.root.number] == range.upperBound else { return }
      state.nextKeys[root.root.number] = range.lowerBound
    }
  }

  package func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try writer.withLock { _ in try write(plan, willCommit, didCommit) }
  }

  package func saveHolding(
    _ plan: () -> SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try writer.withLock { _ in try write(plan(), willCommit, didCommit) }
  }

  private func write(
    _ plan: SavePlan, _ willCommit: ([Int]) -> Void, _ didCommit: (SaveReceipt?) -> Void
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
