import CauldronModel

/// Questions about the rows of one table, whose answers must be none.
struct RowQuestions {
  /// The table's name as SQL takes it.
  let table: String
  /// The numbers of the entities whose rows are asked; nil for all rows.
  var numbers: String?

  /// The rows of which a condition holds.
  /// - Parameter shown: What a person is shown of them.
  func rows(
    where condition: SQLFragment, showing shown: String,
    _ problem: @escaping (Int, [String]) -> CauldronError
  ) -> MigrationStatements.Check {
    MigrationStatements.Check(
      sql: "SELECT \(sql: shown) FROM \(sql: table) WHERE \(sql: scope)\(condition)",
      problem: problem)
  }

  /// Values that are there twice, all taken together; nil is never the same as another.
  func duplicates(
    of values: [SQLFragment], _ problem: @escaping (Int, [String]) -> CauldronError
  ) -> MigrationStatements.Check {
    // By position, because a value may be an expression with bindings of its own.
    let columns = values.indices.map { "c\($0)" }
    let terms = zip(values, columns).map { "\($0) AS \(sql: $1)" as SQLFragment }
    let shown = columns.joined(separator: " || ', ' || ")
    let isThere = columns.map { "\($0) NOT NULL" }.joined(separator: " AND ")
    let source: SQLFragment =
      "SELECT \(terms.joined(by: ", ")) FROM \(sql: table) WHERE \(sql: scope)1"
    return MigrationStatements.Check(
      sql: """
        SELECT \(sql: shown), count(*) FROM (\(source)) WHERE \(sql: isThere) \
        GROUP BY \(sql: columns.joined(separator: ", ")) HAVING count(*) > 1
        """, problem: problem)
  }

  private var scope: String { numbers.map { "Z_ENT IN (\($0)) AND " } ?? "" }
}
