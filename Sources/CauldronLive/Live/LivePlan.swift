import CauldronGraph
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

/// What divides a result, as it was asked for.
struct LiveSection: Hashable, Sendable {
  let expression: QueryExpression
  let form: SectionForm

  /// What a closure makes of the values that rows are ordered by.
  var transform: RowPlan.Transform? {
    guard case .custom(let name) = form else { return nil }
    return { .text(name.body($0)) }
  }
}

/// How a section's value follows from a row's value.
enum SectionForm: Hashable, Sendable {
  case value
  case firstLetter
  case day(timeZone: String)
  case month(timeZone: String)
  case custom(SectionName)
}

/// A closure that names sections; two are equal if they are one.
final class SectionName: Hashable, Sendable {
  let body: @Sendable (AttributeScalar) -> String

  init(_ body: @escaping @Sendable (AttributeScalar) -> String) { self.body = body }

  static func == (a: SectionName, b: SectionName) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension RequestResolver {
  /// What a list of a request's objects shows.
  /// - Throws: As a fetch.
  func livePlan<Object: ManagedObject>(
    for request: FetchRequest<Object>, section: LiveSection?
  ) throws -> LivePlan {
    var query = try self.query(named: request.entityName, of: Object.self, for: request.description)
    guard isAlways(Object.self, query: query) else {
      throw CauldronError(
        .queryTypeMismatch,
        "A list of \(Object.self) cannot show \(query.entity.name), whose objects are of another class.",
        hint: "Make a list of ManagedObject, or request an entity of that class."
      ).with { $0.entity = query.entity.name }
    }
    if let section { try divide(&query, by: section, sortKeys: request.sortKeys) }
    return LivePlan(
      query, section,
      LivePlan.Arrangement(
        entity: query.entity.number, sortKeys: request.sortKeys, section: section),
      includesPendingChanges: request.includesPendingChanges)
  }

  /// Puts the section's value in front of the order, unless it leads already: downwards where the
  /// order begins with the same value downwards. Where it begins by language, or without case and
  /// diacritics, so do the sections, and then comes their exact value, so that values which are
  /// equal in that order make a section each.
  private func divide(
    _ query: inout StoreQuery, by section: LiveSection, sortKeys: [SortKey]
  ) throws {
    let isLed = sortKeys.first?.expression == section.expression
    let ascending = !isLed || sortKeys.first?.ascending != false
    var collator: Collator?
    if isLed, case .collated(let found, _) = query.sort.first?.expression { collator = found }
    let bound = try SortKey(section.expression).bound(
      to: query.entity, place.coordinator.storeNumber)
    let value: BoundExpression
    var isBehindOrder = collator != nil
    if let transform = section.form.sortTransform(collator) {
      value = .section(transform, bound.expression)
      if let collator {
        let order = BoundExpression.collated(collator, value)
        query.sort.insert(StoreQuery.SortKey(order, ascending: ascending), at: 0)
      }
    } else {
      if isLed, sortKeys.first?.isPlain == true { return }
      isBehindOrder = isLed
      value = bound.expression
    }
    query.sort.insert(
      StoreQuery.SortKey(value, ascending: ascending), at: isBehindOrder ? 1 : 0)
    try query.checkSections()
  }
}

extension SectionForm {
  /// What is sorted by in front of all else; nil for the value itself.
  /// - Parameter collator: What the same value is ordered by; nil where that is not by language.
  fileprivate func sortTransform(_ collator: Collator?) -> SectionTransform? {
    switch self {
    case .value, .custom: nil
    case .firstLetter: collator.map { .letter(locale: $0.locale) } ?? .firstLetter
    case .day(let zone): .day(timeZone: zone)
    case .month(let zone): .month(timeZone: zone)
    }
  }
}
