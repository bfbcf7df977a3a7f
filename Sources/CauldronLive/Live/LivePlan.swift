import CauldronLedger
import CauldronList
import CauldronModel
import CauldronQuery

/// What a list shows: a query that was looked at once, with what has to be known to keep its result right.
struct LivePlan: Sendable {
  let rows: RowPlan
  let window: ListWindow
  /// Whether unsaved changes of the context and its ancestors decide.
  let includesPendingChanges: Bool
  /// What must be equal for the places of two results to be comparable.
  let order: Arrangement
  let reach: QueryReach
  /// Tells by a row alone whether it is selected; nil where others decide, too.
  let selector: QueryMatcher?
  let watch: LiveWatch
  /// How many keys had been exchanged when the query got the keys that its objects have.
  private(set) var exchangeCount: UInt32 = 0

  /// How a result is ordered and divided, as it was asked for.
  struct Arrangement: Hashable, Sendable {
    let entity: Int32
    let sortKeys: [SortKey]
    let section: LiveSection?
  }

  init(
    _ query: StoreQuery, _ section: LiveSection?, _ order: Arrangement, includesPendingChanges: Bool
  ) {
    var result = query
    result.limit = nil
    result.offset = 0
    // Without an order the rows lie by their keys, so that each has one place.
    result.isByKey = query.sort.isEmpty
    rows = RowPlan(result, isDivided: section != nil, transform: section?.transform)
    window = ListWindow(offset: query.offset, limit: query.limit)
    self.includesPendingChanges = includesPendingChanges
    self.order = order
    reach = QueryReach(result)
    var condition = StoreQuery(entity: query.entity)
    condition.includesSubentities = query.includesSubentities
    condition.predicate = query.predicate
    selector = condition.isPlain ? QueryMatcher(condition) : nil
    watch = LiveWatch(reach, tellsOwners: true)
  }

  /// The same for the keys that objects have now.
  func followed(_ keys: ProvisionalKeys) -> LivePlan {
    let count = keys.exchangeCount
    if count == exchangeCount { return self }
    var plan = LivePlan(
      self, query.mappingKeys { key, entity in keys.final(key, entity: entity.number) })
    plan.exchangeCount = count
    return plan
  }

  private init(_ other: LivePlan, _ query: StoreQuery) {
    var query = query
    query.limit = other.window.limit
    query.offset = other.window.offset
    self.init(
      query, other.order.section, other.order,
      includesPendingChanges: other.includesPendingChanges)
  }

  /// The query for all of the result.
  var query: StoreQuery { rows.query }

  /// The query for as much as is held at first.
  var firstQuery: StoreQuery {
    var query = query
    query.limit = window.capacity
    return query
  }

  /// Whether no other rows have to be read to look at one.
  var isLocal: Bool { watch.isLocal }

  /// Whether a closure of the program names the sections.
  var runsCode: Bool { order.section?.transform != nil }
}

extension LivePlan {
  /// What rows are sorted by, a column for each sort key, where the rows alone do not tell.
  func columns(
    _ rows: [RowPointer], from source: any RowSource
  ) throws -> [[AttributeScalar]] {
    if self.rows.isPlain { return [] }
    let evaluation = RowEvaluation(source)
    return try query.sort.map { try evaluation.values($0.expression, rows) }
  }
}
