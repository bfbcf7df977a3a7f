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
}
