import CauldronModel
import CauldronQuery
import CauldronStore
import TestSupport

/// A store that counts what is asked of it.
final class CountingStore: ForwardingStore {
  /// What readers have given out.
  struct Tally: Sendable {
    /// The calls, each a statement at least.
    var calls = 0
    /// The rows.
    var rows = 0
    /// How many rows questions for a number may look at; nil for all of them.
    var counted: [Int?] = []
    /// The lines of value queries.
    var lines = 0
  }

  let base: any PersistentStore
  private let tally = Locked(Tally())

  init(_ base: any PersistentStore) { self.base = base }

  func reader() throws -> any StoreReader { CountingReader(try base.reader(), self) }

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try base.save(plan, willCommit: willCommit, didCommit: didCommit)
  }

  /// What was asked while a block ran, and what it answers.
  func tally<R>(_ body: () throws -> R) rethrows -> (asked: Tally, answer: R) {
    tally.withLock { $0 = Tally() }
    let answer = try body()
    return (tally.withLock { $0 }, answer)
  }

  fileprivate func note(_ change: (inout Tally) -> Void) {
    tally.withLock { tally in
      tally.calls += 1
      change(&tally)
    }
  }
}

/// A reader of such a store.
private final class CountingReader: StoreReader {
  private let base: any StoreReader
  private let store: CountingStore

  init(_ base: any StoreReader, _ store: CountingStore) {
    self.base = base
    self.store = store
  }

  func pin() throws { try base.pin() }

  func fetch(_ query: StoreQuery) throws -> RowSet {
    let rows = try base.fetch(query)
    store.note { $0.rows += rows.count }
    return rows
  }

  func ids(_ query: StoreQuery, storeNumber: Int32) throws -> [ManagedObjectID] {
    let list = try base.ids(query, storeNumber: storeNumber)
    store.note { $0.rows += list.count }
    return list
  }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    let rows = try base.rows(keys, of: entity)
    store.note { $0.rows += rows.count }
    return rows
  }

  func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    store.note { $0.rows += 1 }
    return try base.row(key, of: entity)
  }

  func count(_ query: StoreQuery) throws -> Int {
    store.note { $0.counted.append(query.limit) }
    return try base.count(query)
  }

  func values(_ query: ValueQuery) throws -> [[AttributeScalar]] {
    let lines = try base.values(query)
    store.note { $0.lines += lines.count }
    return lines
  }

  func greatestKey(of root: EntityLayout) throws -> Int64 {
    store.note { $0.rows += 1 }
    return try base.greatestKey(of: root)
  }

  func columns(_ properties: [PropertyLayout], of query: StoreQuery) throws -> RowSet {
    let rows = try base.columns(properties, of: query)
    store.note { $0.lines += rows.count }
    return rows
  }

  func finish() { base.finish() }
}
