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
  /// Values by name, each of which is an attribute of its own, with a column; see
  /// ``AttributeDescription/elements``.
  case composite = 2100
  /// No type: a transient attribute, which keeps any value in memory.
  case undefined = 0
}

extension AttributeType {
  /// The type's name in a model file and in messages, such as "Integer 32".
  public var displayName: String { storage.displayName }

  /// How a packed row keeps a value of this type.
  package var storageClass: StorageClass { storage.form.storageClass }

  /// The integers that a value may be; nil where values are no integers.
  package var integerRange: ClosedRange<Int64>? { storage.integerRange }
}

/// How a packed row keeps a value: in the slot itself, or behind the slots.
@frozen @usableFromInline
package enum StorageClass: UInt8, Sendable {
  /// The slot is the integer.
  case integer
  /// The slot holds the bits of the double.
  case real
  /// The slot holds offset and length of UTF-8 bytes.
  case text
  /// The slot holds offset and length of bytes.
  case blob
}

/// What is to be known of an attribute type, beside its number, to show, pack, bind and compare its
/// values: one line of the table of types.
package struct AttributeStorage: Sendable {
  /// The type's name in a model file and in messages.
  package let displayName: String
  /// What a value looks like in a row, and so how it is compared and what is no value.
  package let form: ValueForm
  /// The type that a table declares for the column.
  package let columnType: String
  /// The column's place among the groups of a table.
  package let columnGroup: Int
  /// The integers that a value may be; nil where values are no integers.
  package let integerRange: ClosedRange<Int64>?

  @inline(__always)
  init(
    _ displayName: String, _ form: ValueForm, _ columnType: String, group: Int,
    range: ClosedRange<Int64>? = nil
  ) {
    self.displayName = displayName
    self.form = form
    self.columnType = columnType
    columnGroup = group
    integerRange = range
  }
}

extension AttributeType {
  /// The table of types: how a type is stored, compared and shown.
  ///
  /// Other switches ask what only they need: defaults in model files, rules, values by key.
  @inline(__always)
  package var storage: AttributeStorage {
    switch self {
    case .integer16:
      AttributeStorage(
        "Integer 16", .integer, "INTEGER", group: 0, range: Int64(Int16.min)...Int64(Int16.max))
    case .integer32:
      AttributeStorage(
        "Integer 32", .integer, "INTEGER", group: 0, range: Int64(Int32.min)...Int64(Int32.max))
    case .integer64:
      AttributeStorage("Integer 64", .integer, "INTEGER", group: 0, range: .min ... .max)
    case .boolean: AttributeStorage("Boolean", .boolean, "INTEGER", group: 0, range: 0...1)
    case .date: AttributeStorage("Date", .real, "TIMESTAMP", group: 1)
    case .double: AttributeStorage("Double", .real, "FLOAT", group: 1)
    case .float: AttributeStorage("Float", .real, "FLOAT", group: 1)
    case .decimal: AttributeStorage("Decimal", .decimal, "DECIMAL", group: 2)
    case .string: AttributeStorage("String", .text, "VARCHAR", group: 3)
    case .uri: AttributeStorage("URI", .text, "VARCHAR", group: 3)
    case .uuid: AttributeStorage("UUID", .uuid, "BLOB", group: 4)
    case .binary: AttributeStorage("Binary", .blob, "BLOB", group: 5)
    case .transformable: AttributeStorage("Transformable", .encoded, "BLOB", group: 5)
    case .composite: AttributeStorage("Composite", .blob, "BLOB", group: 5)
    case .undefined: AttributeStorage("Undefined", .blob, "BLOB", group: 5)
    }
  }
}

/// What a value looks like in a row and in a store: all that tells attribute types apart once a
/// model is built.
@frozen @usableFromInline
package enum ValueForm: UInt8, Sendable {
  case integer
  /// An integer of which only 0 and other numbers are told apart.
  case boolean
  case real
  case text
  /// A number spelt as text.
  case decimal
  case blob
  /// A blob of 16 bytes.
  case uuid
  /// A blob that some encoder has made.
  case encoded

  /// How two values compare.
  @frozen @usableFromInline
  package enum Comparison: Sendable {
    case integer
    case real
    /// By the number that the text spells.
    case decimal
    /// Byte by byte.
    case bytes
  }

  /// What may be there and yet be no value.
  @usableFromInline
  package enum Doubt: Sendable {
    /// A real that is NaN.
    case nan
    /// A text that spells NaN.
    case nanText
    /// The mark of what could not be encoded.
    case unencodable
    /// An integer that stands for values of the property's type that no store can keep.
    case unstorable(_Unstorable)

    /// Whether a value was lost; otherwise there was none, which is nil where nil is allowed.
    package var isLoss: Bool {
      switch self {
      case .nan, .nanText: false
      case .unencodable, .unstorable: true
      }
    }
  }

  /// How a packed row keeps a value.
  @inlinable package var storageClass: StorageClass { traits.storageClass }
  @inlinable package var comparison: Comparison { traits.comparison }
  package var doubt: Doubt? { traits.doubt }

  @inlinable var traits: Traits {
    switch self {
    case .integer, .boolean: Traits(.integer, .integer)
    case .real: Traits(.real, .real, .nan)
    case .text: Traits(.text, .bytes)
    case .decimal: Traits(.text, .decimal, .nanText)
    case .blob, .uuid: Traits(.blob, .bytes)
    case .encoded: Traits(.blob, .bytes, .unencodable)
    }
  }

  @frozen @usableFromInline
  struct Traits {
    @usableFromInline let storageClass: StorageClass
    @usableFromInline let comparison: Comparison
    @usableFromInline let doubt: Doubt?

    @inlinable @inline(__always)
    init(_ storageClass: StorageClass, _ comparison: Comparison, _ doubt: Doubt? = nil) {
      self.storageClass = storageClass
      self.comparison = comparison
      self.doubt = doubt
    }
  }
}

extension AttributeType {
  /// The type's name in Swift.
  package var swiftName: String {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binary: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .transformable: "Transformable"
    case .composite: "[String: Any]"
    case .undefined: "Any"
    }
  }

  /// Whether a store has a column for an attribute of the type.
  package var hasColumn: Bool { self != .composite && self != .undefined }
}
