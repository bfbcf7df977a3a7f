/// An SQL text with its values.
struct CompiledQuery {
  var sql: String
  var values: [SQLValue] = []
}
