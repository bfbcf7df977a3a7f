import CauldronModel

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
    try one.bind(1, deletion.key)
    try one.bind(2, Int64(deletion.base.version))
    try one.run()
  }

  /// Deletes rows with keys from one to another that all have one version; how many were there is
  /// told by the change count.
  func run(from first: RowDeletion, through last: RowDeletion) throws {
    try several.bind(1, first.key)
    try several.bind(2, last.key)
    try several.bind(3, Int64(first.base.version))
    try several.run()
  }
}
