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
