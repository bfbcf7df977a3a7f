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
    }
  }
}
