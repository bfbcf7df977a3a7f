/// The value of one property of a record, as it was written and as an import has read it.
public struct ImportValue {
  /// The value as it was written.
  public let source: ImportSource
  /// What the attribute would be set to; null for a relationship.
  package let scalar: AttributeScalar

  package init(source: ImportSource, scalar: AttributeScalar) {
    self.source = source
    self.scalar = scalar
  }

  /// Serves generated code: the value as a property's type, nil where it is null and the type is not
  /// optional.
  public func _value<Value: AttributeValue>(as type: Value.Type) -> Value? {
    guard scalar.isNull else { return Value.value(of: scalar) }
    guard Value._isOptional else { return nil }
    return withUnsafePointer(to: Int64(0)) { Value._read(slot: 0, row: $0, isNull: true) }
  }
}
