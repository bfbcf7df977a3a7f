package import CauldronModel
package import Foundation

/// How the values of transformable attributes become bytes and back, as their transformers say.
package enum TransformedCoding {
  /// The value as bytes; one that cannot be encoded becomes bytes that a save refuses with the reason.
  package static func scalar(
    _ value: Any, by transformation: AttributeTransformation
  ) -> AttributeScalar {
    guard let value = unwrapped(value) else { return .null }
    do {
      if let bytes = try bytes(of: value, by: transformation) { return .blob(bytes) }
      return UnencodableValue.scalar(misfit(value, by: transformation))
    } catch {
      return UnencodableValue.scalar(error)
    }
  }

  private static func bytes(
    of value: Any, by transformation: AttributeTransformation
  ) throws -> Data? {
    switch transformation {
    case .named: return try transformation.transformer?.bytes(of: value)
    case .archive, .untold:
      if let plain = ArchivedValue(value) { return plain.archive }
      return try (value as? any Encodable).map { try ArchivedValueEncoder.value($0).archive }
    }
  }

  /// Bytes as a value of a type; nil where they are none.
  package static func value<Value>(
    _ type: Value.Type, from data: Data, by transformation: AttributeTransformation
  ) -> Value? {
    // What is nil is no value here, also where the type has nil.
    let found: Any?
    if let transformer = transformation.transformer {
      found = try? transformer.value(from: data)
    } else if let type = type as? any Decodable.Type {
      found = TransformableCoding.decode(type, from: data)
    } else {
      found = (try? ArchivedValue(archive: data))?.plain
    }
    guard let found, let value = unwrapped(found) else { return nil }
    return value as? Value
  }

  private static func unwrapped(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalValue else { return value }
    return optional.unwrapped.flatMap(unwrapped)
  }

  /// Whether bytes that a store has are those of a value that is encoded anew: equal archives may differ in them.
  package static func isSame(_ known: Data, encoded new: Data) -> Bool {
    if known == new { return true }
    guard ArchivedValue.isArchive(known), let value = try? ArchivedValue(archive: known) else {
      return false
    }
    return value == (try? ArchivedValue(archive: new))
  }

  /// Bytes as a value of whatever type: what the transformer makes of them, the value of an archive, or else
  /// the bytes themselves.
  package static func plain(_ data: Data, by transformation: AttributeTransformation) -> Any {
    if let transformer = transformation.transformer, let value = try? transformer.value(from: data)
    {
      return value
    }
    guard ArchivedValue.isArchive(data), let value = try? ArchivedValue(archive: data) else {
      return data
    }
    return value.plain
  }

  /// A value of whatever type as bytes; nil for one that the attribute cannot have. Bytes are taken as
  /// they are, unless the model says that they are archived.
  package static func scalar(
    plain value: Any, by transformation: AttributeTransformation
  ) -> AttributeScalar? {
    if let data = value as? Data, transformation != .archive, transformation.transformer == nil {
      return .blob(data)
    }
    return (try? bytes(of: value, by: transformation)).flatMap { $0 }.map { .blob($0) }
  }

  /// Why a value has no bytes.
  private static func misfit(
    _ value: Any, by transformation: AttributeTransformation
  ) -> EncodingError {
    var reason = "a transformer takes no \(type(of: value))"
    if case .named(let name) = transformation, transformation.transformer == nil {
      reason = "no transformer is registered as \"\(name)\""
    }
    return .invalidValue(value, .init(codingPath: [], debugDescription: reason))
  }
}
