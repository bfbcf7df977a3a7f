/// A view of a memory store.
final class MemoryReader: StoreReader {
  private let store: MemoryStore
  private var pinned: MemoryTables?
  var cancellation: Cancellation?

  init(store: MemoryStore) { self.store = store }

  func pin() throws { pinned = try store.tables() }

  func fetch(_ query: StoreQuery) throws -> RowSet {
    let all = try table(of: query.entity).values
    guard query.isPlain else { return try graphFetch(query, RowSet(all)) }
    let matcher = QueryMatcher(query)
    let selected =
      all
      .filter { matcher.selects($0.row) }
      .sorted { matcher.precedes($0.row, $1.row) }
    return RowSet(query.page(selected))
  }

  private func graphFetch(_ query: StoreQuery, _ all: RowSet) throws -> RowSet {
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
    let matcher = QueryMatcher(query)
    let selected = try table(of: query.entity).values.filter { matcher.selects($0.row) }
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
