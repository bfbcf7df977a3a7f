import CauldronArchive
public import CauldronModel
import Foundation

// Serves generated code for attributes that are enumerations or any other Codable type.

extension ManagedObject {
  /// Reads an attribute whose type is another name for a built-in one.
  public final func _getCustom<Value: AttributeValue>(
    _ index: Int, default fallback: @autoclosure () -> Value
  ) -> Value { _get(index, _AwakingAccess.self) }

  /// Writes an attribute whose type is another name for a built-in one.
  public final func _setCustom<Value: AttributeValue>(_ index: Int, _ value: Value) {
    _set(index, value, _AwakingAccess.self)
  }

  /// A reference to an entity is not a value.
  @available(
    *, unavailable,
    message: "a reference to an entity is a relationship; mark it '@Relationship'"
  )
  public final func _getCustom<Value: ManagedObject>(
    _ index: Int, default fallback: @autoclosure () -> Value?
  ) -> Value? { nil }

  /// References to entities are not values.
  @available(
    *, unavailable,
    message: "references to entities are a relationship; mark it '@Relationship', of type 'ToMany'"
  )
  public final func _getCustom<Value: ManagedObject>(
    _ index: Int, default fallback: @autoclosure () -> [Value]
  ) -> [Value] { [] }

  /// Reads an enumeration; an unknown raw value reads as the default.
  public final func _getCustom<Value: RawRepresentable>(
    _ index: Int, default fallback: @autoclosure () -> Value
  ) -> Value where Value.RawValue: AttributeValue {
    let raw: Value.RawValue? = _get(index, _AwakingAccess.self)
    return raw.flatMap(Value.init(rawValue:)) ?? fallback()
  }

  /// Reads an optional enumeration; an unknown raw value reads as nil.
  public final func _getCustom<Value: RawRepresentable>(
    _ index: Int, default fallback: @autoclosure () -> Value?
  ) -> Value? where Value.RawValue: AttributeValue {
    let raw: Value.RawValue? = _get(index, _AwakingAccess.self)
    return raw.flatMap(Value.init(rawValue:))
  }

  /// Writes an enumeration.
  public final func _setCustom<Value: RawRepresentable>(_ index: Int, _ value: Value)
  where Value.RawValue: AttributeValue {
    _set(index, value.rawValue, _AwakingAccess.self)
  }

  /// Writes an optional enumeration.
  public final func _setCustom<Value: RawRepresentable>(_ index: Int, _ value: Value?)
  where Value.RawValue: AttributeValue {
    _set(index, value?.rawValue, _AwakingAccess.self)
  }

  /// Reads a Codable value; one that cannot be decoded reads as the default. A conformance that belongs to
  /// an actor cannot serve: other threads read and write values, too.
  @_disfavoredOverload
  public final func _getCustom<Value: Codable & SendableMetatype>(
    _ index: Int, default fallback: @autoclosure () -> Value
  ) -> Value {
    let data: Data? = _get(index, _AwakingAccess.self)
    return data.flatMap { TransformableCoding.decode(Value.self, from: $0) } ?? fallback()
  }

  /// Writes a Codable value; one that cannot be encoded reads as the default, and no save takes it.
  @_disfavoredOverload
  public final func _setCustom<Value: Codable>(_ index: Int, _ value: Value) {
    _check()
    _ready()
    setScalar(at: index, to: encoded(value, at: index))
  }

  /// A value as bytes: those that the object shows, or showed before it was edited, where these mean the same.
  private func encoded<Value: Codable>(_ value: Value, at index: Int) -> AttributeScalar {
    let scalar = TransformableCoding.scalar(value)
    guard case .blob(let bytes) = scalar else { return scalar }
    return knownScalars(at: index).first { known in
      guard case .blob(let data) = known else { return false }
      return EncodedValue.isSame(data, encoded: bytes, as: value)
    } ?? scalar
  }

  /// Reads a value that a transformer makes of bytes; what it makes nothing of reads as the default.
  public final func _getTransformed<Value>(
    _ index: Int, default fallback: @autoclosure () -> Value
  ) -> Value {
    let data: Data? = _get(index, _AwakingAccess.self)
    let transformation = layout.properties[index].transformation
    return data.flatMap { TransformedCoding.value(Value.self, from: $0, by: transformation) }
      ?? fallback()
  }

  /// Writes a value as its transformer does; one that it does not take is one that no save takes.
  public final func _setTransformed<Value>(_ index: Int, _ value: Value) {
    _check()
    _ready()
    let scalar = TransformedCoding.scalar(value, by: layout.properties[index].transformation)
    let known = knownScalars(at: index).first { known in
      guard case .blob(let data) = known, case .blob(let bytes) = scalar else { return false }
      return TransformedCoding.isSame(data, encoded: bytes)
    }
    setScalar(at: index, to: known ?? scalar)
  }

  /// What the object shows, and showed before it was edited.
  private func knownScalars(at index: Int) -> [AttributeScalar] {
    [RowPointer(row), extras?.edits.committed?.row].compactMap { row in
      row.flatMap { $0.isNull(index) ? nil : $0.scalar(index, .blob) }
    }
  }

  /// No other type has a form that a store could keep. The compiler says so here and nowhere else, since
  /// this stands at the property's own line: what describes and writes such a property compiles.
  @available(
    *, unavailable,
    message: """
      an attribute's type must be built in, have a raw value that is, or be 'Codable'; an \
      enumeration needs a raw type, as in 'enum Color: String'
      """
  )
  @_disfavoredOverload
  public final func _getCustom<Value>(
    _ index: Int, default fallback: @autoclosure () -> Value
  ) -> Value { fallback() }

  /// Stands in for a type that no store can keep.
  @_disfavoredOverload
  public final func _setCustom<Value>(_ index: Int, _ value: Value) {}

  /// Reads a transient property.
  public final func _getTransient<Value>(
    _ index: Int, default fallback: @autoclosure () -> Value
  ) -> Value {
    _check()
    awakeForTransients()
    guard let stored = extras?.transient[index] else { return fallback() }
    return stored as? Value ?? fallback()
  }

  /// What a transient property reads as, where its type is not known: what it was set to, or what it
  /// begins with.
  func transientValue(_ index: Int) -> Any? {
    extras?.transient[index] ?? Self._transientDefault(index)
  }

  /// Writes a transient property; the value is kept while the object is.
  public final func _setTransient<Value>(_ index: Int, _ value: Value) {
    _check()
    awakeForTransients()
    noteChange(of: index)
    makeExtras().transient[index] = value
  }
}
