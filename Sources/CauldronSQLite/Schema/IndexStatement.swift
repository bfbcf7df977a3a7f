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
