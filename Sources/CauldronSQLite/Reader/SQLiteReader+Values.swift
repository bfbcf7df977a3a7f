package import CauldronModel

extension SQLiteReader {
  /// The lines of a value query; costs one statement, which reads no column more than they need.
  package func values(_ query: ValueQuery) throws -> [[AttributeScalar]] {
    if query.limit.map({ $0 <= 0 }) == true { return [] }
    // What a statement has no room for is asked of the rows.
    if !query.fits(try open().room) {
      return try ValueEvaluation(query, StoredRowSource(self)).lines(try fetch(query.rows))
    }
    return try reading(query.rows.entity) { connection in
      let compiler = ValueCompiler(
        schema: facts.schema, query: query, room: connection.room)
      let statement = try connection.bound(compiler.statement)
      defer {
        statement.reset()
        statement.clearBindings()
      }
      var lines: [[AttributeScalar]] = []
      while try statement.step() {
        lines.append(
          query.columns.enumerated().map { $1.normal(statement.scalar(Int32($0))) })
      }
      return lines
    }
  }

  /// The rows of a query with some attributes alone; costs one statement, which reads no other column.
  package func columns(_ properties: [PropertyLayout], of query: StoreQuery) throws -> RowSet {
    if query.limit.map({ $0 <= 0 }) == true { return RowSet() }
    if let rows = try filteredRows(query) { return rows }
    return try reading(query.entity) { connection in
      let layouts = query.includesSubentities ? query.entity.family.map(\.entity) : [query.entity]
      let plan = PackPlan(layouts, facts.schema, only: Set(properties.map(\.index)))
      let compiler = QueryCompiler(schema: facts.schema, query: query, room: connection.room)
      return try run(connection.bound(compiler.rows(plan)), query, plan, connection)
    }
  }
}
