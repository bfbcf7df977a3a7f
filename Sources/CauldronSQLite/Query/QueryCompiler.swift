import CauldronModel
import CauldronQuery

/// Writes a query as SQL: always in a definite order, equal rows by key.
struct QueryCompiler {
  let schema: StoreSchema
  let query: StoreQuery
  var room = StatementRoom.standard

  /// Whether the rows are packed in one step and sorted by key afterwards.
  var packsInBulk: Bool { query.packsInBulk }

  /// Whether some of the rows are left out by their number alone.
  var hasWindow: Bool { query.hasWindow }

  /// Condition, order and window.
  var page: SQLFragment { "\(filter)\(order(hidden: false))\(window)" }

  /// The statement whose rows are the query's, selected by `plan`.
  func rows(_ plan: PackPlan) -> SQLFragment {
    guard hasWindow else {
      // What is in the order of the keys anyway costs nothing to sort when it is there.
      return packsInBulk
        ? "\(sql: plan.bulkHead)\(filter)" : "\(sql: plan.head)\(filter)\(order(hidden: false))"
    }
    guard !query.sort.isEmpty else { return "\(sql: plan.head)\(page)" }
    // The keys are chosen first, so that rows beyond the limit are not packed in vain. The unary
    // plus keeps the outer sort from choosing an index scan of the whole table.
    return """
      \(sql: plan.head) WHERE Z_PK IN (SELECT Z_PK FROM \(table)\(page))\(order(hidden: true))
      """
  }

  /// The statement that selects the keys and entity numbers of the rows; in one step, noted by
  /// `z_ids`, where their order is that of the keys.
  func ids() -> SQLFragment {
    // The number is selected only where it differs from row to row.
    let isMixed = query.includesSubentities && query.entity.family.count > 1
    let number = isMixed ? "Z_ENT" : "\(schema.number(of: query.entity))"
    if packsInBulk { return "SELECT z_ids(Z_PK, \(sql: number)) FROM \(table)\(filter)" }
    return "SELECT Z_PK, \(sql: number) FROM \(table)\(page)"
  }

  /// The statement that selects the keys of the rows.
  func keys() -> SQLFragment {
    "SELECT Z_PK FROM \(table)\(filter)\(order(hidden: false))\(window)"
  }

  /// The statement that counts the rows, up to the end of the window where there is one.
  func count() -> SQLFragment {
    guard let limit = query.limit else { return "SELECT count(*) FROM \(table)\(filter)" }
    let (end, isBeyond) = max(0, limit).addingReportingOverflow(max(0, query.offset))
    let last = Int64(isBeyond ? .max : end)
    return "SELECT count(*) FROM (SELECT 1 FROM \(table)\(filter) LIMIT \(bind: last))"
  }

  /// Writes what is asked of the rows.
  var sql: PredicateSQL {
    PredicateSQL(schema, query.entity, chainLength: room.chainLength)
  }

  var table: SQLFragment { SQLFragment(sql: schema.source(of: query.entity)) }

  private var window: SQLFragment {
    let limit = Int64(query.limit ?? -1)
    return " LIMIT \(bind: limit) OFFSET \(bind: Int64(max(0, query.offset)))"
  }

  /// The `WHERE` clause; entities are only told apart where the table holds others, too.
  var filter: SQLFragment {
    var terms: [SQLFragment] = []
    let entities = schema.entityCondition(
      query.entity, includesSubentities: query.includesSubentities, prefix: "")
    if !entities.isEmpty { terms.append(SQLFragment(sql: entities)) }
    if let predicate = query.predicate {
      terms.append(sql.condition(predicate))
    }
    return terms.isEmpty ? "" : " WHERE \(terms.joined(by: " AND "))"
  }

  /// SQLite puts NULL before all values (https://www.sqlite.org/lang_select.html#orderby).
  private func order(hidden: Bool) -> SQLFragment {
    let terms = query.sort.map { key -> SQLFragment in
      let direction = key.ascending ? "ASC" : "DESC"
      return "\(sql: hidden ? "+" : "")\(sortValue(key)) \(sql: direction)"
    }
    let all: [SQLFragment] = terms + [hidden ? "+Z_PK" : "Z_PK"]
    return " ORDER BY \(all.joined(by: ", "))"
  }

  private func sortValue(_ key: StoreQuery.SortKey) -> SQLFragment {
    if let property = key.property {
      return SQLFragment(sql: schema.sqlValue(property, of: query.entity))
    }
    return sql.expression(key.expression)
  }
}

extension StoreQuery {
  /// Whether the rows are packed in one step and sorted by key afterwards.
  var packsInBulk: Bool { sort.isEmpty && !hasWindow }

  /// Whether some of the rows are left out by their number alone.
  var hasWindow: Bool { limit != nil || offset > 0 }

  /// The key that alone decides which row is found; nil where there is more to it.
  var onlyKey: Int64? {
    guard case .isSelf(let keys)? = predicate, keys.count == 1, offset <= 0,
      includesSubentities || entity.family.count == 1
    else { return nil }
    return keys.first
  }
}

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
