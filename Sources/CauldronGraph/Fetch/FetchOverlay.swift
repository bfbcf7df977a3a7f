import CauldronModel

/// Lays the pending changes of a chain of contexts over what the store answers.
struct FetchOverlay {
  private let query: StoreQuery
  private let chain: LayerChain
  private let matcher: QueryMatcher
  /// The keys of stored rows that a layer changed or deleted, by concrete entity.
  private var changed: [Int64: EntityLayout] = [:]
  /// The rows that a layer inserted and no later layer changed.
  private var inserted: [RowPointer] = []
  /// The keys that a layer inserted and a later one changed.
  private var insertedAndChanged: [Int64: EntityLayout] = [:]

  init(_ query: StoreQuery, _ chain: LayerChain) {
    self.query = query
    self.chain = chain
    matcher = QueryMatcher(query)
    let numbers = query.entityNumbers
    let sets = chain.layers.flatMap(\.changes.entities)
      .filter { numbers.contains($0.entity.number) }
    for set in sets {
      for update in set.updated { changed[update.row.key] = set.entity }
      for deletion in set.deleted { changed[deletion.key] = set.entity }
    }
    for set in sets { addInserted(set) }
  }

  private mutating func addInserted(_ set: EntityChanges) {
    if changed.isEmpty, !chain.overlapsCommit {
      inserted += set.inserted
      return
    }
    for row in set.inserted {
      if changed.removeValue(forKey: row.key) != nil {
        insertedAndChanged[row.key] = set.entity
      } else if insertedAndChanged[row.key] == nil {
        inserted.append(row)
      }
    }
  }

  /// The rows that the chain's context sees.
  func fetch(_ reader: any StoreReader, _ builder: inout RowBuilder) throws -> FetchedRows {
    var storeQuery = query
    storeQuery.offset = 0
    storeQuery.limit = query.limit.map { $0 + query.offset + changed.count + overlapping }
    let stored = try reader.fetch(storeQuery)
    var blocks = stored.blocks
    var candidates = try self.candidates(reader, &builder, &blocks)
    let kept = stored.rows.filter { !isOverlaid($0.key) }
    if !query.sort.isEmpty { candidates.sort { matcher.precedes($0, $1) } }
    let merged = query.sort.isEmpty ? kept + candidates : merge(kept, candidates)
    let start = min(query.offset, merged.count)
    let end = query.limit.map { min(start + $0, merged.count) } ?? merged.count
    let isWhole = start == 0 && end == merged.count
    return FetchedRows(rows: isWhole ? merged : Array(merged[start..<end]), blocks: blocks)
  }

  /// How many rows the chain's context sees.
  func count(_ reader: any StoreReader, _ builder: inout RowBuilder) throws -> Int {
    var storeQuery = query
    storeQuery.offset = 0
    storeQuery.limit = nil
    var blocks: [RowBlock] = []
    let total = try reader.count(storeQuery)
    let hidden = try storedRows(reader, overlaidKeys, &blocks).filter { matcher.selects($0) }
    let shown = try candidates(reader, &builder, &blocks)
    let all = total - hidden.count + shown.count
    let rest = max(0, all - query.offset)
    return query.limit.map { min($0, rest) } ?? rest
  }

  /// The rows that layers changed or inserted and that the query selects now.
  private func candidates(
    _ reader: any StoreReader, _ builder: inout RowBuilder, _ blocks: inout [RowBlock]
  ) throws -> [RowPointer] {
    var result = inserted.filter { matcher.selects($0) }
    let stored = try storedRows(reader, Array(changed.keys), &blocks)
    let byKey = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
    for (key, entity) in changed { append(key, entity, byKey[key], &builder, &result) }
    for (key, entity) in insertedAndChanged { append(key, entity, nil, &builder, &result) }
    builder.close()
    blocks.append(builder.block)
    for layer in chain.layers {
      for set in layer.changes.entities where set.entity.isKind(of: query.entity) {
        blocks += set.blocks
      }
    }
    return result.sorted { $0.key < $1.key }
  }

  private func append(
    _ key: Int64, _ entity: EntityLayout, _ stored: RowPointer?, _ builder: inout RowBuilder,
    _ result: inout [RowPointer]
  ) {
    let id = ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: 0)
    guard let row = chain.compose(stored, id, entity, &builder), matcher.selects(row) else {
      return
    }
    result.append(row)
  }

  private func storedRows(
    _ reader: any StoreReader, _ keys: [Int64], _ blocks: inout [RowBlock]
  ) throws -> [RowPointer] {
    guard !keys.isEmpty else { return [] }
    let list = try reader.rows(keys, of: query.entity)
    blocks += list.blocks
    return list.rows
  }

  // Where a commit is being written, the store may show inserted rows already.

  private var overlapping: Int { chain.overlapsCommit ? inserted.count : 0 }

  private var overlaidKeys: [Int64] {
    Array(changed.keys) + Array(insertedAndChanged.keys)
      + (chain.overlapsCommit ? inserted.map(\.key) : [])
  }

  private func isOverlaid(_ key: Int64) -> Bool {
    if changed[key] != nil || insertedAndChanged[key] != nil { return true }
    guard chain.overlapsCommit else { return false }
    return chain.layers.contains { layer in
      layer.changes.entities.contains { set in
        guard set.entity.root === query.entity.root, case .inserted = set.change(key) else {
          return false
        }
        return true
      }
    }
  }

  private func merge(_ a: [RowPointer], _ b: [RowPointer]) -> [RowPointer] {
    if b.isEmpty { return a }
    var result: [RowPointer] = []
    result.reserveCapacity(a.count + b.count)
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if matcher.precedes(b[j], a[i]) {
        result.append(b[j])
        j += 1
      } else {
        result.append(a[i])
        i += 1
      }
    }
    return result + a[i...] + b[j...]
  }
}
