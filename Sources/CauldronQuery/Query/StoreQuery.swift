package import CauldronModel

/// A fetch as stores take it: resolved, checked, and free of contexts.
package struct StoreQuery: Sendable {
  package let entity: EntityLayout
  package var includesSubentities = true
  package var predicate: BoundPredicate?
  package var sort: [SortKey] = []
  /// The most rows to return; nil for all.
  package var limit: Int?
  package var offset = 0
  /// Whether rows without an order come by their keys, pending ones among the others; if not,
  /// pending ones come last.
  package var isByKey = false

  package init(entity: EntityLayout) { self.entity = entity }

  /// What to sort by; nil comes first when ascending, and equal rows stay in key order.
  package struct SortKey: Sendable {
    package let expression: BoundExpression
    package let ascending: Bool

    package init(_ expression: BoundExpression, ascending: Bool) {
      self.expression = expression
      self.ascending = ascending
    }

    package init(property: PropertyLayout, ascending: Bool) {
      self.init(.attribute(property), ascending: ascending)
    }

    /// The row's own attribute; nil where more has to be known.
    package var property: PropertyLayout? { expression.property }
  }

  /// Whether a row alone tells if it is selected, and which of two comes first.
  package var isPlain: Bool {
    (predicate?.isPlain ?? true) && sort.allSatisfy { $0.property != nil }
  }

  /// The numbers of the concrete entities that it may return.
  package var entityNumbers: Set<Int32> {
    includesSubentities ? Set(entity.family.map(\.entity.number)) : [entity.number]
  }
}

/// How a store answers a query.
package struct StoreExplanation: Sendable {
  /// The statement; empty in memory.
  package let sql: String
  /// What the store does, a line for each step, indented by what it is part of.
  package let plan: [String]
  /// The properties that an index would have to have, so that not every row need be looked at.
  package let missing: [(entity: EntityLayout, properties: [PropertyLayout])]

  package init(
    sql: String, plan: [String],
    missing: [(entity: EntityLayout, properties: [PropertyLayout])] = []
  ) {
    self.sql = sql
    self.plan = plan
    self.missing = missing
  }
}

extension StoreQuery {
  /// The same query with other keys in the place of those that its condition and its order name.
  /// - Parameter key: Called with a key, and the entity of the object that has it.
  package func mappingKeys(_ key: (Int64, EntityLayout) -> Int64) -> StoreQuery {
    var copy = self
    copy.predicate = predicate?.mappingKeys(of: entity, key)
    copy.sort = sort.map { $0.mappingKeys(of: entity, key) }
    return copy
  }
}

extension StoreQuery.SortKey {
  fileprivate func mappingKeys(
    of entity: EntityLayout, _ key: (Int64, EntityLayout) -> Int64
  ) -> StoreQuery.SortKey {
    StoreQuery.SortKey(expression.mappingKeys(of: entity, key), ascending: ascending)
  }
}

extension ValueQuery {
  /// The same query with other keys in the place of all that it names.
  /// - Parameter key: Called with a key, and the entity of the object that has it.
  package func mappingKeys(_ key: (Int64, EntityLayout) -> Int64) -> ValueQuery {
    let entity = rows.entity
    var copy = self
    copy.rows = rows.mappingKeys(key)
    copy.columns = columns.map { $0.mappingKeys(of: entity, key) }
    copy.groups = groups?.map { $0.mappingKeys(of: entity, key) }
    copy.having = having?.mappingKeys(of: entity, key)
    copy.order = order.map { $0.mappingKeys(of: entity, key) }
    return copy
  }
}

extension StoreQuery {
  /// Whether `a` comes before `b`: by the sort keys, then by ascending row key.
  package func precedes(_ a: RowPointer, _ b: RowPointer) -> Bool {
    for key in sort {
      guard let property = key.property else { continue }
      let order = RowValue(property).order(a, b)
      if order != 0 { return (order < 0) == key.ascending }
    }
    return a.key < b.key
  }

