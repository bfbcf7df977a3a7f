import Foundation

/// The value of one property of a record, as it was written and as an import has read it.
public struct ImportValue {
  /// The value as it was written.
  public let source: ImportSource
  /// What the attribute would be set to; null for a relationship.
  package let scalar: AttributeScalar
  /// Whether the attribute could keep what was written; else the source alone tells it.
  private let isReadable: Bool

  package init(source: ImportSource, scalar: AttributeScalar, isReadable: Bool = true) {
    self.source = source
    self.scalar = scalar
    self.isReadable = isReadable
  }

  /// Serves generated code: the value as a property's type, nil where it is null and the type is not
  /// optional.
  public func _value<Value: AttributeValue>(as type: Value.Type) -> Value? {
    guard scalar.isNull else { return Value.value(of: scalar) }
    guard Value._isOptional, isReadable else { return nil }
    return withUnsafePointer(to: Int64(0)) { Value._read(slot: 0, row: $0, isNull: true) }
  }

  /// The same for an enumeration.
  public func _value<Value: RawRepresentable>(as type: Value.Type) -> Value?
  where Value.RawValue: AttributeValue { Value.RawValue.value(of: scalar).flatMap(Value.init) }

  /// The same for an optional enumeration.
  public func _value<Value: RawRepresentable>(as type: Value?.Type) -> Value??
  where Value.RawValue: AttributeValue { optional(_value(as: Value.self)) }

  /// The same for any other type, of whose values the attribute has the JSON.
  @_disfavoredOverload
  public func _value<Value: Decodable>(as type: Value.Type) -> Value? {
    guard case .blob(let data) = scalar else { return nil }
    return try? JSONDecoder().decode(type, from: data)
  }

  /// The same for the optional of such a type.
  @_disfavoredOverload
  public func _value<Value: Decodable>(as type: Value?.Type) -> Value?? {
    optional(_value(as: Value.self))
  }

  /// Null is a value of an optional type; what cannot be read is none.
  private func optional<Value>(_ value: Value?) -> Value?? {
    value.map { .some($0) } ?? (scalar.isNull && isReadable ? .some(nil) : nil)
  }
}
