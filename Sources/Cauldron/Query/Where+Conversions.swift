public import CauldronGraph
import CauldronModel

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
