import CauldronModel
import CauldronStore

/// Makes and unmakes links in join tables: what is linked already, or unlinked already, is as it should be.
struct LinkWriter {
  /// How many links one statement takes; more would not make each cheaper.
  private static let batch = 64
  let writer: Writer

  /// Runs a step that concerns a join table.
  /// - Returns: Whether it was one.
  func write(_ step: SaveStep) throws -> Bool {
    switch step {
    case .delete(let join, let deletions) where join.isJoin: try unlink(deletions, in: join)
    case .update(let join, let updates) where join.isJoin: try move(updates, in: join)
    case .insert(let join, let rows) where join.isJoin: try link(rows, in: join)
    case .unlink(let join, let property, let keys, let onlyMissing):
      let gone = onlyMissing ? try missing(keys, of: property) : keys
      try unlink(gone, of: property, in: join)
    default: return false
    }
    return true
  }

  private func link(_ rows: [RowPointer], in join: EntityLayout) throws {
    try requireFitEnds(of: rows, in: join)
    let binder = RowBinder(join, writer.facts.schema, join.properties, from: 1)
    var rest = rows[...]
    while !rest.isEmpty {
      let count = rest.count < Self.batch ? 1 : Self.batch
      let statement = try insertion(with: binder, count: count, into: join)
      repeat {
        for (index, row) in rest.prefix(count).enumerated() {
          try binder.bind(row, to: statement.handle, after: Int32(index) * (binder.next - 1))
        }
        try statement.run()
        writer.statementCount += 1
        if writer.connection.changes < count { try requireLinks(rest.prefix(count), in: join) }
        rest = rest.dropFirst(count)
      } while rest.count >= count
    }
  }

  /// Fails where an object has a key that a link has no room for.
  private func requireFitEnds(of rows: [RowPointer], in join: EntityLayout) throws {
    let fit = JoinKey.fit
    for end in join.properties {
      let slot = end.index
      guard let entity = end.destination?.entity,
        let row = rows.first(where: { !fit.contains($0.slot(slot)) })
      else { continue }
      let object = writer.facts.name(row.slot(slot), in: entity)
      throw CauldronError(
        .storeUnsupported,
        "Cannot link \(object.uri): in \(join.name) keys are from 1 to \(JoinKey.greatestEnd).",
        hint: "Copy the data to a new store, or put an entity between the two."
      ).with {
        $0.entity = entity.name
        $0.objectIDs = [object.id]
      }
    }
  }

  private func insertion(
    with binder: RowBinder, count: Int, into join: EntityLayout
  ) throws -> Statement {
    let marks = "(\(binder.columns.map { _ in "?" }.joined(separator: ",")))"
    return try writer.connection.statement(
      "INSERT OR ABORT INTO \(table(join)) (\(binder.columns.joined(separator: ","))) VALUES "
        + Array(repeating: marks, count: count).joined(separator: ",")
        + " ON CONFLICT DO \(resolution(with: binder, in: join))")
  }

  /// An existing link stays, and takes the place of the last insertion, as the contexts show it.
  private func resolution(with binder: RowBinder, in join: EntityLayout) -> String {
    let places = Set(binder.columns).subtracting(ends(join)).sorted()
    if places.isEmpty { return "NOTHING" }
    return "UPDATE SET " + places.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
  }

  /// Gives links other places; a statement for each. One that is gone needs none.
  private func move(_ updates: [RowUpdate], in join: EntityLayout) throws {
    let condition = ends(join).map { "\($0) = ?" }.joined(separator: " AND ")
    let map = writer.facts.schema.map(of: join)
    for end in join.properties {
      guard let slot = end.orderSlot, let column = map.companions[slot] else { continue }
      let name = writer.facts.schema.table(of: join).sqlName(column)
      let statement = try writer.connection.statement(
        "UPDATE OR ABORT \(table(join)) SET \(name) = ? WHERE \(condition)")
      for update in updates where update.changed.contains(end.index) {
        try statement.bind(1, to: update.row.slot(slot))
        try statement.bind(2, to: update.row.slot(0))
        try statement.bind(3, to: update.row.slot(1))
        try statement.run()
        writer.statementCount += 1
        if writer.connection.changes > 0 { continue }
        if try isLinked(update.row, in: join) {
          throw DroppedRows(
            writer.facts.schema.table(of: join), "has not taken another place of a link")
        }
      }
    }
  }

  private func unlink(_ deletions: [RowDeletion], in join: EntityLayout) throws {
    let condition = ends(join).map { "\($0) = ?" }.joined(separator: " AND ")
    let statement = try writer.connection.statement("DELETE FROM \(table(join)) WHERE \(condition)")
    for deletion in deletions {
      try statement.bind(1, to: deletion.base.slot(0))
      try statement.bind(2, to: deletion.base.slot(1))
      try statement.run()
      writer.statementCount += 1
      if writer.connection.changes > 0 { continue }
      if try isLinked(deletion.base, in: join) {
        throw DroppedRows(writer.facts.schema.table(of: join), "has not let a link go")
      }
    }
  }

  /// Fails where links are not there after their insertion; a question for each.
  private func requireLinks(_ rows: ArraySlice<RowPointer>, in join: EntityLayout) throws {
    for row in rows where try !isLinked(row, in: join) {
      throw DroppedRows(writer.facts.schema.table(of: join), "has not kept a link")
    }
  }

  /// Whether the two objects of a row are linked.
  private func isLinked(_ row: RowPointer, in join: EntityLayout) throws -> Bool {
    let condition = ends(join).map { "\($0) = ?" }.joined(separator: " AND ")
    let statement = try writer.connection.statement(
      "SELECT 1 FROM \(table(join)) WHERE \(condition)")
    defer { statement.reset() }
    try statement.bind(1, to: row.slot(0))
    try statement.bind(2, to: row.slot(1))
    return try statement.step()
  }

  /// Takes out every link of some objects; a statement for each.
  private func unlink(
    _ keys: [Int64], of property: PropertyLayout, in join: EntityLayout
  ) throws {
    if keys.isEmpty { return }
    let statement = try writer.connection.statement(
      "DELETE FROM \(table(join)) WHERE \(ends(join)[property.index]) = ?")
    for key in keys {
      try statement.bind(1, to: key)
      try statement.run()
      writer.statementCount += 1
    }
  }

  /// Those of the keys for which there is no row; a statement for each.
  private func missing(_ keys: [Int64], of property: PropertyLayout) throws -> [Int64] {
    guard let end = property.destination?.entity else { return [] }
    let statement = try writer.connection.statement(
      "SELECT 1 FROM \(writer.facts.schema.table(of: end).sqlName) WHERE Z_PK = ?")
    return try keys.filter { key in
      defer { statement.reset() }
      try statement.bind(1, to: key)
      writer.statementCount += 1
      return try !statement.step()
    }
  }

  private func table(_ join: EntityLayout) -> String { writer.facts.schema.table(of: join).sqlName }

  private func ends(_ join: EntityLayout) -> [String] {
    join.properties.map { writer.facts.schema.sqlName($0, of: join) }
  }
}
