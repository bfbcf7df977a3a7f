import CauldronModel

/// Lays the pending changes of a chain of contexts over what the store answers.
struct FetchOverlay {
  private let query: StoreQuery
  private let chain: LayerChain
  private let reader: any StoreReader
  private let order: OverlayOrder
  private let matcher: QueryMatcher
  private let focus: OverlayFocus

  init(_ query: StoreQuery, _ chain: LayerChain, _ reader: any StoreReader) throws {
    self.query = query
    self.chain = chain
    self.reader = reader
    matcher = QueryMatcher(query)
    order = OverlayOrder(query, matcher)
    focus = try OverlayFocus(query, chain, reader)
  }

  /// The rows that the chain's context sees.
  func fetch(_ builder: inout RowBuilder) throws -> FetchedRows {
    let stored = try reader.fetch(order.storeQuery(hiding: focus.hidable))
    let kept = focus.hidable == 0 ? stored.rows : stored.rows.filter { !isHidden($0) }
    if order.isFull(kept) {
      return FetchedRows(rows: order.window(kept), blocks: stored.blocks)
    }
    let below = try storedRows(composedKeys)
    let pending = candidates(below.rows, most: order.wanted(after: kept), &builder)
    let blocks = blocks(of: pending, below, builder)
    return FetchedRows(
      rows: order.window(order.merge(kept, pending)), blocks: stored.blocks + blocks)
  }

  /// How many rows the chain's context sees.
  func count(_ builder: inout RowBuilder) throws -> Int {
    var storeQuery = query
    storeQuery.offset = 0
    storeQuery.limit = nil
    let total = try reader.count(storeQuery)
    let below = try storedRows(composedKeys)
    let written = try storedRows(writtenKeys)
    let all = withExtendedLifetime((below, written)) {
      let hidden = (below.rows + written.rows).count(where: matcher.selects)
      return total - hidden + candidates(below.rows, most: .max, &builder).count
    }
    let rest = max(0, all - query.offset)
    return query.limit.map { min($0, rest) } ?? rest
  }

  /// The pending rows that the query selects, in its order.
  private func candidates(
    _ stored: [RowPointer], most: Int, _ builder: inout RowBuilder
  ) -> [RowPointer] {
    var result: [RowPointer] = []
    let byKey = Dictionary(stored.map { ($0.key, $0) }) { first, _ in first }
    for (key, entity) in focus.keys {
      let row = chain.compose(byKey[key], ManagedObjectID(key, entity), entity, &builder)
      if let row, matcher.selects(row) { result.append(row) }
    }
    builder.close()
    // The rows of a single set come in the order of their keys.
    let isOrdered =
      query.sort.isEmpty && focus.keys.isEmpty && focus.scanned.count == 1
      && focus.scanned[0].insertedRows.ascend
    for set in focus.scanned {
      let start = result.count
      matcher.select(insertedBy: set, limit: isOrdered ? most : .max, to: &result)
      if focus.keys.isEmpty { continue }
      let plain = result[start...].filter { focus.keys[$0.key] == nil }
      result.replaceSubrange(start..., with: plain)
    }
    return isOrdered ? result : order.first(most, of: result)
  }

  private func storedRows(_ keys: [Int64]) throws -> RowList {
    keys.isEmpty ? RowList() : try reader.rows(keys, of: query.entity)
  }

  /// The keys of the composed rows that may be in the store.
  private var composedKeys: [Int64] {
    if chain.mayRepeatRows { return Array(focus.keys.keys) }
    return focus.keys.compactMap { key, entity in
      chain.inserts(ManagedObjectID(key, entity)) ? nil : key
    }
  }

  /// The keys of the other rows that may be in the store already, as a commit is being written.
  private var writtenKeys: [Int64] {
    guard chain.mayRepeatRows else { return [] }
    return focus.scanned.flatMap { $0.inserted.map(\.key) }.filter { focus.keys[$0] == nil }
  }

  /// Whether a layer says what becomes of a stored row.
  private func isHidden(_ row: RowPointer) -> Bool {
    if focus.keys[row.key] != nil { return true }
    return !focus.isComplete && chain.newest(ManagedObjectID(row)) != nil
  }

  /// The memory of pending rows.
  private func blocks(
    of rows: [RowPointer], _ below: RowList, _ builder: RowBuilder
  ) -> [RowBlock] {
    if rows.count > 1_000 {
      return chain.sets(of: query).flatMap(\.blocks) + below.blocks + builder.blocks
    }
    return withExtendedLifetime(below) {
      var blocks: [RowBlock] = []
      for row in rows where blocks.last !== row.block { blocks.append(row.block) }
      return blocks
    }
  }
}
