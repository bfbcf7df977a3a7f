package import CauldronModel
package import CauldronQuery
import Foundation

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

extension PropertyLayout {
  /// What a row keeps of a value that was calculated; nil where the property cannot have it.
  package func kept(_ scalar: AttributeScalar) -> AttributeScalar? {
    switch (form, scalar) {
    case (_, .null): return .null
    case (.integer, .integer(let value)):
      return attributeType?.integerRange?.contains(value) ?? true ? scalar : nil
    case (.boolean, .integer(let value)): return .integer(value == 0 ? 0 : 1)
    case (.real, .integer(let value)): return real(Double(value))
    case (.real, .real(let value)): return real(value)
    case (.decimal, .integer(let value)): return .text("\(value)")
    case (.text, .text), (.decimal, .text), (.blob, .blob), (.encoded, .blob): return scalar
    case (.uuid, .blob(let data)): return data.count == 16 ? scalar : nil
    default: return nil
    }
  }

  /// As near as the type comes to it; NaN is nil.
  private func real(_ value: Double) -> AttributeScalar {
    if value.isNaN { return .null }
    return .real(attributeType == .float ? Double(Float(value)) : value)
  }

  /// Whether values of a kind are values of the property.
  package func takes(_ kind: BoundExpression.Kind) -> Bool {
    switch (BoundExpression.Kind(self), kind) {
    case (_, .nothing): true
    case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real): true
    case (.decimal, .text), (.decimal, .integer): true
    case (let own, let other): own == other
    }
  }
}
