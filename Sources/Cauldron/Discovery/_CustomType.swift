import CauldronArchive
import CauldronGraph
public import CauldronModel

/// How a type that is not built in is stored: chosen by the compiler among the initializers, by
/// what the type can do.
///
/// Where a type can do several things, a raw value that a column can hold comes before JSON.
/// Optional types have initializers with a label, because an optional may itself be `Codable`.
/// - Note: It serves code that `@Entity` generates.
public struct _CustomType<Value> {
  /// The type in the store.
  let type: AttributeType
  /// Whether nil is a value of the type.
  let isOptional: Bool
  /// What stands for values that no store can keep.
  var unstorable: _Unstorable?
  /// Tells what is no value of the type.
  var readability: AttributeReadability?
  /// Converts a value to what the store keeps.
  let scalar: @Sendable (Value) -> AttributeScalar
}

extension _CustomType {
  /// The type is another name for a built-in one.
  public init(_ value: Value.Type) where Value: AttributeValue {
    self.init(
      type: Value.attributeType, isOptional: Value._isOptional, unstorable: Value._unstorable,
      readability: .ofText(Value.attributeType)
    ) { $0.scalar }
  }

  /// The type has a raw value that a column can hold.
  public init(_ value: Value.Type)
  where Value: RawRepresentable & SendableMetatype, Value.RawValue: AttributeValue {
    self.init(
      type: Value.RawValue.attributeType, isOptional: false,
      unstorable: Value.RawValue._unstorable, readability: .ofCases(Value.self)
    ) { $0.rawValue.scalar }
  }

  /// The type is the optional of one that has a raw value that a column can hold.
  public init<Wrapped: RawRepresentable & SendableMetatype>(optional value: Wrapped.Type)
  where Value == Wrapped?, Wrapped.RawValue: AttributeValue {
    self.init(
      type: Wrapped.RawValue.attributeType, isOptional: true,
      unstorable: Wrapped.RawValue._unstorable, readability: .ofCases(Wrapped.self)
    ) {
      $0?.rawValue.scalar ?? .null
    }
  }

  /// The type is the optional of another name for a built-in one.
  public init<Wrapped: AttributeValue>(optional value: Wrapped.Type) where Value == Wrapped? {
    self.init(
      type: Wrapped.attributeType, isOptional: true, unstorable: Wrapped._unstorable,
      readability: .ofText(Wrapped.attributeType)
    ) { $0.scalar }
  }

  /// The type is stored as JSON.
  @_disfavoredOverload
  public init(_ value: Value.Type) where Value: Codable & SendableMetatype {
    self.init(
      type: .transformable, isOptional: false, readability: .ofJSON(Value.self), scalar: json)
  }

  /// The type is the optional of one that is stored as JSON.
  @_disfavoredOverload
  public init<Wrapped: Codable & SendableMetatype>(optional value: Wrapped.Type)
  where Value == Wrapped? {
    self.init(
      type: .transformable, isOptional: true, readability: .ofJSON(Wrapped.self)
    ) { $0.map(json) ?? .null }
  }

  /// Stands in for a type that no store can keep, which the property's accessor refuses.
  @_disfavoredOverload
  public init(_ value: Value.Type) {
    self.init(type: .transformable, isOptional: false) { _ in .null }
  }

  /// Stands in for the optional of a type that no store can keep.
  @_disfavoredOverload
  public init<Wrapped>(optional value: Wrapped.Type) where Value == Wrapped? {
    self.init(type: .transformable, isOptional: true) { _ in .null }
  }
}

private func json(_ value: some Encodable) -> AttributeScalar {
  TransformableCoding.scalar(value)
}
