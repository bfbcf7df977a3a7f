internal import CSQLite
package import CauldronModel
import Foundation

extension SQLiteReader {
  /// The lines of a value query; costs one statement, which reads no column more than they need.
  package func values(_ query: ValueQuery) throws -> [[AttributeScalar]] {
    if query.limit.map({ $0 <= 0 }) == true { return [] }
    // What a statement has no room for is asked of the rows.
    if PredicateSplit(query.rows.predicate).inMemory != nil {
      return try ValueEvaluation(query, StoredRowSource(self)).lines(try fetch(query.rows))
    }
    return try reading(query.rows.entity) { connection in
      let compiler = ValueCompiler(schema: facts.schema, query: query)
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

extension Statement {
  /// A cell as it is.
  fileprivate func scalar(_ column: Int32) -> AttributeScalar {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(Data(bytes(column)))
    default: .null
    }
  }
}
