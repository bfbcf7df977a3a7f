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
  case and([BoundPredicate])
  case or([BoundPredicate])
  case not(BoundPredicate)
}
