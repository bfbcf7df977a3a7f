package import CauldronModel
package import CauldronQuery
package import CauldronStore

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

/// Which pending rows a fetch has to look at.
struct OverlayFocus {
  /// The keys that are composed one by one, from the store's row and all layers.
  var keys: [Int64: EntityLayout] = [:]
  /// The inserted rows that are tried as they are, but for those above.
  var scanned: [EntityChanges] = []
  /// The most rows of the store that may have to be hidden.
  var hidable = 0
  /// Whether `keys` has every row of the store that may have to be hidden.
  var isComplete = true
}

extension OverlayFocus {
  /// Chooses the rows; the store is asked only where a value is searched and very many rows were
  /// changed.
  init(_ query: StoreQuery, _ chain: LayerChain, _ reader: any StoreReader) throws {
    var search = FocusSearch(query: query, chain: chain, reader: reader)
    try search.run()
    self = search.focus
  }
}

/// Finds the pending rows that a fetch has to look at.
private struct FocusSearch {
  let query: StoreQuery
  let chain: LayerChain
  let reader: any StoreReader
  var focus = OverlayFocus()

  /// Below this many changed rows, composing them all is cheaper than finding out which to compose.
  private static let few = 512

  mutating func run() throws {
    let pin = query.predicate?.pin(in: query.entity).map(narrowest)
    switch pin {
    case .keys(let wanted) where wanted.count <= chain.rowCount:
      lookUp(wanted)
    case .references(let property, let wanted)
    where wanted.count <= chain.rowCount && (!chain.mayRepeatRows || query.entity.isJoin):
      try search(property, for: wanted.map { .integer($0) }, pin: pin)
    case .values(let property, let wanted)
    where wanted.count <= chain.rowCount && !chain.mayRepeatRows:
      try search(property, for: Array(wanted), pin: pin)
    default:
      scan(chain.sets(of: query))
    }
  }

  /// The wanted keys that a layer touches.
  private mutating func lookUp(_ wanted: Set<Int64>) {
    let entities = query.includesSubentities ? query.entity.family.map(\.entity) : [query.entity]
    for key in wanted {
      if let entity = entities.first(where: { chain.newest(ManagedObjectID(key, $0)) != nil }) {
        focus.keys[key] = entity
      }
    }
    focus.hidable = focus.keys.count
  }

  /// The rows in which a layer gives a property one of the values, and those in which the store
  /// does and a layer changes something else.
  private mutating func search(
    _ property: PropertyLayout, for values: [AttributeScalar], pin: PredicatePin?
  ) throws {
    let sets = chain.sets(of: query)
    let changed = sets.reduce(0) { count, set in
      let shared = chain.shares(set) ? set.inserted.count : 0
      return count + set.updated.count + set.deleted.count + shared
    }
    for set in sets {
      guard let found = set.keys(where: property, in: values) else { return scan(sets) }
      for key in found { focus.keys[key] = set.entity }
    }
    // What several contexts insert, or link, may be in the store already.
    focus.hidable =
      changed + (query.entity.isJoin || chain.sharesKeys ? focus.keys.count : 0)
    // Of the rows that refer to an object there may be many more than the limit.
    if query.entity.isJoin {
      for set in sets { addChanged(set, at: property, values: values) }
      return
    }
    guard changed > Self.few, property.kind != .toOne || query.limit == nil else {
      for set in sets { addWritten(set) }
      return
    }
    focus.isComplete = false
    var pinned = StoreQuery(entity: query.entity)
    pinned.includesSubentities = query.includesSubentities
    pinned.predicate = pin?.predicate
    let stored = try reader.fetch(pinned)
    stored.walk { row in
      guard chain.newest(ManagedObjectID(row)) != nil else { return }
      focus.keys[row.key] = sets.first { $0.entity.number == row.entityNumber }?.entity
    }
  }

  /// Of several values that are searched at once the one that fewest pending rows have: many of one
  /// kind may have been made, each with a number of its own.
  /// - Complexity: O(the fewest).
  private func narrowest(_ pin: PredicatePin) -> PredicatePin {
    guard case .values = pin, let pins = query.predicate?.valuePins(in: query.entity),
      pins.count > 1
    else { return pin }
    let sets = chain.sets(of: query)
    var most = 16
    while most < chain.rowCount {
      if let found = pins.first(where: { $0.isMet(byAtMost: most, of: sets) }) { return found }
      most *= 4
    }
    return pin
  }

  /// Every changed row one by one, and every inserted row as it is.
  private mutating func scan(_ sets: [EntityChanges]) {
    for set in sets { addWritten(set) }
    focus.scanned = sets.filter { !$0.inserted.isEmpty && !chain.shares($0) }
    focus.hidable = focus.keys.count
    // Where a commit is being written, the store may show inserted rows already.
    guard chain.mayRepeatRows else { return }
    focus.isComplete = false
    focus.hidable += focus.scanned.reduce(0) { $0 + $1.inserted.count }
  }

