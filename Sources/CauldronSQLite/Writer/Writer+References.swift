import CauldronModel

extension Writer {
  /// Fails where a row that is referred to is missing; a statement for each key.
  func requireTargets(
    _ destination: EntityLayout, _ keys: [Int64], _ source: EntityLayout,
    _ property: PropertyLayout
  ) throws {
    let statement = try connection.statement(
      "SELECT 1 FROM \(facts.schema.table(of: destination).sqlName) WHERE Z_PK = ?"
        + facts.schema.entityCondition(destination, includesSubentities: true, " AND "))
    for key in keys {
      // After an error, too: a statement that was not reset keeps the key of its last run.
      defer { statement.reset() }
      try statement.bind(1, key)
      statementCount += 1
      guard try statement.step() else {
        throw CauldronError.missingTarget(
          facts.name(key, destination), of: property.name, in: source.name)
      }
    }
  }

  /// Fails where a row still refers to a deleted one; a statement for each key.
  func requireUnreferenced(
    _ entity: EntityLayout, _ property: PropertyLayout, _ keys: [Int64], _ changeSet: ChangeSet
  ) throws {
    let column = facts.schema.sqlName(property, of: entity)
    let statement = try connection.statement(
      "SELECT Z_PK, Z_ENT FROM \(facts.schema.table(of: entity).sqlName)"
        + " WHERE \(column) = ? LIMIT 1")
    for key in keys {
      defer { statement.reset() }
      try statement.bind(1, key)
      statementCount += 1
      guard try statement.step() else { continue }
      let referrer = facts.name(statement.integer(0), number: statement.integer(1), entity)
      throw CauldronError.referenced(
        facts.name(key, deleted(key, property, changeSet) ?? entity), by: referrer, property.name)
    }
  }

  /// The concrete entity of a deleted row.
  private func deleted(
    _ key: Int64, _ property: PropertyLayout, _ changeSet: ChangeSet
  ) -> EntityLayout? {
    let root = property.destination?.entity.root
    let changes = changeSet.entities.first { changes in
      guard changes.entity.root === root, case .deleted = changes.change(key) else { return false }
      return true
    }
    return changes?.entity ?? property.destination?.entity
  }
}
