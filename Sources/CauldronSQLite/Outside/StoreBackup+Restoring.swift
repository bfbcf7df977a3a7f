internal import CSQLite
import CauldronModel
import Foundation

extension StoreBackup {
  /// Has the store be again what its copy is, in one transaction: whatever happens, the file has the
  /// present content or the copy's. The copy stays.
  ///
  /// A file that is no database any more is moved aside.
  /// - Parameter replacesOther: Whether the copy may be one of another store.
  /// - Throws: `store.noBackup`, `store.alreadyOpen` where it is open in this process,
  ///   `store.foreignDatabase` where the copy is one of another store, and what the file cannot take.
  package func restore(replacesOther: Bool = false) throws {
    guard isThere else { throw missing }
    if !replacesOther { try checkIdentity() }
    let claim = try OpenStores.Claim(file)
    defer { withExtendedLifetime(claim) {} }
    try replaceStore()
  }

  /// Restores whoever has the store open.
  func replaceStore() throws {
    do {
      let copy = try checkedCopy()
      do {
        try write(copy)
      } catch let failure as SQLiteFailure where failure.saysUnreadable {
        try file.setAside()
        try write(copy)
      }
    } catch let failure as SQLiteFailure {
      throw report(failure).restoring()
    }
  }

  /// The copy must be one of the store, as far as either can be read.
  private func checkIdentity() throws {
    guard let mine = identifier(file), let its = identifier(StoreFile(url)), mine != its else {
      return
    }
    throw CauldronError(
      .storeForeignDatabase,
      "Cannot restore \"\(file.path)\": \"\(StoreFile(url).path)\" is a copy of another store (\(its), not"
        + " \(mine)).",
      hint: "Check the path; if it is meant, move the store away before, or say --force."
    ).with { $0.path = file.path }
  }

  private func identifier(_ file: StoreFile) -> String? {
    let inspector = StoreInspector(file: file, busyTimeout: 5, isReadOnly: true)
    guard case .store(let metadata, _)? = try? inspector.inspect() else { return nil }
    return metadata.identifier
  }

  private var missing: CauldronError {
    CauldronError(
      .storeNoBackup,
      "Cannot restore \"\(file.path)\": there is no copy at \"\(StoreFile(url).path)\".",
      hint: "A copy is made before a migration loses values."
    ).with { $0.path = file.path }
  }

  /// The copy, which must be a whole store.
  private func checkedCopy() throws -> Connection {
    let copy = StoreFile(url)
    let inspector = StoreInspector(file: copy, busyTimeout: 5, isReadOnly: true)
    do {
      guard case .store = try inspector.inspect() else { throw missing }
    } catch let failure as SQLiteFailure {
      throw report(failure).restoring()
    }
    let connection = try inspector.connection()
    let check = try Statement(connection.handle, "PRAGMA quick_check(1)")
    guard try check.step(), check.text(0) == "ok" else {
      throw CauldronError(
        .storeCorrupt, "Cannot restore \"\(file.path)\": the copy at \"\(copy.path)\" is damaged.",
        hint: copy.rescue
      ).with { $0.path = copy.path }
    }
    return connection
  }

  /// Replaces the content of the store, as SQLite does it: other processes see one change
  /// (https://www.sqlite.org/c3ref/backup_finish.html).
  private func write(_ copy: Connection) throws {
    let store = try Connection(path: file.path, mode: .create, busyTimeout: 5)
    if store.isReadOnly { throw SQLiteFailure(code: SQLITE_READONLY, message: "") }
    // What is no database shows at the first read.
    _ = try store.integer("SELECT count(*) FROM sqlite_master")
    let size = try store.integer("PRAGMA page_size")
    if try size != copy.integer("PRAGMA page_size") {
      return try withCopy(pageSize: size ?? 4096) { try write($0, to: store) }
    }
    try write(copy, to: store)
  }

  private func write(_ copy: Connection, to store: Connection) throws {
    guard let backup = sqlite3_backup_init(store.handle, "main", copy.handle, "main") else {
      throw SQLiteFailure(code: sqlite3_extended_errcode(store.handle), store.handle)
    }
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw SQLiteFailure(code: end == SQLITE_OK ? code : end, store.handle)
    }
    try mark(store)
  }

  /// Tells other processes with the store open that its rows are of another time.
  private func mark(_ store: Connection) throws {
    try store.execute("BEGIN IMMEDIATE")
    do {
      if var metadata = try StoreMetadata.present(store) {
        metadata.restoration = UUID().uuidString
        try metadata.write(store)
      }
      // They look at the metadata where the number of the schema is another one.
      try store.execute("CREATE TABLE Z_RESTORED (Z_PK INTEGER)")
      try store.execute("DROP TABLE Z_RESTORED")
      try store.execute("COMMIT")
    } catch {
      store.rollbackQuietly()
      throw error
    }
  }

  /// Runs the body with the copy in pages of another size, which a store with a log cannot change.
  private func withCopy(pageSize: Int64, _ body: (Connection) throws -> Void) throws {
    let part = StoreFile(url.appendingPathExtension("pages"))
    try? FileManager.default.removeItem(at: part.url)
    defer { try? FileManager.default.removeItem(at: part.url) }
    // A connection to an immutable file would keep the size.
    let copy = try Connection(path: StoreFile(url).path, mode: .readOnly, busyTimeout: 5)
    try copy.execute("PRAGMA page_size = \(pageSize)")
    try copy.execute("VACUUM INTO \(SQLIdentifier.literal(part.path))")
    try body(Connection(path: part.path, mode: .immutable, busyTimeout: 5))
  }
}

extension SQLiteFailure {
  /// Whether the file is no database, or a damaged one.
  var saysUnreadable: Bool { primary == SQLITE_NOTADB || primary == SQLITE_CORRUPT }
}
