import CauldronModel
import CauldronQuery
import CauldronStore

/// Lays the pending changes of a chain of contexts over what the store answers.
struct FetchOverlay {
  private let query: StoreQuery
  private let chain: LayerChain
  private let reader: any StoreReader
  private let order: OverlayOrder
  private let matcher: QueryMatcher
  private let focus: OverlayFocus
  /// So many rows are hidden without a second question.
  private static let few = 64

  init(_ query: StoreQuery, _ chain: LayerChain, _ reader: any StoreReader) throws {
    self.query = query
    self.chain = chain
    self.reader = reader
    matcher = QueryMatcher(query)
    order = OverlayOrder(query, matcher)
    focus = try OverlayFocus(query, chain, reader)
  }

  /// The rows that the chain's context sees.
  func fetch(_ builder: inout RowBuilder) throws -> RowSet {
    let kept = try kept()
    if order.isFull(kept) { return order.window(kept) }
    let below = try storedRows(composedKeys)
    let pending = below.withRowsByKey { stored in
      RowSet(
        candidates(stored, most: order.wanted(after: kept), builder: &builder),
        among: memory(below, builder: builder))
    }
    return order.window(order.merge(kept, with: pending))
  }

  /// The stored rows that stay, as many as can be needed.
  ///
  /// Of what may have to be hidden mostly little lies where the query looks.
  private func kept() throws -> RowSet {
    let few = min(focus.hidable, Self.few)
    let stored = try reader.fetch(order.storeQuery(hiding: few))
    let kept = focus.hidable == 0 ? stored : stored.filter { !isHidden($0) }
    if few == focus.hidable || order.isEnough(kept, of: stored, hiding: few) { return kept }
    return try reader.fetch(order.storeQuery(hiding: focus.hidable)).filter { !isHidden($0) }
  }

  /// How many rows the chain's context sees.
  ///
  /// With a limit the store counts no further than it has to.
  func count(_ builder: inout RowBuilder) throws -> Int {
    let below = try storedRows(composedKeys)
    let written = try storedRows(writtenKeys)
    let hidden = below.count(where: matcher.selects) + written.count(where: matcher.selects)
    let pending = below.withRowsByKey { candidates($0, most: .max, builder: &builder).count }
    var storeQuery = query
    storeQuery.offset = 0
    storeQuery.limit = query.limit.map { _ in max(0, order.last + hidden - pending) }
    let stored = storeQuery.limit == 0 ? 0 : try reader.count(storeQuery)
    let rest = max(0, stored - hidden + pending - query.offset)
    return query.limit.map { min($0, rest) } ?? rest
  }

  /// The pending rows that the query selects, in its order.
  private func candidates(
    _ stored: [Int64: RowPointer], most: Int, builder: inout RowBuilder
  ) -> [RowPointer] {
    var result: [RowPointer] = []
    for (key, entity) in focus.keys {
      let row = chain.compose(
        stored[key], of: ManagedObjectID(key, entity), entity: entity, builder: &builder)
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

  private func storedRows(_ keys: [Int64]) throws -> RowSet {
    keys.isEmpty ? RowSet() : try reader.rows(keys, of: query.entity)
  }

  /// The keys of the composed rows that may be in the store.
  private var composedKeys: [Int64] {
    if chain.mayRepeatRows || chain.sharesKeys { return Array(focus.keys.keys) }
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

  /// Where pending rows can lie.
  private func memory(_ below: RowSet, builder: RowBuilder) -> RowMemory {
    var memory = below.memory
    memory.keep(builder.memory)
    for set in chain.sets(of: query) { memory.keep(set.memory) }
    return memory
  }
}