  /// Whether a row is of an entity that the query asks for and its predicate holds.
  ///
  /// This compiles the predicate anew; for many rows make one `QueryMatcher`.
  package func selects(_ row: RowPointer) -> Bool {
    entityRange.contains(row.entityNumber) && (predicate?.matches(row) ?? true)
  }

  /// The numbers of the concrete entities that it may return, which follow one another.
  package var entityRange: ClosedRange<Int32> {
    let last = includesSubentities ? (entity.family.last?.entity.number ?? entity.number) : 0
    return entity.number...max(entity.number, last)
  }
}

/// Where a page of a fetch has ended: what the last row is sorted by, and its key.
package struct PageEnd: Sendable {
  package let values: [AttributeScalar]
  package let key: Int64

  package init(values: [AttributeScalar], key: Int64) {
    self.values = values
    self.key = key
  }
}

extension StoreQuery {
  /// The same query for what comes behind a row in its order, whatever was inserted or deleted before it
  /// meanwhile.
  package func following(_ end: PageEnd) -> StoreQuery {
    var query = self
    query.offset = 0
    let place = Self.place(zip(sort, end.values).map { ($0, $1) }[...], last: end.key)
    query.predicate = predicate.map { .and([$0, place]) } ?? place
    return query
  }

  private static func place(
    _ keys: ArraySlice<(key: SortKey, value: AttributeScalar)>, last: Int64
  ) -> BoundPredicate {
    guard let (key, value) = keys.first else { return .isAfter(last) }
    let rest = place(keys.dropFirst(), last: last)
    switch (key.ascending, value.isNull) {
    case (true, true): return .or([.not(key.isNil), .and([key.isNil, rest])])
    case (false, true): return .and([key.isNil, rest])
    // The first condition says nothing new, but an index serves it.
    case (true, false):
      return .and([
        key.compared(by: .greaterOrEqual, with: value),
        .or([key.compared(by: .greater, with: value), rest]),
      ])
    case (false, false):
      return .or([
        key.isNil,
        .and([
          key.compared(by: .lessOrEqual, with: value),
          .or([key.compared(by: .less, with: value), rest]),
        ]),
      ])
    }
  }
}

extension StoreQuery.SortKey {
  fileprivate var isNil: BoundPredicate {
    if let property { return .isNull(property) }
    return .compare(expression, .equal, .constant(.null))
  }

  fileprivate func compared(
    by comparison: PredicateNode.ComparisonOperator, with value: AttributeScalar
  ) -> BoundPredicate {
    if let property { return .comparison(property, comparison, value) }
    guard expression.kind == .decimal, case .text(let text) = value else {
      return .compare(expression, comparison, .constant(value))
    }
    return .compare(expression, comparison, .decimal(text))
  }
}

extension StoreQuery {
  /// Refuses sections of values without letters or days, and by days of an unknown time zone.
  /// - Throws: `query.typeMismatch` for a value that is no text or date, `query.unsupported` for an
  ///   unknown time zone.
  /// - Complexity: O(sort keys).
  package func checkSections() throws {
    for key in sort {
      if case .section(let transform, let value) = key.expression {
        try transform.check(value, in: entity)
      }
    }
  }
}

extension SectionTransform {
  fileprivate func check(_ value: BoundExpression, in entity: EntityLayout) throws {
    switch self {
    case .firstLetter, .letter:
      if value.kind != .text {
        throw Self.mismatch(value, unit: "first letter", form: "text", in: entity)
      }
    case .day(let zone): try Self.check(value, unit: "day", zone: zone, in: entity)
    case .month(let zone): try Self.check(value, unit: "month", zone: zone, in: entity)
    }
  }

  /// - Parameter form: What the values would have to be.
  private static func mismatch(
    _ value: BoundExpression, unit: String, form: String, in entity: EntityLayout
  ) -> CauldronError {
    CauldronError(
      .queryTypeMismatch,
      "Cannot make sections of \(entity.name) by the \(unit) of \"\(value.path)\", which is no \(form).",
      hint: "Name a \(form) attribute, or divide by its value."
    ).with {
      $0.entity = entity.name
      $0.property = value.path
    }
  }

