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
  /// try Person.grouped(by: \.city).sorted { $0.key.city.descending }.count(in: context)
  /// ```
  public var key: QueryPath<Object, Object> { QueryPath<Object, Object>.root }

  /// How many objects there are.
  public var count: QueryValue<Object, Int> { Self.gathered(.count, of: nil) }

  /// The sum of a value, which may be calculated, or reach through relationships; 0 of none.
  public func sum<Value: QuerySummand>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> QueryValue<Object, Value.Calculated> { Self.gathered(.sum, of: value(.root).expression) }

  /// The average of a value; nil of none.
  public func average<Value: QuerySummand>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> QueryValue<Object, Double> { Self.gathered(.average, of: value(.root).expression) }

  /// The smallest value; nil of none. Of Bool values false is smaller.
  public func min<Value: AttributeValue>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> QueryValue<Object, Value> { Self.gathered(.minimum, of: value(.root).expression) }

  /// The largest value; nil of none. Of Bool values true is larger.
  public func max<Value: AttributeValue>(
    _ value: (QueryPath<Object, Object>) -> QueryValue<Object, Value>
  ) -> QueryValue<Object, Value> { Self.gathered(.maximum, of: value(.root).expression) }

  private static func gathered<Value: AttributeValue>(
    _ aggregate: QueryExpression.Aggregate, of value: QueryExpression?
  ) -> QueryValue<Object, Value> {
    QueryValue(.aggregate(aggregate, of: PropertyPath(steps: []), value))
  }
}
