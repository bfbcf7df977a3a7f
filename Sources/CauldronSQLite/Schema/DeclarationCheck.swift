internal import CSQLite
import CauldronModel
import CauldronStore

/// Looks whether a table of the file is declared so that it keeps what is written, and answers as it
/// should; reads no row.
struct DeclarationCheck {
  let connection: Connection
  /// The table with the names of the file.
  let table: TableSchema
  /// The columns of the file.
  let columns: [SchemaCheck.FoundColumn]

  /// What is declared otherwise than it may be.
  struct Problem {
    let kind: StoreFinding.Kind
    /// The sentence without its point.
    let what: String
  }

  /// What would have the store lie; the first is reason enough not to open it.
  func problems() throws -> [Problem] {
    if columns.contains(where: \.isVirtual) {
      return [Problem(kind: .tableForm, what: "the table \(table.name) is a virtual one")]
    }
    return try key() + ownColumns() + properties()
  }

  /// Whether two rows may have one key.
  private func key() throws -> [Problem] {
    guard !table.isJoin, let key = columns.first(where: { $0.name.uppercased() == "Z_PK" }) else {
      return []
    }
    let isAlone = columns.filter(\.isKey).map(\.name) == [key.name]
    if isAlone, Affinity(key.type) == .integer { return [] }
    if Affinity(key.type) != .integer {
      return [Problem(kind: .columnType, what: "the key Z_PK of \(table.name) is no integer")]
    }
    if try hasUniqueIndex(on: key.name) { return [] }
    return [
      Problem(
        kind: .tableForm,
        what: "the key Z_PK of \(table.name) is no primary key, so that two rows may have one")
    ]
  }

  private func hasUniqueIndex(on column: String) throws -> Bool {
    let name = SQLIdentifier.literal(table.name)
    return try connection.integer(
      "SELECT 1 FROM pragma_index_list(\(name)) AS l WHERE l.\"unique\" AND NOT l.partial"
        + " AND (SELECT group_concat(name) FROM pragma_index_info(l.name))"
        + " = \(SQLIdentifier.literal(column)) COLLATE NOCASE LIMIT 1") != nil
  }

  /// The columns that every table has.
  private func ownColumns() -> [Problem] {
    columns.filter { column in
      ["Z_ENT", "Z_OPT"].contains(column.name.uppercased())
        && Affinity(column.type).changes(.integer)
    }.map { wrongType($0, planned: "INTEGER") }
  }

  private func properties() throws -> [Problem] {
    let found = Dictionary(columns.map { ($0.name.withOrderedMarks, $0) }) { first, _ in first }
    return try table.columns.flatMap { planned -> [Problem] in
      guard let column = found[planned.name.withOrderedMarks] else { return [] }
      if Affinity(column.type).changes(Affinity(planned.type)) {
        return [wrongType(column, planned: planned.type)]
      }
      guard Affinity(planned.type) == .text, let name = try collation(of: column.name) else {
        return []
      }
      return [
        Problem(
          kind: .columnCollation,
          what: "the column \(column.name) of \(table.name) is compared by \(name), and not byte by"
            + " byte")
      ]
    }
  }

  private func wrongType(_ column: SchemaCheck.FoundColumn, planned: String) -> Problem {
    let type = column.type.isEmpty ? "without a type" : column.type.excerpt(40)
    return Problem(
      kind: .columnType,
      what: "the column \(column.name) of \(table.name) is declared \(type) instead of \(planned),"
        + " which changes values")
  }

  /// The order of a column's texts where it is none of bytes.
  private func collation(of column: String) throws -> String? {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      connection.handle, "main", table.name, column, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name else { return nil }
    let text = String(cString: name)
    return text.uppercased() == "BINARY" ? nil : text
  }
}

extension Connection {
  /// What is wrong with the encoding of the file's texts; nil where it is UTF-8.
  ///
  /// Conditions and functions compare bytes of UTF-8, which indexes of another encoding are not sorted by.
  func encodingProblem() throws -> DeclarationCheck.Problem? {
    let statement = try Statement(handle, "PRAGMA encoding")
    guard try statement.step(), statement.text(0) != "UTF-8" else { return nil }
    return DeclarationCheck.Problem(
      kind: .fileEncoding,
      what: "its texts are in \(statement.text(0)), and only UTF-8 is supported")
  }
}
