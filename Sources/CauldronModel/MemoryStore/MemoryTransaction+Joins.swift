extension MemoryTransaction {
  /// Runs a step that concerns a join: what is linked already, or unlinked already, is as it should
  /// be.
  /// - Returns: Whether it was one.
  mutating func runJoin(_ step: SaveStep) -> Bool {
    switch step {
    case .delete(let join, let deletions) where join.isJoin:
      for deletion in deletions { replace(deletion.key, of: join, with: nil) }
    case .update(let join, let updates) where join.isJoin:
      for update in updates where tables.row(update.row.key, of: join) != nil {
        keep(update.row, join)
      }
    case .insert(let join, let rows) where join.isJoin:
      for row in rows { keep(row, join) }
    case .unlink(let join, let property, let keys, let onlyMissing):
      unlink(join, property, Set(keys), onlyMissing)
    default: return false
    }
    return true
  }

  private mutating func keep(_ row: RowPointer, _ join: EntityLayout) {
    replace(row.key, of: join, with: tables.kept(row, join, isSparse: true))
  }

  private mutating func unlink(
    _ join: EntityLayout, _ property: PropertyLayout, _ keys: Set<Int64>, _ onlyMissing: Bool
  ) {
    guard let end = property.destination?.entity else { return }
    let gone = onlyMissing ? keys.filter { tables.row($0, of: end) == nil } : keys
    if gone.isEmpty { return }
    let links = tables.table(of: join).values.map(\.row)
    for link in links where gone.contains(link.slot(property.index)) {
      replace(link.key, of: join, with: nil)
    }
  }
}
