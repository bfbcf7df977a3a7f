import CauldronGraph
import CauldronModel

/// What a part of a Foundation predicate stands for.
indirect enum PredicateTerm {
  /// A value that is known.
  case constant(Any?)
  /// An attribute, or what is made of some.
  case value(QueryExpression)
  /// Whether something holds.
  case condition(PredicateNode)
  /// Whether something holds; nil where another condition holds.
  case unlessNil(PredicateNode, isNil: PredicateNode)
  /// An object: that of the closure, or what to-one relationships lead to from it.
  case object(PropertyPath)
  /// The ID of such an object.
  case objectID(PropertyPath)
  /// The objects of a to-many relationship, or those for which a condition holds.
  case objects(PropertyPath, where: PredicateNode?)
  /// The values from one to another, which may be left out.
  case range(QueryExpression, QueryExpression, isClosed: Bool)
}

extension PredicateTerm {
  /// Whether the term is the literal nil, or a value that is.
  var isNil: Bool {
    guard case .constant(let value) = self else { return false }
    return Self.unwrapped(value) == nil
  }

  /// A value without the optionals around it.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    guard let optional = value as? any AnyOptional else { return value }
    return unwrapped(optional.content)
  }

  /// A known value as rows keep it: an enumeration by its raw value.
  static func scalar(_ value: Any?) -> AttributeScalar? {
    switch unwrapped(value) {
    case nil: return .null
    case let value as any AttributeValue: return value.scalar
    case let value as any RawRepresentable:
      return (value.rawValue as? any AttributeValue)?.scalar
    default: return nil
    }
  }

  /// The elements of a known list.
  static func elements(_ value: Any?) -> [Any]? {
    guard let list = unwrapped(value) as? any Sequence, !(list is String) else { return nil }
    return list.map { $0 as Any }
  }
}

/// An optional of any type.
private protocol AnyOptional {
  var content: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var content: Any? { map { $0 as Any } }
}
