import CauldronModel
import CauldronStore

/// Looks whether references lead to rows, and relationships to as many as they may, as the transaction has
/// left them.
struct ReferenceCheck {
  /// How many objects one statement asks about.
  private static let countBatch = 64

  let writer: Writer

  /// Fails where a row that is referred to is missing; a statement for each key.
  func requireTargets(
    in destination: EntityLayout, keys: [Int64], from source: EntityLayout,
    property: PropertyLayout
  ) throws {
    let statement = try writer.connection.statement(
      "SELECT 1 FROM \(writer.facts.schema.table(of: destination).sqlName) WHERE Z_PK = ?"
        + writer.facts.schema.entityCondition(
          destination, includesSubentities: true, prefix: " AND "))
    for key in keys {
      // After an error, too: a statement that was not reset keeps the key of its last run.
      defer { statement.reset() }
      try statement.bind(1, to: key)
      writer.statementCount += 1
      guard try statement.step() else {
        throw CauldronError.missingTarget(
          writer.facts.name(key, in: destination), of: property.name, in: source.name)
      }
    }
  }

  /// Fails where a row still refers to a deleted one; a statement for each key.
  func requireUnreferenced(
    by entity: EntityLayout, through property: PropertyLayout, keys: [Int64],
    in changeSet: ChangeSet
  ) throws {
    let column = writer.facts.schema.sqlName(property, of: entity)
    let statement = try writer.connection.statement(
      "SELECT Z_PK, Z_ENT FROM \(writer.facts.schema.table(of: entity).sqlName)"
        + " WHERE \(column) = ? LIMIT 1")
    for key in keys {
      defer { statement.reset() }
      try statement.bind(1, to: key)
      writer.statementCount += 1
      guard try statement.step() else { continue }
      let referrer = writer.facts.name(
        statement.integer(0), number: statement.integer(1), in: entity)
      throw CauldronError.referenced(
        writer.facts.name(key, in: deleted(key, through: property, in: changeSet) ?? entity),
        by: referrer,
        property.name)
    }
  }

  /// The concrete entity of a deleted row.
  private func deleted(
    _ key: Int64, through property: PropertyLayout, in changeSet: ChangeSet
  ) -> EntityLayout? {
    let root = property.destination?.entity.root
    let changes = changeSet.entities.first { changes in
      guard changes.entity.root === root, case .deleted = changes.change(key) else { return false }
      return true
    }
    return changes?.entity ?? property.destination?.entity
  }

  /// Counts the objects of relationships with a limited number, as the plan and all foreign writes
  /// leave them; nothing where the model has none.
  /// - Returns: Why layers must not stay written.
  func miscounts(
    _ plan: SavePlan, failures: [CauldronError?]
  ) throws -> [Int: CauldronError] {
    try plan.miscounts(failures) {
      try counts(in: $0, of: $1, for: $2)
    } owner: {
      try entity($1, at: $0)
    }
  }

  /// How many rows refer to each of some objects; a statement for each, or for many.
  private func counts(
    in entity: EntityLayout, of property: PropertyLayout, for keys: [Int64]
  ) throws -> [Int64: Int] {
    var result: [Int64: Int] = [:]
    var rest = keys[...]
    while !rest.isEmpty {
      let count = rest.count < Self.countBatch ? 1 : Self.countBatch
      let statement = try counting(in: entity, of: property, count: count)
      defer { statement.reset() }
      for (index, key) in rest.prefix(count).enumerated() {
        try statement.bind(Int32(index) + 1, to: key)
      }
      writer.statementCount += 1
      while try statement.step() { result[statement.integer(0)] = Int(statement.integer(1)) }
      rest = rest.dropFirst(count)
    }
    return result
  }

  private func counting(
    in entity: EntityLayout, of property: PropertyLayout, count: Int
  ) throws -> Statement {
    let column = writer.facts.schema.sqlName(property, of: entity)
    let marks = Array(repeating: "?", count: count).joined(separator: ",")
    let condition =
      entity.isJoin
      ? "" : writer.facts.schema.entityCondition(entity, includesSubentities: true, prefix: " AND ")
    return try writer.connection.statement(
      "SELECT \(column), COUNT(*) FROM \(writer.facts.schema.table(of: entity).sqlName)"
        + " WHERE \(column) IN (\(marks))\(condition) GROUP BY \(column)")
  }

  /// The entity of a row, given one at or above it; nil where there is no row.
  private func entity(_ key: Int64, at entity: EntityLayout) throws -> EntityLayout? {
    let statement = try writer.connection.statement(
      "SELECT Z_ENT FROM \(writer.facts.schema.table(of: entity).sqlName) WHERE Z_PK = ?")
    defer { statement.reset() }
    try statement.bind(1, to: key)
    writer.statementCount += 1
    guard try statement.step() else { return nil }
    let found = writer.facts.schema.layout(fileNumber: statement.integer(0))
    return found.flatMap { $0.isKind(of: entity) ? $0 : nil }
  }
}
