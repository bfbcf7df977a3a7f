package import CauldronModel
package import Foundation

/// How Codable values become bytes: JSON, and nil for a nil optional.
package enum TransformableCoding {
  /// The value as JSON, null for nil; a value that cannot be encoded becomes bytes that a save
  /// refuses with the reason.
  package static func scalar<Value: Encodable>(_ value: Value) -> AttributeScalar {
    if isNil(value) { return .null }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      return .blob(try encoder.encode(value))
    } catch {
      return UnencodableValue.scalar(error)
    }
  }

  /// Whether what a store has can be read as a value of a type.
  package static func isReadable<Value: Decodable>(
    _ scalar: AttributeScalar, as type: Value.Type
  ) -> Bool {
    guard case .blob(let data) = scalar else { return false }
    return decode(type, from: data) != nil
  }

  /// Why bytes cannot be read as a value of a type, as the end of a sentence; nil where they can.
  package static func failure<Value: Decodable>(
    _ scalar: AttributeScalar, as type: Value.Type
  ) -> String? {
    guard case .blob(let data) = scalar else { return nil }
    do { _ = try lenientDecoder.decode(type, from: json(data) ?? data) } catch {
      return (error as? DecodingError)?.sentence ?? "\(error)"
    }
    return nil
  }

  /// The bytes of a value in whose JSON dates are texts in ISO 8601, as the class writes them itself; nil where
  /// that is no value of the type either.
  package static func withNumbersForDates<Value: Codable>(
    _ scalar: AttributeScalar, as type: Value.Type
  ) -> AttributeScalar? {
    guard case .blob(let data) = scalar else { return nil }
    let written = (try? lenientDecoder.decode(type, from: json(data) ?? data)).map {
      self.scalar($0)
    }
    // What cannot be encoded is none.
    return written.flatMap { isReadable($0, as: type) ? $0 : nil }
  }

  /// A decoder that takes dates as numbers, as the store has them, and as texts.
  private static var lenientDecoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { try date($0) }
    return decoder
  }

  private static func date(_ decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    if let seconds = try? container.decode(Double.self) {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    guard let seconds = (try? container.decode(String.self)).flatMap(ISODate.seconds) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "there is no date")
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Bytes as a value of a type: JSON, or a keyed archive of values; nil where they are none.
  package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
    guard let json = json(data) else { return try? JSONDecoder().decode(type, from: data) }
    return try? archiveDecoder.decode(type, from: json)
  }

  /// Archives hold numbers that are none in JSON.
  private static var archiveDecoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  /// The JSON of a keyed archive; nil for what is none.
  private static func json(_ data: Data) -> Data? {
    ArchivedValue.isArchive(data) ? (try? ArchivedValue(archive: data))?.json : nil
  }

  /// Whether a value of any type is an optional without a value.
  package static func isNil(_ value: Any) -> Bool {
    guard let optional = value as? any OptionalValue else { return false }
    return optional.unwrapped == nil
  }
}

extension DecodingError {
  /// What is wrong with the text and where, without what only a programmer of the type knows.
  fileprivate var sentence: String {
    switch self {
    case .keyNotFound(let key, let context):
      return "\"\(key.stringValue)\" is missing\(Self.place(context))"
    case .valueNotFound(let type, let context):
      return "there is null\(Self.place(context)), and no \(type)"
    case .typeMismatch(let type, let context):
      let name = "\(type)"
      let isList = name.hasPrefix("Array<")
      let what = name.hasPrefix("Dictionary<") ? "object" : isList ? "array" : name
      return "there is no \(what)\(Self.place(context))"
    case .dataCorrupted(let context):
      return "\(context.debugDescription.trimmingCharacters(in: ["."]))\(Self.place(context))"
    @unknown default: return "\(self)"
    }
  }

  private static func place(_ context: Context) -> String {
    if context.codingPath.isEmpty { return "" }
    let steps = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return " at /" + steps.joined(separator: "/")
  }
}
