internal import CSQLite
import CauldronModel

/// The prepared insertion of one entity's rows.
final class RowInsertion {
  let entity: EntityLayout
  private let statement: Statement
  private let binder: RowBinder

  init(_ entity: EntityLayout, _ schema: StoreSchema, _ connection: Connection) throws {
    self.entity = entity
    let binder = RowBinder(entity, schema, entity.properties.filter(\.hasColumn), from: 4)
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + binder.columns
    let marks = Array(repeating: "?", count: names.count).joined(separator: ",")
    // Not in the connection's cache: it lives as long as the writer.
    statement = try Statement(
      connection.handle,
      "INSERT INTO \(schema.table(of: entity).sqlName) (\(names.joined(separator: ",")))"
        + " VALUES (\(marks))")
    self.binder = binder
    statement.bind(2, Int64(entity.number))
  }

  /// Inserts a row; its texts are lent to SQLite, so it must stay where it is until the next one.
  @inline(__always)
  func run(_ row: RowPointer) throws {
    let handle = statement.handle
    sqlite3_bind_int64(handle, 1, row.key)
    sqlite3_bind_int64(handle, 3, Int64(row.version))
    try binder.bind(row, handle)
    try statement.run()
  }

  /// Forgets the last row.
  func finish() {
    statement.clearBindings()
    statement.bind(2, Int64(entity.number))
  }
}
