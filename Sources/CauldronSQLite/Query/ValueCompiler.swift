import CauldronModel

/// Writes a value query as SQL: always in a definite order.
struct ValueCompiler {
  let schema: StoreSchema
  let query: ValueQuery
  let room: StatementRoom

  /// The statement whose rows are the lines.
  var statement: SQLFragment {
    let rows = QueryCompiler(schema: schema, query: query.rows, room: room)
    let sql = rows.sql
    var columns = query.columns.map(sql.expression)
    // What gathers nothing would be a line for each row.
    if query.groups?.isEmpty == true { columns.append("count(*)") }
    let filter: SQLFragment =
      rows.hasWindow
      ? " WHERE Z_PK IN (SELECT Z_PK FROM \(rows.table)\(rows.page))" : rows.filter
    let distinct: SQLFragment = query.isDistinct ? "DISTINCT " : ""
    let having: SQLFragment = query.having.map { " HAVING (\(sql.condition($0)))" } ?? ""
    return """
      SELECT \(distinct)\(columns.joined(by: ", ")) FROM \(rows.table)\(filter)\(groups(sql))\(having)\
      \(order(sql))\(window)
      """
  }

  private func groups(_ sql: PredicateSQL) -> SQLFragment {
    guard let groups = query.groups, !groups.isEmpty else { return "" }
    return " GROUP BY \(groups.map(sql.expression).joined(by: ", "))"
  }

  private func order(_ sql: PredicateSQL) -> SQLFragment {
    var terms = query.order.map { key -> SQLFragment in
      "\(sql.expression(key.expression)) \(sql: key.ascending ? "ASC" : "DESC")"
    }
    terms += query.ties?.map(sql.expression) ?? ["Z_PK"]
    return terms.isEmpty ? "" : " ORDER BY \(terms.joined(by: ", "))"
  }

  private var window: SQLFragment {
    guard query.limit != nil || query.offset > 0 else { return "" }
    return " LIMIT \(bind: Int64(query.limit ?? -1)) OFFSET \(bind: Int64(query.offset))"
  }
}
