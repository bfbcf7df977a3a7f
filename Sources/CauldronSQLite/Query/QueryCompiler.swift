import CauldronModel

/// Writes a query as SQL: always in a definite order, equal rows by key.
struct QueryCompiler {
  let schema: StoreSchema
  let query: StoreQuery

  /// The statement whose rows are the query's, selected by `plan`.
  func rows(_ plan: PackPlan) throws -> CompiledQuery {
    var (filter, values) = try filter()
    let order = order(hidden: false)
    guard query.limit != nil || query.offset > 0 else {
      return CompiledQuery(sql: "\(plan.head)\(filter)\(order)", values: values)
    }
    values += [.integer(Int64(query.limit ?? -1)), .integer(Int64(max(0, query.offset)))]
    guard !query.sort.isEmpty else {
      return CompiledQuery(sql: "\(plan.head)\(filter)\(order) LIMIT ? OFFSET ?", values: values)
    }
    // The keys are chosen first, so that rows beyond the limit are not packed in vain. The unary
    // plus keeps the outer sort from choosing an index scan of the whole table.
    filter =
      " WHERE Z_PK IN (SELECT Z_PK FROM \(schema.table(of: query.entity).sqlName)"
      + "\(filter)\(order) LIMIT ? OFFSET ?)"
    return CompiledQuery(sql: "\(plan.head)\(filter)\(self.order(hidden: true))", values: values)
  }

  /// The statement that counts the rows, limit and offset left out.
  func count() throws -> CompiledQuery {
    let (filter, values) = try filter()
    return CompiledQuery(
      sql: "SELECT count(*) FROM \(schema.table(of: query.entity).sqlName)\(filter)",
      values: values)
  }

  /// The `WHERE` clause; entities are only told apart where the table holds others, too.
  private func filter() throws -> (String, [SQLValue]) {
    var terms: [String] = []
    let entities = schema.entityCondition(
      query.entity, includesSubentities: query.includesSubentities, "")
    if !entities.isEmpty { terms.append(entities) }
    var writer = PredicateSQL(schema, query.entity)
    if let predicate = query.predicate { terms.append(try writer.condition(predicate)) }
    return (
      terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "), writer.values
    )
  }

  /// SQLite puts NULL before all values (https://www.sqlite.org/lang_select.html#orderby).
  private func order(hidden: Bool) -> String {
    let terms = query.sort.map { key in
      let name = schema.sqlName(key.property, of: query.entity)
      return "\(hidden ? "+" : "")\(name) \(key.ascending ? "ASC" : "DESC")"
    }
    return " ORDER BY " + (terms + [hidden ? "+Z_PK" : "Z_PK"]).joined(separator: ", ")
  }
}
