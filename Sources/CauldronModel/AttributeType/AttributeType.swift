/// The type of an attribute, with the numbers that Core Data gives them.
///
/// The raw value enters the version hash of an entity, so it never changes.
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
  /// A 16-bit integer, stored as `INTEGER`.
  case integer16 = 100
  /// A 32-bit integer, stored as `INTEGER`.
  case integer32 = 200
  /// A 64-bit integer, stored as `INTEGER`.
  case integer64 = 300
  /// A decimal number, stored as `DECIMAL`; SQLite keeps 15 significant digits of it.
  case decimal = 400
  /// A double-precision number, stored as `FLOAT`; NaN is stored as nil.
  case double = 500
  /// A single-precision number, stored as `FLOAT`.
  case float = 600
  /// Text, stored as `VARCHAR`.
  case string = 700
  /// A truth value, stored as `INTEGER` 0 or 1.
  case boolean = 800
  /// A point in time, stored as `TIMESTAMP`: seconds since 2001-01-01 00:00:00 UTC.
  case date = 900
  /// Bytes, stored as `BLOB`.
  case binary = 1000
  /// A UUID, stored as a `BLOB` of 16 bytes.
  case uuid = 1100
  /// A URL, stored as `VARCHAR`: its absolute string.
  case uri = 1200
  /// Any `Codable` value, stored as `BLOB`: its JSON.
  case transformable = 1800
}

extension AttributeType {
  /// The type's name in a model file and in messages, such as "Integer 32".
  public var displayName: String { storage.displayName }

  /// How a packed row keeps a value of this type.
  package var storageClass: StorageClass { storage.form.storageClass }

  /// The integers that a value may be; nil where values are no integers.
  package var integerRange: ClosedRange<Int64>? { storage.integerRange }
}