  /// The same for links, whose ends never change: only those that lead to the wanted objects.
  private mutating func addChanged(
    _ set: EntityChanges, at end: PropertyLayout, values: [AttributeScalar]
  ) {
    let wanted = Set(values)
    func add(_ row: RowPointer) {
      if wanted.contains(.integer(row.slot(end.index))) { focus.keys[row.key] = set.entity }
    }
    for update in set.updated { add(update.row) }
    for deletion in set.deleted { add(deletion.base) }
  }

  /// The rows of a set that the store may have, with other values.
  private mutating func addWritten(_ set: EntityChanges) {
    for update in set.updated { focus.keys[update.row.key] = set.entity }
    for deletion in set.deleted { focus.keys[deletion.key] = set.entity }
    guard chain.shares(set) else { return }
    for row in set.inserted { focus.keys[row.key] = set.entity }
  }
}

extension PredicatePin {
  /// Whether so few pending rows have the values.
  fileprivate func isMet(byAtMost most: Int, of sets: [EntityChanges]) -> Bool {
    guard case .values(let property, let wanted) = self else { return false }
    let values = Array(wanted)
    var count = 0
    for set in sets {
      guard let keys = set.keys(where: property, in: values, most: most - count) else {
        return false
      }
      count += keys.count
      if count > most { return false }
    }
    return true
  }
}

extension LayerChain {
  /// Whether several layers may insert one row of a set, and the store may have it already.
  fileprivate func shares(_ set: EntityChanges) -> Bool {
    set.entity.isJoin || sharesKeys && !set.entity.uniqueKeys.isEmpty
  }

  /// The changes to the rows that a query is about.
  package func sets(of query: StoreQuery) -> [EntityChanges] {
    let numbers = query.entityNumbers
    var result: [EntityChanges] = []
    for run in runs where run.touches(numbers) {
      for layer in run.layers {
        for set in layer.changes.entities where numbers.contains(set.entity.number) {
          result.append(set)
        }
      }
    }
    return result
  }
}

extension ManagedObjectID {
  // Layers are searched without the store's number.

  package init(_ key: Int64, _ entity: EntityLayout) {
    self.init(key: key, entityNumber: entity.number, storeNumber: 0)
  }

  package init(_ row: RowPointer) {
    self.init(key: row.key, entityNumber: row.entityNumber, storeNumber: 0)
  }
}

/// Puts stored and pending rows in the order of a query, and cuts its window out.
struct OverlayOrder {
  private let query: StoreQuery
  private let matcher: QueryMatcher
  /// How many rows from the first one on can be needed.
  let last: Int
  /// Whether pending rows come after the stored ones.
  private let pendingComeLast: Bool

  init(_ query: StoreQuery, _ matcher: QueryMatcher) {
    self.query = query
    self.matcher = matcher
    last = query.last
    pendingComeLast = query.sort.isEmpty && !query.isByKey
  }

  /// The query for the store's rows, some of which may have to be hidden.
  func storeQuery(hiding count: Int) -> StoreQuery {
    var storeQuery = query
    storeQuery.offset = 0
    storeQuery.limit = query.limit.map { _ in last + count }
    return storeQuery
  }

  /// Whether no more stored rows can be needed than are left of those that the store was asked for.
  func isEnough(_ kept: RowSet, of stored: RowSet, hiding count: Int) -> Bool {
    kept.count >= last || stored.count - count < last
  }

  /// Whether the stored rows are all that is needed: without an order pending ones come after them.
  func isFull(_ stored: RowSet) -> Bool { pendingComeLast && stored.count >= last }

  /// How many pending rows can be needed beside the stored ones.
  func wanted(after stored: RowSet) -> Int {
    pendingComeLast ? last - stored.count : last
  }

  /// The rows that come first, in order.
  func first(_ most: Int, of rows: [RowPointer]) -> [RowPointer] {
    if query.sort.isEmpty {
      return rows.sorted { $0.key < $1.key }
    }
    guard most <= 256, rows.count > 2 * most else { return rows.sorted(by: matcher.precedes) }
    var result = rows.prefix(most).sorted(by: matcher.precedes)
    for row in rows.dropFirst(most) {
      guard let worst = result.last, matcher.precedes(row, worst) else { continue }
      result.removeLast()
      result.insert(row, at: result.firstIndex { matcher.precedes(row, $0) } ?? result.count)
    }
    return result
  }

  /// Both in order; pending rows are in order already.
  func merge(_ stored: RowSet, with pending: RowSet) -> RowSet {
    if pending.isEmpty { return stored }
    guard pendingComeLast || stored.isEmpty else {
      return stored.merged(with: pending, by: matcher.precedes)
    }
    var result = stored
    result.append(contentsOf: pending)
    return result
  }

  /// The rows from the query's offset on, up to its limit.
  func window(_ rows: RowSet) -> RowSet {
    let start = min(query.offset, rows.count)
    return rows[start..<max(start, min(last, rows.count))]
  }
}
