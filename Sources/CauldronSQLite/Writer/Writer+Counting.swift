import CauldronModel

extension Writer {
  /// How many objects one statement asks about.
  private static let countBatch = 64

  /// Counts what the plan leaves behind in the relationships that must not lead to any number, with all
  /// that others have written; nothing where the model has none.
  /// - Returns: Why layers must not stay written.
  func miscounts(
    _ plan: SavePlan, _ failures: [CauldronError?]
  ) throws -> [Int: CauldronError] {
    try plan.miscounts(failures) {
      try counts($0, $1, $2)
    } owner: {
      try entity($1, at: $0)
    }
  }

  /// How many rows refer to each of some objects; a statement for each, or for many.
  private func counts(
    _ entity: EntityLayout, _ property: PropertyLayout, _ keys: [Int64]
  ) throws -> [Int64: Int] {
    var result: [Int64: Int] = [:]
    var rest = keys[...]
    while !rest.isEmpty {
      let count = rest.count < Self.countBatch ? 1 : Self.countBatch
      let statement = try counting(entity, property, count)
      defer { statement.reset() }
      for (index, key) in rest.prefix(count).enumerated() {
        try statement.bind(Int32(index) + 1, key)
      }
      statementCount += 1
      while try statement.step() { result[statement.integer(0)] = Int(statement.integer(1)) }
      rest = rest.dropFirst(count)
    }
    return result
  }

  private func counting(
    _ entity: EntityLayout, _ property: PropertyLayout, _ count: Int
  ) throws -> Statement {
    let column = facts.schema.sqlName(property, of: entity)
    let marks = Array(repeating: "?", count: count).joined(separator: ",")
    let condition =
      entity.isJoin
      ? "" : facts.schema.entityCondition(entity, includesSubentities: true, " AND ")
    return try connection.statement(
      "SELECT \(column), COUNT(*) FROM \(facts.schema.table(of: entity).sqlName)"
        + " WHERE \(column) IN (\(marks))\(condition) GROUP BY \(column)")
  }

  /// The entity of a row, given one at or above it; nil where there is no row.
  private func entity(_ key: Int64, at entity: EntityLayout) throws -> EntityLayout? {
    let statement = try connection.statement(
      "SELECT Z_ENT FROM \(facts.schema.table(of: entity).sqlName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(1, key)
    statementCount += 1
    guard try statement.step() else { return nil }
    let found = facts.schema.layout(fileNumber: statement.integer(0))
    return found.flatMap { $0.isKind(of: entity) ? $0 : nil }
  }
}
