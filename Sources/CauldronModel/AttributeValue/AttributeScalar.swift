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
  public var isNull: Bool { self == .null }
}

extension AttributeScalar {
  /// Equality of the stored forms; texts that differ only in Unicode normalization differ.
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
