public import CauldronGraph
public import CauldronModel

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
