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
    IndexStatement(index.name, on: sqlName, terms(index.columns))
  }

  private func terms(_ columns: [Int]) -> String {
    columns.map { "\(sqlName($0)) COLLATE BINARY ASC" }.joined(separator: ", ")
  }
}
