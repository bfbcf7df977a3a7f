public import CauldronGraph
public import CauldronModel
import CauldronQuery

/// The objects of a group: what `$0` is in `having` and in what is gathered from groups.
///
/// ```swift
/// try Person.grouped(by: \.city).having { $0.count > 2 }.average(\.age, in: context)
/// ```
public struct QueryGroup<Object: ManagedEntity>: Sendable {
  /// What all of them have in common, and what else they have: only what the objects are grouped by
  /// can be asked of a group.
  ///
  /// ```swift
  /// try Person.grouped(by: \.city).sorted { $0.key.city.descending() }.count(in: context)
  /// ```
  public var key: QueryPath<Object, Object> { QueryPath<Object, Object>.root }

  /// How many objects there are.
  public var count: QueryValue<Object, Int> { Self.gathered(.count, of: nil) }

  /// The sum of an attribute; 0 of none.
  public func sum<Value: QuerySummand>(
    _ path: KeyPath<Object, Value>
  ) -> QueryValue<Object, Value.Calculated> { Self.gathered(.sum, of: path) }

  /// The sum of an optional attribute; 0 of none.
  public func sum<Value: QuerySummand>(
    _ path: KeyPath<Object, Value?>
  ) -> QueryValue<Object, Value.Calculated> { Self.gathered(.sum, of: path) }

  /// The average of an attribute; nil of none.
  public func average<Value: QuerySummand>(
    _ path: KeyPath<Object, Value>
  ) -> QueryValue<Object, Double> { Self.gathered(.average, of: path) }

  /// The average of an optional attribute; nil of none.
  public func average<Value: QuerySummand>(
    _ path: KeyPath<Object, Value?>
  ) -> QueryValue<Object, Double> { Self.gathered(.average, of: path) }

  /// The smallest value of an attribute; nil of none.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>
  ) -> QueryValue<Object, Value> { Self.gathered(.minimum, of: path) }

  /// The smallest value of an optional attribute; nil of none.
  public func min<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>
  ) -> QueryValue<Object, Value> { Self.gathered(.minimum, of: path) }

  /// The largest value of an attribute; nil of none.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>
  ) -> QueryValue<Object, Value> { Self.gathered(.maximum, of: path) }

  /// The largest value of an optional attribute; nil of none.
  public func max<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>
  ) -> QueryValue<Object, Value> { Self.gathered(.maximum, of: path) }

  /// Whether a Bool is true of all; nil of none.
  public func min(
    _ path: KeyPath<Object, Bool>
  ) -> QueryValue<Object, Bool> { Self.gathered(.minimum, of: path) }

  /// Whether an optional Bool is true of all that have one; nil of none.
  public func min(
    _ path: KeyPath<Object, Bool?>
  ) -> QueryValue<Object, Bool> { Self.gathered(.minimum, of: path) }

  /// Whether a Bool is true of any; nil of none.
  public func max(
    _ path: KeyPath<Object, Bool>
  ) -> QueryValue<Object, Bool> { Self.gathered(.maximum, of: path) }

  /// Whether an optional Bool is true of any; nil of none.
  public func max(
    _ path: KeyPath<Object, Bool?>
  ) -> QueryValue<Object, Bool> { Self.gathered(.maximum, of: path) }

  /// What is gathered from a value that may reach through relationships.
  public func average<Value: QuerySummand>(
    of value: (Object.QueryRoot) -> QueryValue<Object, Value>
  ) -> QueryValue<Object, Double> {
    let expression = value(Object.QueryRoot.root).expression
    return QueryValue(.aggregate(.average, of: PropertyPath(steps: []), expression))
  }

  /// The sum of a value that may reach through relationships.
  public func sum<Value: QuerySummand>(
    of value: (Object.QueryRoot) -> QueryValue<Object, Value>
  ) -> QueryValue<Object, Value.Calculated> {
    let expression = value(Object.QueryRoot.root).expression
    return QueryValue(.aggregate(.sum, of: PropertyPath(steps: []), expression))
  }

  private static func gathered<Value: AttributeValue>(
    _ aggregate: QueryExpression.Aggregate, of path: PartialKeyPath<Object>?
  ) -> QueryValue<Object, Value> {
    let value = path.map { QueryExpression.property(KeyPathTable.path(of: $0)) }
    return QueryValue(.aggregate(aggregate, of: PropertyPath(steps: []), value))
  }
}
