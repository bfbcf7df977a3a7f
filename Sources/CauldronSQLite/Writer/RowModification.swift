import CauldronModel

/// The update of one set of properties, guarded by the version that was read.
struct RowModification {
  private let statement: Statement
  private let binder: RowBinder

  init(
    _ changed: PropertySet, _ entity: EntityLayout, _ schema: StoreSchema,
    _ connection: Connection
  ) throws {
    // The store itself keeps what is derived, whatever a merge policy has made of the row.
    let properties = changed.indices.map { entity.properties[$0] }
      .filter { $0.hasColumn && $0.derivation == nil }
    binder = RowBinder(entity, schema, properties, from: 1)
    let assignments = (binder.columns + ["Z_OPT"]).map { "\($0) = ?" }.joined(separator: ", ")
    // A row that Core Data's history tables or others wrote may have no version.
    statement = try connection.statement(
      "UPDATE \(schema.table(of: entity).sqlName) SET \(assignments)"
        + " WHERE Z_PK = ? AND ifnull(Z_OPT, 0) = ?")
  }

  /// Updates one row; whether it was there in its version is told by the change count.
  func run(_ update: RowUpdate) throws {
    try binder.bind(update.row, statement.handle)
    try statement.bind(binder.next, Int64(update.row.version))
    try statement.bind(binder.next + 1, update.row.key)
    try statement.bind(binder.next + 2, Int64(update.base.version))
    try statement.run()
  }

  /// Forgets the last row, whose texts are only lent.
  func finish() { statement.clearBindings() }
}
