internal import CSQLite
import CauldronModel
import CauldronStore

/// The prepared insertion of one entity's rows, one by one or several by one statement.
final class RowInsertion {
  /// How many rows the statement for several takes.
  let batch: Int
  private let binder: RowBinder
  private let text: InsertionText
  private let one: Statement
  private var several: Statement?

  /// What a statement costs beside its rows is nothing with so many of them; more values would not
  /// stay in the processor's nearest cache.
  private static let mostRows = 32
  private static let mostValues = 512

  init(_ entity: EntityLayout, _ schema: StoreSchema, _ connection: Connection) throws {
    binder = RowBinder(entity, schema, entity.properties.filter(\.hasColumn), from: 3)
    let names = ["Z_PK", "Z_OPT"] + binder.columns + ["Z_ENT"]
    text = InsertionText(
      columns: "\(schema.table(of: entity).sqlName) (\(names.joined(separator: ",")))",
      marks: String(repeating: "?,", count: Int(binder.next - 1)),
      number: schema.number(of: entity), connection: connection)
    let most = min(Self.mostValues, connection.mostParameters)
    batch = max(1, min(Self.mostRows, most / Int(binder.next - 1)))
    one = try text.statement(rows: 1)
  }

  /// What the statements for one row and for several are made of.
  private struct InsertionText {
    /// The table with its columns.
    let columns: String
    /// The places of a row's values, each with a comma behind it.
    let marks: String
    /// The entity's number in the file.
    let number: Int32
    let connection: Connection

    /// Not in the connection's cache: it lives as long as the writer. `OR ABORT`, because the table may say
    /// that rows which break a rule are dropped, or take the place of others.
    func statement(rows count: Int) throws -> Statement {
      let rows = Array(repeating: "(\(marks)\(number))", count: count)
      return try Statement(
        connection.handle, "INSERT OR ABORT INTO \(columns) VALUES \(rows.joined(separator: ","))")
    }
  }

  /// Whether so many rows are worth the making of the statement for several.
  func takesSeveral(of count: Int) -> Bool {
    batch > 1 && count >= (several == nil ? 16 * batch : batch)
  }

  /// Inserts a row; its texts are lent to SQLite, so it must stay where it is until the next one.
  @inline(__always)
  func run(_ row: RowPointer) throws {
    try bind(row, to: one, after: 0)
    try one.run()
  }

  /// Inserts as many rows as `batch` says, or none of them where one is refused; they must stay
  /// where they are until the next ones.
  @inline(__always)
  func runSeveral(_ rows: ArraySlice<RowPointer>) throws {
    let statement = try several ?? text.statement(rows: batch)
    several = statement
    var parameter: Int32 = 0
    for row in rows {
      try bind(row, to: statement, after: parameter)
      parameter += binder.next - 1
    }
    try statement.run()
  }

  @inline(__always)
  private func bind(_ row: RowPointer, to statement: Statement, after offset: Int32) throws {
    try statement.bind(offset + 1, to: row.key)
    try statement.bind(offset + 2, to: Int64(row.version))
    try binder.bind(row, to: statement.handle, after: offset)
  }

  /// Forgets the last rows.
  func finish() {
    one.clearBindings()
    several?.clearBindings()
  }
}

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
      "UPDATE OR ABORT \(schema.table(of: entity).sqlName) SET \(assignments)"
        + " WHERE Z_PK = ? AND ifnull(Z_OPT, 0) = ?")
  }

  /// Updates one row; whether it was there in its version is told by the change count.
  func run(_ update: RowUpdate) throws {
    try binder.bind(update.row, to: statement.handle)
    try statement.bind(binder.next, to: Int64(update.row.version))
    try statement.bind(binder.next + 1, to: update.row.key)
    try statement.bind(binder.next + 2, to: Int64(update.base.version))
    try statement.run()
  }

  /// Forgets the last row, whose texts are only lent.
  func finish() { statement.clearBindings() }
}

/// The deletion of an entity's rows, guarded by the versions that were read: one by one, or several
/// by one statement where their keys follow one another.
struct RowRemoval {
  private let one: Statement
  private let several: Statement

  init(_ entity: EntityLayout, _ schema: StoreSchema, _ connection: Connection) throws {
    let deletion = "DELETE FROM \(schema.table(of: entity).sqlName) WHERE Z_PK "
    // A row that Core Data's history tables or others wrote may have no version.
    one = try connection.statement(deletion + "= ? AND ifnull(Z_OPT, 0) = ?")
    several = try connection.statement(deletion + "BETWEEN ? AND ? AND ifnull(Z_OPT, 0) = ?")
  }

  /// Deletes one row; whether it was there in its version is told by the change count.
  func run(_ deletion: RowDeletion) throws {
    try one.bind(1, to: deletion.key)
    try one.bind(2, to: Int64(deletion.base.version))
    try one.run()
  }

  /// Deletes rows with keys from one to another that all have one version; how many were there is
  /// told by the change count.
  func run(from first: RowDeletion, through last: RowDeletion) throws {
    try several.bind(1, to: first.key)
    try several.bind(2, to: last.key)
    try several.bind(3, to: Int64(first.base.version))
    try several.run()
  }
}
