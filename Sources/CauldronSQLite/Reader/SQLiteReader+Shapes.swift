import CauldronModel

extension SQLiteReader {
  /// The statement for a query's rows, its values bound.
  /// - Parameter known: That of the query's shape, where there is one.
  func statement(
    _ query: StoreQuery, _ shape: QueryShape?, _ known: Statement?, _ plan: PackPlan,
    _ connection: RowConnection
  ) throws -> Statement {
    if let known {
      try known.bind(QueryShape.values(of: query))
      return known
    }
    let compiler = QueryCompiler(schema: facts.schema, query: query, room: connection.room)
    let fragment = compiler.rows(plan)
    let statement = try connection.bound(fragment)
    // A condition may be written with other values than it has.
    if let shape, fragment.values == QueryShape.values(of: query) {
      connection.keep(statement, for: shape)
    }
    return statement
  }

  /// The rows that a query's statement selects, packed by a plan.
  func run(
    _ statement: Statement, _ query: StoreQuery, _ plan: PackPlan, _ connection: RowConnection
  ) throws -> RowSet {
    defer { statement.clearBindings() }
    return try query.packsInBulk
      ? connection.fetchAll(statement, plan) : connection.fetch(statement, plan)
  }
}
