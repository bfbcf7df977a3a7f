package import CauldronModel

/// A query prepared for many rows: selects and orders them without allocating.
package struct QueryMatcher: Sendable {
  private let entityNumbers: ClosedRange<Int32>
  package let predicate: BoundPredicate?
  package let test: RowTest?
  private let sort: [SortStep]

  private struct SortStep {
    let value: RowValue
    let ascending: Bool
  }

  /// Compiles the predicate and the sort keys of a query, which must be plain; see `GraphMatcher`.
  package init(_ query: StoreQuery) {
    assert(query.isPlain, "A row alone does not answer the query.")
    entityNumbers = query.entityRange
    predicate = query.predicate
    test = query.predicate.map(RowTest.init)
    sort = query.sort.compactMap { key in
      key.property.map { SortStep(value: RowValue($0), ascending: key.ascending) }
    }
  }

  /// Whether a row is of an entity that the query asks for and its predicate holds.
  package func selects(_ row: RowPointer) -> Bool {
    entityNumbers.contains(row.entityNumber) && (test?.matches(row) ?? true)
  }

  /// Whether `a` comes before `b`: by the sort keys, then by ascending row key.
  package func precedes(_ a: RowPointer, _ b: RowPointer) -> Bool {
    for step in sort {
      let order = step.value.order(a, b)
      if order != 0 { return (order < 0) == step.ascending }
    }
    return a.key < b.key
  }

  /// The rows of a table that the query selects, in no order.
  package func select(_ table: [Int64: HeldRow]) -> [HeldRow] {
    table.values.filter { selects($0.row) }
  }

  /// Rows in the order of the query.
  package func sort(_ rows: [HeldRow]) -> [HeldRow] {
    rows.sorted { precedes($0.row, $1.row) }
  }
}

/// The relationships that a query follows, as a tree from its entity on: whose rows can change what
/// it answers, and by which of their properties.
package struct QueryReach {
  package let entity: EntityLayout
  /// Those properties of the entity's own rows whose change can matter.
  package private(set) var properties = PropertySet()
  /// Whether it asks for sums, which not every row may have.
  package private(set) var hasSums = false
  package private(set) var branches: [Branch] = []

  /// A relationship, and what is followed behind it.
  package struct Branch {
    package let property: PropertyLayout
    package fileprivate(set) var reach: QueryReach
  }

  private init(_ entity: EntityLayout) { self.entity = entity }

  package init(_ query: StoreQuery) {
    self.init(query.entity)
    if let predicate = query.predicate { add(predicate) }
    for key in query.sort { add(key.expression) }
  }

  /// What a query follows, with expressions and a condition on groups.
  package init(_ query: StoreQuery, _ expressions: [BoundExpression], _ having: BoundPredicate?) {
    self.init(query)
    for expression in expressions { add(expression) }
    if let having { add(having) }
  }

  /// The numbers of all entities whose rows matter, join tables included.
  package var entityNumbers: Set<Int32> {
    var result = Set(entity.family.map(\.entity.number))
    for branch in branches {
      result.formUnion(branch.reach.entityNumbers)
      if let join = branch.property.join { result.insert(join.entity.number) }
    }
    return result
  }

  private mutating func add(_ predicate: BoundPredicate) {
    switch predicate {
    case .and(let nodes), .or(let nodes): for node in nodes { add(node) }
    case .not(let node): add(node)
    case .exists(let property, let node): follow(property) { $0.add(node) }
    case .compare(let a, _, let b), .search(let a, _, let b):
      add(a)
      add(b)
    case .matches(let value, _), .member(let value, _): add(value)
    case .isNull(let property), .comparison(let property, _, _), .text(let property, _, _),
      .isIn(let property, _), .refersTo(let property, _):
      properties.insert(property.index)
    case .constant, .isSelf, .isAfter: break
    }
  }

  private mutating func add(_ expression: BoundExpression) {
    switch expression {
    case .constant, .decimal: break
    case .attribute(let property): properties.insert(property.index)
    case .related(let property, let value): follow(property) { $0.add(value) }
    case .aggregate(let gathering):
      if gathering.aggregate == .sum { hasSums = true }
      follow(gathering.relationship) { reach in
        if let value = gathering.value { reach.add(value) }
        if let condition = gathering.condition { reach.add(condition) }
      }
    case .grouped(_, let value): if let value { add(value) }
    case .arithmetic(_, let a, let b):
      add(a)
      add(b)
    case .function(_, let value), .folded(_, let value), .collated(_, let value),
      .section(_, let value), .zeroForNil(let value):
      add(value)
    case .conditional(let condition, let a, let b):
      add(condition)
      add(a)
      add(b)
    }
  }

  /// What a relationship leads to depends on the property that keeps it, in the rows of one end; or
  /// on links, which are rows of their own.
  private mutating func follow(_ property: PropertyLayout, _ body: (inout QueryReach) -> Void) {
    guard let destination = property.destination else { return }
    if property.kind == .toOne { properties.insert(property.index) }
    let known = branches.firstIndex { $0.property.index == property.index }
    if known == nil {
      branches.append(Branch(property: property, reach: QueryReach(destination.entity)))
    }
    let place = known ?? branches.count - 1
    if property.kind == .toMany, property.join == nil {
      let inverse = destination.entity.properties[destination.inverse]
      branches[place].reach.properties.insert(inverse.index)
    }
    body(&branches[place].reach)
    if branches[place].reach.hasSums { hasSums = true }
  }
}
