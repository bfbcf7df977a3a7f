public import CauldronGraph
public import CauldronModel

/// A condition on the objects of an entity, written with key paths.
///
/// ```swift
/// \.age >= 18 && .beginsWith(\.name, "j")
/// ```
/// Text is compared byte by byte in UTF-8; a comparison with nil is false, except `== nil` and
/// `!= value`.
public struct Where<Object: ManagedEntity>: Sendable, Hashable {
  /// The condition as a tree.
  public let node: PredicateNode

  /// Wraps a tree.
  public init(_ node: PredicateNode) { self.node = node }

  /// Holds where both conditions hold.
  public static func && (a: Where, b: Where) -> Where { Where(.and([a.node, b.node])) }

  /// Holds where at least one condition holds.
  public static func || (a: Where, b: Where) -> Where { Where(.or([a.node, b.node])) }

  /// Holds where the condition does not.
  public static prefix func ! (a: Where) -> Where { Where(.not(a.node)) }

  /// Holds where a text begins with another one.
  public static func beginsWith<Text: TextValue>(
    _ path: KeyPath<Object, Text>, _ prefix: String, _ options: TextOptions = []
  ) -> Where {
    Where(.search(KeyPathTable.path(of: path), .beginsWith, prefix, options))
  }

  /// Holds where a text contains another one.
  public static func contains<Text: TextValue>(
    _ path: KeyPath<Object, Text>, _ part: String, _ options: TextOptions = []
  ) -> Where {
    Where(.search(KeyPathTable.path(of: path), .contains, part, options))
  }

  /// Holds where a text ends with another one.
  public static func endsWith<Text: TextValue>(
    _ path: KeyPath<Object, Text>, _ suffix: String, _ options: TextOptions = []
  ) -> Where {
    Where(.search(KeyPathTable.path(of: path), .endsWith, suffix, options))
  }

  /// Holds where an attribute has one of several values.
  public static func isIn<Value: AttributeValue>(
    _ path: KeyPath<Object, Value>, _ values: some Sequence<Value>
  ) -> Where {
    Where(.isIn(.property(KeyPathTable.path(of: path)), values.map(\.scalar), []))
  }

  /// Holds where an optional attribute has one of several values.
  public static func isIn<Value: AttributeValue>(
    _ path: KeyPath<Object, Value?>, _ values: some Sequence<Value>
  ) -> Where {
    Where(.isIn(.property(KeyPathTable.path(of: path)), values.map(\.scalar), []))
  }

  /// Holds where an attribute lies in a range, its ends included.
  public static func isIn<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value>, _ range: ClosedRange<Value>
  ) -> Where {
    Where(
      .between(
        .property(KeyPathTable.path(of: path)), .value(range.lowerBound.scalar),
        .value(range.upperBound.scalar)))
  }

  /// Holds where an optional attribute lies in a range, its ends included; not where it is nil.
  public static func isIn<Value: AttributeValue & Comparable>(
    _ path: KeyPath<Object, Value?>, _ range: ClosedRange<Value>
  ) -> Where {
    Where(
      .between(
        .property(KeyPathTable.path(of: path)), .value(range.lowerBound.scalar),
        .value(range.upperBound.scalar)))
  }

  /// Holds where a to-one relationship leads to one of several objects.
  public static func isIn<Destination: ManagedObject>(
    _ path: KeyPath<Object, Destination?>, _ objects: some Sequence<Destination>
  ) -> Where {
    Where(.refersTo(KeyPathTable.path(of: path), objects.map(\.objectID)))
  }

  /// Holds for the objects with these IDs.
  public static func isIn(_ ids: some Sequence<ManagedObjectID>) -> Where {
    Where(.isSelf(Array(ids)))
  }
}

/// Text, or text that may be nil: what the searches in a condition accept.
public protocol TextValue {}
extension String: TextValue {}
extension Optional: TextValue where Wrapped == String {}
