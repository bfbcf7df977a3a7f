import CauldronModel

extension Writer {
  /// The version of a row as the writer sees it; nil where there is none.
  func version(_ key: Int64, _ entity: EntityLayout) throws -> Int32? {
    let table = facts.schema.table(of: entity).sqlName
    let statement = try connection.bound(
      "SELECT Z_OPT FROM \(sql: table) WHERE Z_PK = \(bind: key)")
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Int32(clamping: statement.integer(0))
  }

  /// The error of a row that is not what it was when it was read.
  func conflict(_ base: RowPointer, _ entity: EntityLayout) throws -> CauldronError {
    let object = facts.name(base.key, entity)
    guard let stored = try version(base.key, entity) else {
      return .deleted(object, read: base.version)
    }
    statementCount += 2
    return .changed(
      object, read: base.version, stored: stored, fields: try differences(base, entity))
  }

  /// The properties that differ in the store; none where the row cannot be decoded.
  private func differences(_ base: RowPointer, _ entity: EntityLayout) throws -> [String] {
    do {
      let found = try connection.row(base.key, entity.root, facts.plans.family(entity.root), nil)
      guard let found, found.row.entityNumber == entity.number else { return [] }
      let changed = withExtendedLifetime(found) { found.row.difference(from: base, entity) }
      return changed.indices.map { entity.properties[$0].name }
    } catch let failure as SQLiteFailure {
      if connection.packer.pointee.failure == nil { throw failure }
      return []
    }
  }
}
