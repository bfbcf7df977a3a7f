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

  var name: String
  let rootNumber: Int32
  /// Whether the root entity has subentities.
  let isHierarchy: Bool
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`.
  var columns: [ColumnSchema]
  let constraints: [Constraint]
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
      let terms = constraint.columns.map { "\(sqlName($0)) COLLATE BINARY ASC" }
      statements.append(
        "CREATE UNIQUE INDEX \(SQLIdentifier.quoted(constraint.name)) ON \(sqlName)"
          + " (\(terms.joined(separator: ", ")))")
    }
    return statements
  }
}
