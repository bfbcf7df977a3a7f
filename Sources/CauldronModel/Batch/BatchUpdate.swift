/// An update of all rows that a query selects, as stores take it: resolved, checked, and free of
/// contexts.
package struct BatchUpdate: Sendable {
  /// Which rows, in which window.
  package let query: StoreQuery
  /// What becomes of them; each property comes once.
  package let assignments: [Assignment]

  package init(_ query: StoreQuery, _ assignments: [Assignment]) {
    self.query = query
    self.assignments = assignments
  }

  /// A property and what it is set to.
  package struct Assignment: Sendable {
    package let property: PropertyLayout
    /// The value, made of what the row was before; for a reference a key, or null.
    package let value: BoundExpression
    /// The entity of the object that a reference is set to; nil for all else.
    package let target: EntityLayout?

    package init(_ property: PropertyLayout, _ value: BoundExpression, target: EntityLayout? = nil)
    {
      self.property = property
      self.value = value
      self.target = target
    }
  }

  /// The properties that are set.
  package var changed: PropertySet { PropertySet(assignments.map(\.property.index)) }

  /// Whether each new value is made of its own row alone, and no other row's change can be in it.
  package var isOfRows: Bool {
    let entity = StoreQuery(entity: query.entity)
    return QueryReach(entity, assignments.map(\.value), nil).branches.isEmpty
  }
}

/// What a store has done at once, by one way of its own: the keys of the rows.
package struct BatchReceipt: Sendable {
  /// The keys of the changed rows, in ascending order, by entity.
  package var updated: [(entity: EntityLayout, keys: [Int64])] = []
  /// The statements that ran.
  package var statementCount = 0
  /// The keys of the rows whose derived attributes have other values now, by entity.
  package var touched: [(entity: EntityLayout, keys: [Int64])] = []

  package init() {}

  /// How many rows were changed.
  package var count: Int { updated.reduce(0) { $0 + $1.keys.count } }
}
