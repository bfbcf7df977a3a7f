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
        let finding = try StoreInspector.read(connection, of: file)
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
    for triggers in schema.derived where !triggers.areTemporary {
      try TriggerSet(connection: connection).make(triggers)
    }
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

/// A store that a program brings along, and that its own store begins as.
struct StoreSeed {
  private let seed: StoreFile
  private let file: StoreFile

  init(_ seed: URL, for file: StoreFile) {
    self.seed = StoreFile(seed)
    self.file = file
  }

  /// Copies the seed to the place of the store, unless something is there.
  ///
  /// The copy is made beside it and gets its name when it is whole and on the disk; whoever is
  /// quicker wins, be it another process.
  /// - Throws: What keeps the seed from being read, or the copy from being written.
  func plant() throws {
    guard isFree else { return }
    try checkSeed()
    // What an old store has left would be taken for the log of the new one.
    guard !file.hasSpaceForLog || !isFree else {
      throw file.error(
        "there is no store, but a log of one lies beside it.",
        hint: "Move \"\(file.path)-wal\" and \"\(file.path)-journal\" away.")
    }
    let part = StoreFile(file.sibling("seed-\(UUID().uuidString)"))
    defer { unlink(part.path) }
    try StoreBackup(of: seed.url, at: part.url).take()
    try part.name(file)
  }

  private var isFree: Bool { access(file.path, F_OK) != 0 }

  private func checkSeed() throws {
    do {
      let inspector = StoreInspector(file: seed, busyTimeout: 5, isReadOnly: true)
      if case .store = try inspector.inspect() { return }
    } catch let failure as SQLiteFailure {
      throw FailureReport(failure, seed, SQLiteStoreOptions()).opening()
    }
    throw seed.error("there is no store, from which \"\(file.path)\" shall begin.")
  }
}

extension StoreFile {
  /// Gives the file a second name, unless that is taken.
  fileprivate func name(_ other: StoreFile) throws {
    if Foundation.link(path, other.path) != 0 {
      if errno == EEXIST { return }
      // Not every file system knows two names of one file; there the last step is not guarded.
      guard access(other.path, F_OK) != 0 else { return }
      return try move(to: other.url)
    }
    other.synchronizeDirectory()
  }
}
