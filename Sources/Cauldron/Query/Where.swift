public import CauldronGraph
public import CauldronModel
public import CauldronQuery

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

/// Holds where an attribute has a value; with nil, where it has none.
public func == <Object: ManagedEntity, Value: AttributeValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Where<Object> { compare(path, .equal, value.scalar) }

/// Holds where an attribute has another value, or none; with nil, where it has any.
public func != <Object: ManagedEntity, Value: AttributeValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Where<Object> { compare(path, .notEqual, value.scalar) }

/// Holds where an attribute is less than a value.
public func < <Object: ManagedEntity, Value: AttributeValue & Comparable>(
  path: KeyPath<Object, Value>, value: Value
) -> Where<Object> { compare(path, .less, value.scalar) }

/// Holds where an attribute is at most a value.
public func <= <Object: ManagedEntity, Value: AttributeValue & Comparable>(
  path: KeyPath<Object, Value>, value: Value
) -> Where<Object> { compare(path, .lessOrEqual, value.scalar) }

/// Holds where an attribute is greater than a value.
public func > <Object: ManagedEntity, Value: AttributeValue & Comparable>(
  path: KeyPath<Object, Value>, value: Value
) -> Where<Object> { compare(path, .greater, value.scalar) }

/// Holds where an attribute is at least a value.
public func >= <Object: ManagedEntity, Value: AttributeValue & Comparable>(
  path: KeyPath<Object, Value>, value: Value
) -> Where<Object> { compare(path, .greaterOrEqual, value.scalar) }

/// Holds where an optional attribute is less than a value.
public func < <Object: ManagedEntity, Value: AttributeValue & Comparable>(
  path: KeyPath<Object, Value?>, value: Value
) -> Where<Object> { compare(path, .less, value.scalar) }

/// Holds where an optional attribute is at most a value.
public func <= <Object: ManagedEntity, Value: AttributeValue & Comparable>(
  path: KeyPath<Object, Value?>, value: Value
) -> Where<Object> { compare(path, .lessOrEqual, value.scalar) }

/// Holds where an optional attribute is greater than a value.
public func > <Object: ManagedEntity, Value: AttributeValue & Comparable>(
  path: KeyPath<Object, Value?>, value: Value
) -> Where<Object> { compare(path, .greater, value.scalar) }

/// Holds where an optional attribute is at least a value.
public func >= <Object: ManagedEntity, Value: AttributeValue & Comparable>(
  path: KeyPath<Object, Value?>, value: Value
) -> Where<Object> { compare(path, .greaterOrEqual, value.scalar) }

private func compare<Object: ManagedEntity>(
  _ path: PartialKeyPath<Object>, _ comparison: PredicateNode.ComparisonOperator,
  _ scalar: AttributeScalar
) -> Where<Object> {
  Where(.compare(KeyPathTable.path(of: path), comparison, scalar))
}

/// Holds where an attribute is false.
public prefix func ! <Object: ManagedEntity>(path: KeyPath<Object, Bool>) -> Where<Object> {
  !compare(path, .equal, .integer(1))
}

/// Holds where an enumeration has a value.
public func == <Object: ManagedEntity, Value: RawRepresentable>(
  path: KeyPath<Object, Value>, value: Value
) -> Where<Object> where Value.RawValue: AttributeValue {
  Where(.compare(KeyPathTable.path(of: path), .equal, value.rawValue.scalar))
}

/// Holds where an enumeration has another value.
public func != <Object: ManagedEntity, Value: RawRepresentable>(
  path: KeyPath<Object, Value>, value: Value
) -> Where<Object> where Value.RawValue: AttributeValue {
  Where(.compare(KeyPathTable.path(of: path), .notEqual, value.rawValue.scalar))
}

/// Holds where a to-one relationship leads to an object; with nil, where it leads nowhere.
public func == <Object: ManagedEntity, Destination: ManagedObject>(
  path: KeyPath<Object, Destination?>, object: Destination?
) -> Where<Object> {
  let name = KeyPathTable.path(of: path)
  guard let object else { return Where(.isNil(name)) }
  return Where(.refersTo(name, [object.objectID]))
}

/// Holds where a to-one relationship leads elsewhere, or nowhere; with nil, where it leads anywhere.
public func != <Object: ManagedEntity, Destination: ManagedObject>(
  path: KeyPath<Object, Destination?>, object: Destination?
) -> Where<Object> { !(path == object) }

extension Where {
  /// Reads a condition from a format string: Core Data's grammar, with arguments.
  ///
  /// ```swift
  /// let adults = try Where<Person>(format: "age >= %@ AND %K CONTAINS[cd] %@", 18, \Person.name, "jö")
  /// ```
  /// - Parameters:
  ///   - format: The condition; the grammar is in <doc:Queries>.
  ///   - arguments: As ``PredicateNode/init(format:_:)`` takes them. A key path to a property of the class
  ///     may stand for `%K`, too.
  /// - Throws: As ``PredicateNode/init(format:_:)``.
  /// - Complexity: O(length).
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads a condition from a format string, with the arguments in a list, and values for its variables.
  /// - Throws: As ``PredicateNode/init(format:_:)``.
  public init(
    format: String, arguments: [Any?], variables: [String: Any?] = [:]
  ) throws {
    let arguments = arguments.map { argument -> Any? in
      (argument as? PartialKeyPath<Object>).map(KeyPathTable.path) ?? argument
    }
    self.init(
      try PredicateNode(format: format, arguments: arguments, variables: variables))
  }
}
