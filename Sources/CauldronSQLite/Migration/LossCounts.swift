import CauldronModel

/// Counts what a migration would lose; reads only.
struct LossCounts {
  let connection: Connection
  let mapping: ModelMapping
  /// The source's tables, as the file has them.
  let source: StoreSchema

  /// The number of values, links or objects that go with each loss; costs one scan a table.
  func counts(_ changes: [ModelChange]) throws -> [ModelChange: Int] {
    var tables: [String: [(change: ModelChange, sql: String)]] = [:]
    for change in changes where change.loss != nil {
      guard let place = place(of: change) else { continue }
      tables[place.table, default: []].append((change, place.sql))
    }
    var counts: [ModelChange: Int] = [:]
    for (table, losses) in tables {
      let list = losses.map(\.sql).joined(separator: ", ")
      let statement = try Statement(connection.handle, "SELECT \(list) FROM \(table)")
      guard try statement.step() else { continue }
      for (column, loss) in losses.enumerated() {
        counts[loss.change] = Int(statement.integer(Int32(column)))
      }
    }
    return counts
  }

  /// Where what is lost lies, and what counts it.
  private func place(of change: ModelChange) -> (table: String, sql: String)? {
    guard let entity = layout(of: change) else { return nil }
    let table = source.table(of: entity)
    guard let name = change.property else {
      return (table.sqlName, "sum(Z_ENT = \(source.number(of: entity)))")
    }
    guard let index = entity.index(of: name) else { return nil }
    let property = entity.properties[index]
    if let join = property.join { return (source.table(of: join.entity).sqlName, "count(*)") }
    guard let position = source.map(of: entity).properties[index] else { return nil }
    return (
      table.sqlName,
      "sum(\(table.sqlName(position)) NOT NULL AND \(source.includes("Z_ENT", in: entity)))"
    )
  }

  /// The entity of the source that a change is about.
  private func layout(of change: ModelChange) -> EntityLayout? {
    let now = change.property == nil ? nil : mapping.destination.layout(named: change.entity)
    return now.flatMap(mapping.source(of:)) ?? mapping.source.layout(named: change.entity)
  }
}
