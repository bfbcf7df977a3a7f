/// Indexes, which also tables get and lose that serve as they are.
extension StoreMigration {
  /// Drops the indexes of tables that are made anew: their names are those that the new ones' have.
  func dropIndexes(of tables: [String]) throws {
    let list = tables.map { SQLIdentifier.literal($0) }.joined(separator: ", ")
    let names = try names(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL"
        + " AND tbl_name COLLATE NOCASE IN (\(list))")
    try dropIndexes(names)
  }

  func dropIndexes(_ names: [String]) throws {
    for name in names { try connection.execute("DROP INDEX \(SQLIdentifier.quoted(name))") }
  }

  /// Drops the indexes that the old model has named and the new one has not, or of other columns, and
  /// makes those that are missing; whatever else the file has stays.
  func replaceIndexes(of source: [TableSchema]) throws {
    let planned = planned.tables.flatMap(\.indexStatements)
    var present = Set(
      try names("SELECT name FROM sqlite_master WHERE type = 'index'").map { $0.uppercased() })
    for index in Set(source.flatMap(\.indexStatements)).subtracting(planned)
    where present.remove(index.name.uppercased()) != nil {
      try dropIndexes([index.name])
    }
    for index in planned where !present.contains(index.name.uppercased()) {
      try connection.execute(index.sql)
    }
  }

  private func names(_ sql: String) throws -> [String] {
    let statement = try Statement(connection.handle, sql)
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }
}
