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

/// Finds out which indexes would save a statement from looking at every row.
struct IndexSearch {
  private let schema: StoreSchema
  private let steps: [PlanStep]

  init(_ schema: StoreSchema, _ steps: [PlanStep]) {
    self.schema = schema
    self.steps = steps
  }

  /// The properties of each index, in their order.
  func missing(
    for query: StoreQuery
  ) -> [(entity: EntityLayout, properties: [PropertyLayout])] {
    // What a truth value is ordered by is no column.
    let sorts = query.sort.compactMap(\.property).filter { $0.form != .boolean }
    var order = sorts.count == query.sort.count ? sorts : []
    // What is sorted both ways needs an index of its own, which a class cannot declare.
    if Set(query.sort.map(\.ascending)).count > 1 { order = Array(order.prefix(1)) }
    let isScanned = steps.contains { $0.scans(schema.table(of: query.entity).sqlName) }
    let isSorted = steps.contains { $0.text.hasPrefix("USE TEMP B-TREE FOR ORDER BY") }
    var result: [(entity: EntityLayout, properties: [PropertyLayout])] = []
    if isScanned || isSorted && query.predicate == nil {
      add(query.predicate, order: order, of: query.entity, to: &result)
    }
    if let predicate = query.predicate { follow(predicate, level: 1, into: &result) }
    return result
  }

  private func add(
    _ predicate: BoundPredicate?, order: [PropertyLayout], of entity: EntityLayout,
    to result: inout [(entity: EntityLayout, properties: [PropertyLayout])]
  ) {
    let terms = predicate?.terms ?? []
    let equal = terms.compactMap(\.pinnedProperty)
    let range = terms.compactMap(\.rangedProperty).first { property in
      !equal.contains { $0.index == property.index }
    }
    let rest = range.map { [$0] } ?? order
    var properties: [PropertyLayout] = []
    for property in equal + rest where !properties.contains(where: { $0.index == property.index }) {
      properties.append(property)
    }
    // More than three columns make an index that is dearer to keep than it is good for.
    properties = Array(properties.prefix(3))
    guard !properties.isEmpty, !isThere(properties, in: entity),
      !result.contains(where: { known in
        known.entity === entity && known.properties.map(\.index) == properties.map(\.index)
      })
    else { return }
    result.append((entity, properties))
  }

  /// Whether an index begins with the properties; then SQLite has a reason not to use it.
  private func isThere(_ properties: [PropertyLayout], in entity: EntityLayout) -> Bool {
    let map = schema.map(of: entity)
    let columns = properties.compactMap { map.properties[$0.index] }
    let table = schema.table(of: entity)
    let known = table.indexes.map(\.columns) + table.constraints.map(\.columns)
    return known.contains { Array($0.prefix(columns.count)) == columns }
      || properties.count == 1 && properties[0].kind == .toOne
  }

  /// Looks at the conditions on what relationships lead to.
  private func follow(
    _ predicate: BoundPredicate, level: Int,
    into result: inout [(entity: EntityLayout, properties: [PropertyLayout])]
  ) {
    switch predicate {
    case .and(let nodes), .or(let nodes):
      for node in nodes { follow(node, level: level, into: &result) }
    case .not(let node): follow(node, level: level, into: &result)
    case .exists(let property, let inner):
      guard let entity = property.destination?.entity else { return }
      if steps.contains(where: { $0.scans("t\(level)") }) {
        add(inner, order: [], of: entity, to: &result)
      }
      follow(inner, level: level + 1, into: &result)
    default: return
    }
  }
}

extension BoundPredicate {
  /// The conditions that all have to hold.
  fileprivate var terms: [BoundPredicate] {
    if case .and(let nodes) = self { return nodes.flatMap(\.terms) }
    return [self]
  }

  /// The property that must have one of some values.
  fileprivate var pinnedProperty: PropertyLayout? {
    switch self {
    case .comparison(let property, .equal, _), .isIn(let property, _), .refersTo(let property, _),
      .isNull(let property):
      // What a truth value is compared by is no column.
      property.form == .boolean ? nil : property
    default: nil
    }
  }

  /// The property that must lie in a range.
  fileprivate var rangedProperty: PropertyLayout? {
    switch self {
    case .comparison(let property, .less, _), .comparison(let property, .lessOrEqual, _),
      .comparison(let property, .greater, _), .comparison(let property, .greaterOrEqual, _):
      property.form == .boolean ? nil : property
    case .text(let property, .beginsWith, _): property.form == .text ? property : nil
    default: nil
    }
  }
}
