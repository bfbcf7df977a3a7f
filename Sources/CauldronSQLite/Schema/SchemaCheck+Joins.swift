import CauldronModel

extension SchemaCheck {
  /// The join table as the file has it; costs two statements where it has the planned name.
  ///
  /// Of two relationships of one entity Core Data lets either name the table, and migrations keep old
  /// names; the columns tell which table it is.
  func resolve(join: TableSchema) throws -> Result<TableSchema, Mismatch> {
    var table = join
    let ends = join.columns.filter { $0.role == .toOne }.map(\.name)
    if try !has(ends, columns(of: join)) {
      let others = try tables(with: ends)
      guard others.count == 1 else {
        return .failure(
          Mismatch(
            what: "\(others.count) tables have the columns \(ends.joined(separator: " and ")),"
              + " which should be those of \(join.name)"))
      }
      table.name = others[0]
    }
    // A join's key has half a word for each end.
    for end in ends {
      let greatest = try connection.integer(
        "SELECT max(\(SQLIdentifier.quoted(end))) FROM \(table.sqlName)")
      if let greatest, greatest > JoinKey.greatestEnd {
        return .failure(
          Mismatch(
            what: "\(table.name) links an object with the key \(greatest); the greatest possible is"
              + " \(JoinKey.greatestEnd)", code: .storeUnsupported,
            hint: "Copy the data to a new store."))
      }
    }
    return .success(table)
  }

  private func has(_ ends: [String], _ found: [FoundColumn]) -> Bool {
    ends.allSatisfy { end in found.contains { $0.name.uppercased() == end } }
  }

  /// The names of the tables that have two columns.
  private func tables(with ends: [String]) throws -> [String] {
    let conditions = ends.map { end in
      "EXISTS (SELECT 1 FROM pragma_table_info(m.name)"
        + " WHERE name = \(SQLIdentifier.literal(end)) COLLATE NOCASE)"
    }
    let statement = try Statement(
      connection.handle,
      "SELECT m.name FROM sqlite_master AS m WHERE m.type = 'table'"
        + " AND \(conditions.joined(separator: " AND "))")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }
}
