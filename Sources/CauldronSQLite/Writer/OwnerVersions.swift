import CauldronModel
import CauldronStore

/// The versions of rows whose objects have other to-many relationships now, which no column of theirs tells.
struct OwnerVersions {
  let writer: Writer

  /// Has the versions of those rows grow whose objects have other to-many relationships now; a statement
  /// for each table. One whose version cannot grow any more keeps it.
  /// - Returns: The rows.
  func touch(
    ownersIn plan: SavePlan, failures: [CauldronError?]
  ) throws -> [(entity: EntityLayout, keys: [Int64])] {
    let owners = plan.touchedOwners(failures)
    for (entity, keys) in owners {
      // One text for any number of keys: the statement is prepared once.
      let statement = try writer.connection.statement(
        "UPDATE \(writer.facts.schema.table(of: entity).sqlName) SET Z_OPT = ifnull(Z_OPT, 0) + 1"
          + " WHERE Z_PK IN (SELECT value FROM json_each(?))"
          + " AND ifnull(Z_OPT, 0) < \(RowPointer.greatestVersion)")
      let json = "[" + keys.map(String.init).joined(separator: ",") + "]"
      try statement.bind(1, to: .text(Array(json.utf8)))
      defer { statement.clearBindings() }
      try statement.run()
      writer.statementCount += 1
      if writer.connection.changes < keys.count { try requireTouched(keys.count, json, of: entity) }
    }
    return owners
  }

  /// Fails where owners are there whose versions could grow, and did not.
  private func requireTouched(_ count: Int, _ keys: String, of entity: EntityLayout) throws {
    let changes = writer.connection.changes
    let statement = try writer.connection.statement(
      "SELECT count(*) FROM \(writer.facts.schema.table(of: entity).sqlName)"
        + " WHERE Z_PK IN (SELECT value FROM json_each(?))"
        + " AND ifnull(Z_OPT, 0) < \(RowPointer.greatestVersion)")
    defer {
      statement.reset()
      statement.clearBindings()
    }
    try statement.bind(1, to: .text(Array(keys.utf8)))
    guard try statement.step(), Int(statement.integer(0)) > changes else { return }
    throw DroppedRows(
      writer.facts.schema.table(of: entity), "has kept \(changes) of \(count) versions")
  }
}
