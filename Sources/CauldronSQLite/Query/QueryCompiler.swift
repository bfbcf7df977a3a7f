import CauldronModel

/// Writes a query as SQL: always in a definite order, equal rows by key.
struct QueryCompiler {
  let schema: StoreSchema
  let query: StoreQuery

  /// Whether the rows are packed in one step and sorted by key afterwards.
  var packsInBulk: Bool { query.sort.isEmpty && query.limit == nil && query.offset == 0 }

  /// The statement whose rows are the query's, selected by `plan`.
  func rows(_ plan: PackPlan) -> CompiledQuery {
    var (filter, values) = filter()
    let order = order(hidden: false)
    guard query.limit != nil || query.offset > 0 else {
      // What is in the order of the keys anyway costs nothing to sort when it is there.
      let text = packsInBulk ? "\(plan.bulkHead)\(filter)" : "\(plan.head)\(filter)\(order)"
      return CompiledQuery(sql: text, values: values)
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

  /// The statement that selects the keys and entity numbers of the rows; in one step, noted by
  /// `z_ids`, where their order is that of the keys.
  func ids() -> CompiledQuery {
    var (filter, values) = filter()
    let table = schema.table(of: query.entity).sqlName
    // The number is selected only where it differs from row to row.
    let isMixed = query.includesSubentities && query.entity.family.count > 1
    let cells = "Z_PK, \(isMixed ? "Z_ENT" : "\(query.entity.number)")"
    if packsInBulk {
      return CompiledQuery(sql: "SELECT z_ids(\(cells)) FROM \(table)\(filter)", values: values)
    }
    filter += order(hidden: false) + " LIMIT ? OFFSET ?"
    values += [.integer(Int64(query.limit ?? -1)), .integer(Int64(max(0, query.offset)))]
    return CompiledQuery(sql: "SELECT \(cells) FROM \(table)\(filter)", values: values)
  }

  /// The statement that counts the rows, limit and offset left out.
  func count() -> CompiledQuery {
    let (filter, values) = filter()
    return CompiledQuery(
      sql: "SELECT count(*) FROM \(schema.table(of: query.entity).sqlName)\(filter)",
      values: values)
  }

  /// The `WHERE` clause; entities are only told apart where the table holds others, too.
  private func filter() -> (String, [SQLValue]) {
    var terms: [String] = []
    let entities = schema.entityCondition(
      query.entity, includesSubentities: query.includesSubentities, "")
    if !entities.isEmpty { terms.append(entities) }
    var writer = PredicateSQL(schema, query.entity)
    if let predicate = query.predicate { terms.append(writer.condition(predicate)) }
    return (
      terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "), writer.values
    )
  }

  /// SQLite puts NULL before all values (https://www.sqlite.org/lang_select.html#orderby).
  private func order(hidden: Bool) -> String {
    let terms = query.sort.map { key in
      let name = schema.sqlValue(key.property, of: query.entity)
      return "\(hidden ? "+" : "")\(name) \(key.ascending ? "ASC" : "DESC")"
    }
    return " ORDER BY " + (terms + [hidden ? "+Z_PK" : "Z_PK"]).joined(separator: ", ")
  }
}
