internal import CCauldron
public import Foundation

/// A value in the form that rows, predicates and stores share.
public enum AttributeScalar: Sendable, Hashable {
  /// No value.
  case null
  /// An integer or a truth value.
  case integer(Int64)
  /// A number, or seconds since 2001 for a date.
  case real(Double)
  /// Text, a URL's absolute string, or a decimal number written out.
  case text(String)
  /// Bytes, the 16 bytes of a UUID, or the JSON of a Codable value.
  case blob(Data)
}

extension AttributeScalar {
  /// Whether there is no value.
  @inlinable public var isNull: Bool { if case .null = self { true } else { false } }
}

extension AttributeScalar: CustomStringConvertible {
  /// The value as it is stored: `nil`, `3`, `0.5`, `"ann"`, `16 bytes`.
  public var description: String {
    switch self {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): "\"\(text)\""
    case .blob(let data): data.count == 1 ? "1 byte" : "\(data.count) bytes"
    }
  }
}

extension AttributeScalar {
  /// Equality of the stored forms; texts that differ only in Unicode normalization differ.
  @inlinable
  public static func == (a: AttributeScalar, b: AttributeScalar) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }

  @inlinable
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(let text):
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // All of it: Data itself hashes no more than a beginning, which many may share.
    case .blob(let data): data.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}

/// Stands in a row for a value that could not be encoded, until a save refuses it.
///
/// A setter cannot throw, and nil would be a silent loss. The bytes are no JSON, so that reading
/// them shows the default; rolling back, taking in and undoing treat them as any other value.
package enum UnencodableValue {
  private static let mark: [UInt8] = [
    0xFF, 0xC7, 0x3A, 0x91, 0x5E, 0x0B, 0xD4, 0x68, 0xF2, 0x1D, 0xA6, 0x7C, 0x83, 0x4F, 0xE9, 0x00,
  ]

  /// The scalar that stands for a value.
  package static func scalar(_ error: any Error) -> AttributeScalar {
    .blob(Data(mark + Array(reason(error).utf8)))
  }

  /// Why the value with these bytes could not be encoded; nil for all other bytes.
  package static func reason(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard isMarked(bytes) else { return nil }
    return String(decoding: bytes.dropFirst(mark.count), as: UTF8.self)
  }

  @inline(__always)
  static func isMarked(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= mark.count && bytes[0] == mark[0] && bytes.starts(with: mark)
  }

  /// What an encoder says, and where in the value; an error of the program's own by its type, since
  /// its text may hold values.
  private static func reason(_ error: any Error) -> String {
    guard case EncodingError.invalidValue(_, let context) = error else {
      return "encoding it throws \(type(of: error))."
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    let text = String(context.debugDescription.prefix(200)).replacing("\n", with: " ")
    let reason = text.hasSuffix(".") ? String(text.dropLast()) : text
    return path.isEmpty ? "\(reason)." : "\(reason), at \"\(path)\"."
  }
}

extension AttributeValue {
  /// The value that a scalar is in a store; nil where it is none of the type.
  package static func value(of scalar: AttributeScalar) -> Self? {
    let storage = attributeType.storage
    switch (storage.form, scalar) {
    case (.integer, .integer(let number)) where storage.integerRange?.contains(number) != false:
      return read(number)
    case (.integer, .real(let number)):
      return Int64(exactly: number).flatMap { value(of: .integer($0)) }
    case (.boolean, .integer(let number)): return read(number == 0 ? 0 : 1)
    case (.real, .real(let number)): return read(Int64(bitPattern: number.bitPattern))
    case (.real, .integer(let number)): return value(of: .real(Double(number)))
    case (.text, .text(let text)): return read(Array(text.utf8))
    case (.decimal, .text(let text)) where DecimalNumber(text) != nil:
      return read(Array(text.utf8))
    case (.decimal, .integer(let number)): return read(Array("\(number)".utf8))
    case (.decimal, .real(let number)) where DecimalNumber("\(number)") != nil:
      return read(Array("\(number)".utf8))
    case (.uuid, .blob(let data)) where data.count == 16: return read([UInt8](data))
    case (.blob, .blob(let data)), (.encoded, .blob(let data)): return read([UInt8](data))
    default: return nil
    }
  }

  private static func read(_ slot: Int64) -> Self {
    withUnsafePointer(to: slot) { _read(slot: slot, row: $0, isNull: false) }
  }

  /// The value that bytes behind a slot stand for.
  private static func read(_ bytes: [UInt8]) -> Self {
    var words = [Int64](repeating: 0, count: 1 + (bytes.count + 7) / 8)
    words.withUnsafeMutableBytes { words in
      UnsafeMutableRawBufferPointer(rebasing: words[8...]).copyBytes(from: bytes)
    }
    words[0] = cauldron_row_pair(8, UInt32(truncatingIfNeeded: bytes.count))
    return words.withUnsafeBufferPointer { words in
      words.baseAddress.map { _read(slot: words[0], row: $0, isNull: false) } ?? read(0)
    }
  }
}
