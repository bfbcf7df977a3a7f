import CauldronModel

/// The table of a root entity and all its subentities, planned from the model without I/O.
struct TableSchema: Sendable {
  /// A unique index of a uniqueness constraint.
  struct Constraint: Sendable, Hashable {
    let name: String
    /// The name of the entity that states it.
    let entity: String
    /// The properties' names.
    let properties: [String]
    /// The positions in `columns`.
    let columns: [Int]
  }

  /// An index that only makes fetches quick.
  struct Index: Sendable, Hashable {
    let name: String
    /// The positions in `columns`.
    let columns: [Int]
    /// Those of them whose greatest value comes first.
    var descending: Set<Int> = []
  }

  var name: String
  let rootNumber: Int32
  /// Whether the root entity has subentities.
  let isHierarchy: Bool
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`.
  var columns: [ColumnSchema]
  let constraints: [Constraint]
  var indexes: [Index] = []
  /// Whether it holds the links of a many-to-many relationship; then it has none but the columns of
  /// the ends.
  var isJoin = false

  /// The table's name as SQL takes it.
  var sqlName: String { SQLIdentifier.quoted(name) }

  func sqlName(_ column: Int) -> String { SQLIdentifier.quoted(columns[column].name) }

  /// The statements that make the table and its indexes.
  var creationStatements: [String] { [creationStatement] + indexStatements.map(\.sql) }

  /// The statement that makes the table.
  var creationStatement: String {
    if isJoin { return joinCreationStatement }
    var list = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    list += columns.map { "\(SQLIdentifier.quoted($0.name)) \($0.type)" }
    return "CREATE TABLE \(sqlName) ( \(list.joined(separator: ", ")) )"
  }

  /// The indexes, those included that the model does not name.
  var indexStatements: [IndexStatement] {
    if isJoin { return [joinIndexStatement] }
    var list: [IndexStatement] = []
    for column in columns where column.role == .toOne {
      let index = "\(name)_\(column.name)_INDEX"
      list.append(IndexStatement(index, on: sqlName, SQLIdentifier.quoted(column.name)))
    }
    if isHierarchy { list.append(IndexStatement("\(name)_Z_ENT_INDEX", on: sqlName, "Z_ENT")) }
    list += constraints.map {
      IndexStatement($0.name, on: sqlName, terms($0.columns), isUnique: true)
    }
    return list + indexes.map(indexStatement)
  }

  /// The statement that makes an index of the model.
  func indexStatement(_ index: Index) -> IndexStatement {
    IndexStatement(index.name, on: sqlName, terms(index.columns, descending: index.descending))
  }

  private func terms(_ columns: [Int], descending: Set<Int> = []) -> String {
    columns.map { "\(sqlName($0)) COLLATE BINARY \(descending.contains($0) ? "DESC" : "ASC")" }
      .joined(separator: ", ")
  }
}

/// A column of an entity table, planned from the model.
struct ColumnSchema: Sendable, Hashable {
  /// What the column holds.
  enum Role: Sendable, Hashable {
    case attribute(AttributeType)
    /// The destination's `Z_PK`.
    case toOne
    /// The destination's `Z_ENT`, beside a to-one into a hierarchy.
    case entityKey
    /// The place among the rows that refer to the same one, beside a to-one with an ordered inverse.
    case orderKey

    /// Whether the column belongs to another one.
    var isCompanion: Bool { self == .entityKey || self == .orderKey }
  }

  /// The column's name; a file written by Core Data may give it another.
  var name: String
  let role: Role
  /// The number of the entity that declares the property.
  let owner: Int32
  /// The property's index in its owner.
  let property: Int
  /// The name before a number was added because a sibling's column has it, too.
  var base = ""
  /// Other names under which files may hold it.
  var alternatives: [String] = []
  /// Whether a cell begins with a byte that says where the value is.
  var isExternal = false

  /// The type that the table declares.
  var type: String {
    switch role {
    case .toOne, .entityKey, .orderKey: "INTEGER"
    case .attribute(let type): type.storage.columnType
    }
  }

  /// The column's place among the groups of a table.
  var group: Int {
    switch role {
    case .toOne, .entityKey, .orderKey: 0
    case .attribute(let type): type.storage.columnGroup
    }
  }
}

/// The statement that makes an index.
struct IndexStatement: Hashable {
  let name: String
  let sql: String

  /// - Parameters:
  ///   - table: The table's name as SQL takes it.
  ///   - terms: The columns as SQL takes them.
  init(_ name: String, on table: String, _ terms: String, isUnique: Bool = false) {
    self.name = name
    let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
    sql = "CREATE \(kind) \(SQLIdentifier.quoted(name)) ON \(table) (\(terms))"
  }
}

/// Names of tables and columns, and how they are written in SQL.
enum SQLIdentifier {
  /// The name of a table or column: `Z` and the name in capitals.
  static func name(_ name: String) -> String { "Z" + name.uppercased() }

  /// The name as SQL takes it; quoted only where it must be, so that schemas read like Core Data's.
  ///
  /// No keyword of SQLite begins with Z, so plain names need no quotes
  /// (https://www.sqlite.org/lang_keywords.html).
  static func quoted(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
    if isPlain && name.utf8.first == UInt8(ascii: "Z") { return name }
    return "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// The string as an SQL literal.
  static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}