  /// - Parameter unit: What sections are made of, for the sentence.
  private static func check(
    _ value: BoundExpression, unit: String, zone: String, in entity: EntityLayout
  ) throws {
    let key = value.path
    guard value.isDate else { throw mismatch(value, unit: unit, form: "date", in: entity) }
    guard ZoneDays.isKnown(zone) else {
      throw CauldronError(
        .queryUnsupported,
        "Cannot make sections of \(entity.name) by the \(unit) of \"\(key)\": no time zone is called"
          + " \"\(zone)\".",
        hint: "Give an identifier such as \"Europe/Berlin\" or \"GMT\"."
      ).with {
        $0.entity = entity.name
        $0.property = key
      }
    }
  }
}

extension BoundExpression {
  /// Whether the values are dates; other numbers have no days.
  fileprivate var isDate: Bool {
    switch self {
    case .attribute(let property): property.attributeType == .date
    case .related(_, let value): value.isDate
    case .aggregate(let gathering):
      [.minimum, .maximum].contains(gathering.aggregate) && gathering.value?.isDate == true
    default: false
    }
  }

  /// The way to the attribute, such as `employer.name`.
  fileprivate var path: String {
    switch self {
    case .attribute(let property): property.name
    case .related(let property, let value): "\(property.name).\(value.path)"
    case .aggregate(let gathering): gathering.relationship.name
    default: "SELF"
    }
  }
}

extension StoreQuery {
  /// The rows of an entity that refer to objects with the keys by a to-one property.
  package static func referrers(
    to keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout, limit: Int? = nil
  ) -> StoreQuery {
    var query = StoreQuery(entity: entity)
    query.predicate = .refersTo(property, keys)
    query.limit = limit
    return query
  }

  /// The same query for rows whose keys are not beyond one.
  package func upTo(_ key: Int64) -> StoreQuery {
    var query = self
    let bound = BoundPredicate.not(.isAfter(key))
    query.predicate = predicate.map { .and([$0, bound]) } ?? bound
    return query
  }

  /// How many rows from the first one on can be needed: a number that can be added to another one.
  package var last: Int {
    func half(_ number: Int) -> Int { min(number, .max / 4) }
    return limit.map { half($0) + half(offset) } ?? .max
  }
}

/// A fetch of values in the place of objects: columns, distinct ones, or groups.
package struct ValueQuery: Sendable {
  /// Which rows. Their order serves their window alone, which is not that of the lines.
  package var rows: StoreQuery
  /// What each line of the result has.
  package var columns: [BoundExpression] = []
  /// Whether equal lines come once.
  package var isDistinct = false
  /// What rows have in common that make one line; nil where each row makes one. None at all make one
  /// line of all rows.
  package var groups: [BoundExpression]?
  /// Which groups come.
  package var having: BoundPredicate?
  /// The order of the lines; equal ones come by what they are made of.
  package var order: [StoreQuery.SortKey] = []
  package var limit: Int?
  package var offset = 0

  package init(_ rows: StoreQuery) { self.rows = rows }

  /// Everything that the lines are made of.
  package var expressions: [BoundExpression] { columns + (groups ?? []) + order.map(\.expression) }

  /// Whether each row makes a line, so that a window of lines is one of rows.
  package var hasLineForEachRow: Bool {
    groups == nil && !isDistinct && rows.limit == nil && rows.offset == 0
  }

  /// The attributes that the columns are; nil where they or the lines are something else.
  package var plainColumns: [PropertyLayout]? {
    guard hasLineForEachRow, having == nil, !columns.isEmpty else { return nil }
    let properties = columns.compactMap(\.property).filter { $0.attributeType != nil }
    return properties.count == columns.count ? properties : nil
  }

  /// The rows that make a line each, in the order and in the window of the lines.
  package var asRows: StoreQuery {
    var rows = rows
    rows.sort = order
    rows.isByKey = true
    (rows.limit, rows.offset) = (limit, offset)
    return rows
  }

  /// What orders equal lines: the columns where each line is another one, or the groups.
  package var ties: [BoundExpression]? { isDistinct ? columns : groups }

  /// The relationships that the lines depend on.
  package var reach: QueryReach {
    QueryReach(rows, expressions, having)
  }
}
