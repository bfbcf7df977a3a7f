package import CauldronModel

/// An expression whose paths are resolved to the properties of an entity, and whose types are
/// checked.
package indirect enum BoundExpression: Sendable {
  case constant(AttributeScalar)
  /// A decimal number as it is spelt.
  case decimal(String)
  /// An attribute or a to-one relationship of the row itself.
  case attribute(PropertyLayout)
  /// An expression of the object that a to-one relationship leads to; nil where it leads nowhere.
  case related(PropertyLayout, BoundExpression)
  /// What is gathered from the objects of a to-many relationship.
  case aggregate(Gathering)
  /// What is gathered from the rows of a group; a count of them has no value.
  case grouped(QueryExpression.Aggregate, BoundExpression?)
  case arithmetic(QueryExpression.Arithmetic, BoundExpression, BoundExpression)
  case function(QueryExpression.Function, BoundExpression)
  /// A text as it is compared where case or diacritics are ignored.
  case folded(TextOptions, BoundExpression)
  /// The bytes by which a text is ordered where that is by language and number.
  case collated(Collator, BoundExpression)
  /// What a list makes sections of.
  case section(SectionTransform, BoundExpression)
  /// 0 in the place of nil.
  case zeroForNil(BoundExpression)
  case conditional(BoundPredicate, BoundExpression, BoundExpression)

  /// What is gathered, and from which objects.
  package struct Gathering: Sendable {
    package let aggregate: QueryExpression.Aggregate
    package let relationship: PropertyLayout
    /// An expression of the objects; nil for a count of them.
    package let value: BoundExpression?
    package let condition: BoundPredicate?
  }

  /// What the values are; texts, bytes and references are compared with their own kind alone.
  package enum Kind: Sendable, Hashable {
    /// Nil, which is compared with everything.
    case nothing
    case integer
    case real
    case decimal
    case text
    case bytes
    /// A key in the hierarchy whose root has this number.
    case reference(Int32)

    package var isNumber: Bool { self == .integer || self == .real || self == .decimal }
  }

  /// What the values are.
  package var kind: Kind {
    switch self {
    case .constant(let scalar): Kind(scalar)
    case .decimal: .decimal
    case .attribute(let property): Kind(property)
    case .related(_, let value), .zeroForNil(let value): value.kind
    case .aggregate(let gathering): Kind(gathering.aggregate, of: gathering.value)
    case .grouped(let aggregate, let value): Kind(aggregate, of: value)
    case .arithmetic(_, let a, let b): a.kind.calculated(with: b.kind)
    case .function(let function, let value):
      function.signature == .textToInteger ? .integer : value.kind
    case .folded: .text
    case .collated: .bytes
    case .section(let transform, _): transform.kind
    case .conditional(_, let a, let b): a.kind.combined(with: b.kind)
    }
  }

  /// Whether the value is one that a column holds.
  package var isStored: Bool {
    switch self {
    case .attribute: true
    case .related(_, let value): value.isStored
    default: false
    }
  }

  /// What stands among the values for one that no store can keep; nil where there is no such thing.
  var unstorable: _Unstorable? {
    switch self {
    case .attribute(let property):
      if case .unstorable(let mark) = property.doubt { mark } else { nil }
    case .related(_, let value), .zeroForNil(let value): value.unstorable
    case .aggregate(let gathering):
      gathering.aggregate.isOfItsValues ? gathering.value?.unstorable : nil
    case .grouped(let aggregate, let value): aggregate.isOfItsValues ? value?.unstorable : nil
    case .conditional(_, let a, let b): a.unstorable ?? b.unstorable
    case .constant, .decimal, .arithmetic, .function, .folded, .collated, .section: nil
    }
  }

  /// The attribute alone; nil for all other expressions.
  package var property: PropertyLayout? {
    if case .attribute(let property) = self { property } else { nil }
  }
}

extension SectionTransform {
  /// What the results are.
  fileprivate var kind: BoundExpression.Kind {
    switch self {
    case .firstLetter, .letter: .text
    case .day, .month: .integer
    }
  }
}

extension QueryExpression.Aggregate {
  /// Whether what is gathered is of the kind of what it is gathered from.
  fileprivate var isOfItsValues: Bool { self != .count && self != .average }
}

extension BoundExpression.Kind {
  init(_ aggregate: QueryExpression.Aggregate, of value: BoundExpression?) {
    switch aggregate {
    case .count: self = .integer
    case .average: self = .real
    case .sum, .minimum, .maximum: self = value?.kind ?? .integer
    }
  }

  init(_ scalar: AttributeScalar) {
    switch scalar {
    case .null: self = .nothing
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .blob: self = .bytes
    }
  }

  package init(_ property: PropertyLayout) {
    if property.kind == .toOne {
      self = .reference(property.destination?.entity.rootNumber ?? 0)
      return
    }
    switch property.storageClass {
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = property.form == .decimal ? .decimal : .text
    case .blob: self = .bytes
    case nil: self = .nothing
    }
  }

  /// The kind of a value that may be of either kind.
  func combined(with other: Self) -> Self {
    if self == other || other == .nothing { return self }
    if self == .nothing { return other }
    return isNumber && other.isNumber ? .real : self
  }

  /// The kind of what is calculated of both: with a decimal a decimal.
  package func calculated(with other: Self) -> Self {
    self == .decimal || other == .decimal ? .decimal : combined(with: other)
  }

  /// Whether values of both kinds can be compared.
  func isComparable(with other: Self) -> Bool {
    self == .nothing || other == .nothing || self == other || isNumber && other.isNumber
  }

  /// As errors name it.
  var name: String {
    switch self {
    case .nothing: "nil"
    case .integer, .real: "a number"
    case .decimal: "a Decimal"
    case .text: "text"
    case .bytes: "bytes"
    case .reference: "an object"
    }
  }
}

extension BoundExpression {
  /// The same expression with other keys in the place of those that it names.
  func mappingKeys(
    of entity: EntityLayout, _ key: (Int64, EntityLayout) -> Int64
  ) -> BoundExpression {
    switch self {
    case .constant, .decimal, .attribute: return self
    case .related(let property, let value):
      guard let destination = property.destination?.entity else { return self }
      return .related(property, value.mappingKeys(of: destination, key))
    case .aggregate(let gathering):
      guard let destination = gathering.relationship.destination?.entity else { return self }
      return .aggregate(
        Gathering(
          aggregate: gathering.aggregate, relationship: gathering.relationship,
          value: gathering.value?.mappingKeys(of: destination, key),
          condition: gathering.condition?.mappingKeys(of: destination, key)))
    case .grouped(let aggregate, let value):
      return .grouped(aggregate, value?.mappingKeys(of: entity, key))
    case .arithmetic(let operation, let a, let b):
      return .arithmetic(
        operation, a.mappingKeys(of: entity, key), b.mappingKeys(of: entity, key))
    case .function(let function, let value):
      return .function(function, value.mappingKeys(of: entity, key))
    case .folded(let options, let value):
      return .folded(options, value.mappingKeys(of: entity, key))
    case .collated(let collator, let value):
      return .collated(collator, value.mappingKeys(of: entity, key))
    case .section(let transform, let value):
      return .section(transform, value.mappingKeys(of: entity, key))
    case .zeroForNil(let value): return .zeroForNil(value.mappingKeys(of: entity, key))
    case .conditional(let condition, let a, let b):
      return .conditional(
        condition.mappingKeys(of: entity, key), a.mappingKeys(of: entity, key),
        b.mappingKeys(of: entity, key))
    }
  }
}
