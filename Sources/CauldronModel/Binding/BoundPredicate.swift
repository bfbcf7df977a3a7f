/// A predicate whose keys are resolved to the properties of an entity, and whose types are checked.
package indirect enum BoundPredicate: Sendable {
  case constant(Bool)
  case isNull(PropertyLayout)
  /// Never compares with null; `notEqual` also holds where the property is nil.
  case comparison(PropertyLayout, PredicateNode.ComparisonOperator, AttributeScalar)
  case text(PropertyLayout, PredicateNode.TextOperator, String)
  case isIn(PropertyLayout, Set<AttributeScalar>)
  /// The keys of a to-one relationship's destination.
  case refersTo(PropertyLayout, Set<Int64>)
  /// The keys of the objects themselves.
  case isSelf(Set<Int64>)
  /// The objects with greater keys: what comes behind one that was read.
  case isAfter(Int64)
  case and([BoundPredicate])
  case or([BoundPredicate])
  case not(BoundPredicate)

  /// Whether a relationship, to-one or to-many, leads to an object for which a condition of its
  /// entity holds.
  case exists(PropertyLayout, BoundPredicate)
  /// Compares two expressions; `equal` also holds where both are nil, `notEqual` where one is.
  case compare(BoundExpression, PredicateNode.ComparisonOperator, BoundExpression)
  case search(BoundExpression, TextSearch, BoundExpression)
  case matches(BoundExpression, RegularPattern)
  /// Whether an expression has one of several values, none of which is null.
  case member(BoundExpression, Set<AttributeScalar>)

  /// Whether a row alone tells, by tests of single properties: what `RowTest` compiles.
  package var isPlain: Bool {
    switch self {
    case .exists, .compare, .search, .matches, .member: false
    case .and(let nodes), .or(let nodes): nodes.allSatisfy(\.isPlain)
    case .not(let node): node.isPlain
    case .constant, .isNull, .comparison, .text, .isIn, .refersTo, .isSelf, .isAfter: true
    }
  }
}
