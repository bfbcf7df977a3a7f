import CauldronModel
package import CauldronQuery

extension SQLiteReader {
  /// The statement of a query, SQLite's plan for it, and the indexes that it lacks; costs one statement,
  /// which reads no row.
  package func explain(_ query: StoreQuery) throws -> StoreExplanation {
    let split = PredicateSplit(query, try open().room)
    var asked = query
    asked.predicate = split.inSQL
    if !split.sortsInSQL { asked.sort = [] }
    if split.inMemory != nil || !split.sortsInSQL {
      // The window is one of the rows that are left in the end.
      asked.limit = nil
      asked.offset = 0
    }
    return try reading(query.entity) { connection in
      let plan = facts.plan(asked)
      let compiler = QueryCompiler(schema: facts.schema, query: asked, room: connection.room)
      let fragment = compiler.rows(plan)
      var steps = try Self.steps(
        connection.bound("EXPLAIN QUERY PLAN \(fragment)"))
      if split.inMemory != nil {
        steps.append(PlanStep(depth: 0, text: "FILTER IN MEMORY BY THE REST OF THE CONDITION"))
      }
      if !split.sortsInSQL { steps.append(PlanStep(depth: 0, text: "SORT IN MEMORY")) }
      return StoreExplanation(
        sql: Self.readable(fragment.text, plan: plan, table: compiler.table.text),
        plan: steps.map(\.line),
        missing: IndexSearch(facts.schema, steps).missing(for: asked))
    }
  }

  /// The statement without the function that packs its rows.
  private static func readable(_ sql: String, plan: PackPlan, table: String) -> String {
    sql.replacing(plan.bulkHead, with: "SELECT * FROM \(table)")
      .replacing(plan.head, with: "SELECT * FROM \(table)")
  }

  /// The plan, step by step (https://www.sqlite.org/eqp.html).
  private static func steps(_ statement: Statement) throws -> [PlanStep] {
    defer {
      statement.reset()
      statement.clearBindings()
    }
    var depths: [Int64: Int] = [0: 0]
    var steps: [PlanStep] = []
    while try statement.step() {
      let depth = depths[statement.integer(1)] ?? 0
      depths[statement.integer(0)] = depth + 1
      steps.append(PlanStep(depth: depth, text: statement.text(3)))
    }
    return steps
  }
}

/// A step of SQLite's plan for a statement.
struct PlanStep {
  let depth: Int
  let text: String

  /// The step as a line.
  var line: String { String(repeating: "  ", count: depth) + text }

  /// Whether the step looks at every row of a table, known by its name in the statement.
  func scans(_ name: String) -> Bool {
    guard text.hasPrefix("SCAN ") else { return false }
    let rest = text.dropFirst(5)
    return rest == name || rest.hasPrefix("\(name) ") && !rest.contains("USING ")
      || rest.contains("AS \(name)") && !rest.contains("USING ")
  }
}
