import CauldronModel
import Foundation

/// Makes a new store in one transaction.
///
/// The transaction runs before the file is switched to WAL, so that what an interruption leaves is
/// one page without tables, which the inspector knows.
struct StoreCreator {
  let connection: Connection
  let file: StoreFile
  let schema: StoreSchema
  /// What no new store needs: the steps of the program's plan.
  var steps: [String] = []

  /// Makes the tables and the metadata; answers those of another process that was faster.
  func create() throws -> StoreMetadata {
    try connection.execute("PRAGMA page_size = 4096")
    try connection.execute("PRAGMA encoding = 'UTF-8'")
    // Must precede the first table (https://www.sqlite.org/pragma.html#pragma_auto_vacuum).
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try connection.execute("BEGIN IMMEDIATE")
    do {
      if try connection.integer("SELECT count(*) FROM sqlite_master") != 0 {
        let finding = try StoreInspector.read(connection, file)
        try connection.execute("ROLLBACK")
        if case .store(let metadata, _) = finding { return metadata }
      }
      var metadata = StoreMetadata(model: schema.model, identifier: UUID().uuidString)
      metadata.steps = steps
      try createTables()
      try connection.insertEntities(of: schema) { _ in 0 }
      try write(metadata)
      try ModelCopy(connection: connection).write(schema.model)
      try connection.execute("COMMIT")
      return metadata
    } catch {
      connection.rollbackQuietly()
      throw error
    }
  }

  private func createTables() throws {
    for table in schema.tables {
      for statement in table.creationStatements { try connection.execute(statement) }
    }
    for counts in schema.counts { try TriggerSet(connection: connection).make(counts) }
    try connection.execute(
      "CREATE TABLE Z_PRIMARYKEY"
        + " (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
    try connection.execute(
      "CREATE TABLE Z_METADATA"
        + " (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
  }

  private func write(_ metadata: StoreMetadata) throws {
    let insert = try Statement(
      connection.handle, "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)")
    try insert.bind([
      .text(Array(metadata.identifier.utf8)), .blob(try metadata.propertyList()),
    ])
    try insert.run()
  }
}
