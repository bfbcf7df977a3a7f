import CauldronModel

/// The table of a root entity and all its subentities, planned from the model without I/O.
struct TableSchema: Sendable {
  /// A unique index of a uniqueness constraint.
  struct Constraint: Sendable, Hashable {
    let name: String
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
  var creationStatements: [String] {
    if isJoin { return joinCreationStatements }
    var list = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    list += columns.map { "\(SQLIdentifier.quoted($0.name)) \($0.type)" }
    var statements = ["CREATE TABLE \(sqlName) ( \(list.joined(separator: ", ")) )"]
    for column in columns where column.role == .toOne {
      let index = SQLIdentifier.quoted("\(name)_\(column.name)_INDEX")
      statements.append(
        "CREATE INDEX \(index) ON \(sqlName) (\(SQLIdentifier.quoted(column.name)))")
    }
    if isHierarchy {
      statements.append(
        "CREATE INDEX \(SQLIdentifier.quoted("\(name)_Z_ENT_INDEX")) ON \(sqlName) (Z_ENT)")
    }
    for constraint in constraints {
      statements.append(
        "CREATE UNIQUE INDEX \(place(of: constraint.name, constraint.columns))")
    }
    return statements + indexes.map(creationStatement)
  }

  /// The statement that makes an index.
  func creationStatement(_ index: Index) -> String {
    "CREATE INDEX \(place(of: index.name, index.columns))"
  }

  private func place(of index: String, _ columns: [Int]) -> String {
    let terms = columns.map { "\(sqlName($0)) COLLATE BINARY ASC" }
    return "\(SQLIdentifier.quoted(index)) ON \(sqlName) (\(terms.joined(separator: ", ")))"
  }
}
