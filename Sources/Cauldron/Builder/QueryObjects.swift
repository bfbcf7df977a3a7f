// swift-format-ignore-file: AmbiguousTrailingClosureOverload

public import CauldronGraph
public import CauldronModel
import CauldronQuery

/// The objects of a to-many relationship in a condition.
///
/// ```swift
/// Company.findAll(where: { $0.employees.any { $0.age >= 60 } && $0.employees.count > 3 })
/// Company.findAll(where: { $0.employees.average { $0.age } > 40 })
/// ```
/// Of no objects `all` and `none` hold, `any` does not, `count` and `sum` are 0, and `min`, `max` and
/// `average` are nil.
public struct QueryObjects<Root: ManagedEntity, Object: ManagedEntity>: Sendable {
  let path: PropertyPath

  /// A condition on one of the objects.
  public typealias Condition = (QueryPath<Object, Object>) -> Where<Object>

  /// Whether a condition holds for at least one object.
  public func any(_ condition: Condition) -> Where<Root> { quantified(.any, where: condition) }

  /// Whether a condition holds for each object; true of none.
  public func all(_ condition: Condition) -> Where<Root> { quantified(.all, where: condition) }

  /// Whether a condition holds for no object; true of none.
  public func none(_ condition: Condition) -> Where<Root> { quantified(.none, where: condition) }

  /// Whether an object is among them.
  public func contains(_ object: Object) -> Where<Root> {
    Where(.quantified(.any, path, .isSelf([object.objectID])))
  }

  /// Whether there are none.
  public var isEmpty: Where<Root> { Where(.quantified(.none, path, .constant(true))) }

  /// How many there are.
  public var count: QueryValue<Root, Int> { QueryValue(.aggregate(.count, of: path, nil)) }

  /// For how many a condition holds.
  public func count(where condition: Condition) -> QueryValue<Root, Int> {
    QueryValue(.aggregate(.count, of: path, nil, where: node(condition)))
  }

  /// The sum of an expression of the objects; `query.overflow` where integers are beyond 64 bits.
  public func sum<Value: QuerySummand>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> QueryValue<Root, Value.Calculated> { gathered(.sum, of: value) }

  /// The smallest value of an expression of the objects; nil of none. Of Bool values false is smaller:
  /// `{ $0.tasks.min { $0.isDone } == true }`.
  public func min<Value: AttributeValue>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> QueryValue<Root, Value> { gathered(.minimum, of: value) }

  /// The largest value of an expression of the objects; nil of none.
  public func max<Value: AttributeValue>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> QueryValue<Root, Value> { gathered(.maximum, of: value) }

  /// The average of an expression of the objects; nil of none.
  public func average<Value: QuerySummand>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> QueryValue<Root, Double> {
    QueryValue(.aggregate(.average, of: path, value(QueryPath<Object, Object>.root).expression))
  }

  private func gathered<Value: AttributeValue, Result: AttributeValue>(
    _ aggregate: QueryExpression.Aggregate,
    of value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> QueryValue<Root, Result> {
    QueryValue(.aggregate(aggregate, of: path, value(QueryPath<Object, Object>.root).expression))
  }

  private func quantified(
    _ quantifier: PredicateNode.Quantifier, where condition: Condition
  ) -> Where<Root> {
    Where(.quantified(quantifier, path, node(condition)))
  }

  private func node(_ condition: Condition) -> PredicateNode {
    condition(QueryPath<Object, Object>.root).node
  }
}
