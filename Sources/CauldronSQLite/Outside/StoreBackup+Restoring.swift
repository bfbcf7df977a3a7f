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
  ///   `store.foreignDatabase` where the copy is one of another store, `store.cannotOpen` where a directory
  ///   stands in the place of the file or of its log, and what the file cannot take.
  package func restore(replacesOther: Bool = false) throws {
    guard isThere else { throw missing }
    try file.checkPlace(createDirectory: false)
    if !replacesOther { try checkIdentity() }
    let claim = try OpenStores.Claim(file)
    defer { withExtendedLifetime(claim) {} }
    try replaceStore()
  }

  /// Restores whoever has the store open.
  func replaceStore() throws {
    do {
      try checkCopy()
      try withMarked { copy in
        do {
          try write(copy)
        } catch let failure as SQLiteFailure where failure.saysUnreadable {
          try file.setAside()
          try write(copy)
        }
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

  /// The copy must be a whole store.
  private func checkCopy() throws {
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
  }

  /// Replaces the content of the store, as SQLite does it: other processes see one change
  /// (https://www.sqlite.org/c3ref/backup_finish.html).
  private func write(_ copy: Connection) throws {
    let store = try openedStore()
    if store.isReadOnly { throw SQLiteFailure(code: SQLITE_READONLY, message: "") }
    // What is no database shows at the first read.
    _ = try store.integer("SELECT count(*) FROM sqlite_master")
    guard let backup = sqlite3_backup_init(store.handle, "main", copy.handle, "main") else {
      throw SQLiteFailure(code: sqlite3_extended_errcode(store.handle), store.handle)
    }
    // The number of the schema becomes another one, by which other processes learn of it.
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw SQLiteFailure(code: end == SQLITE_OK ? code : end, store.handle)
    }
  }

  private func openedStore() throws -> Connection {
    try Connection(path: file.path, mode: .create, busyTimeout: 5)
  }

  /// Runs the body with a second copy. Its metadata have a new mark, by which other processes learn that the
  /// store was restored.
  ///
  /// So all that may fail is done before the store is touched, and the rest is one transaction.
  private func withMarked(_ body: (Connection) throws -> Void) throws {
    // A store with a log cannot change the size of its pages.
    let store = try? Connection(path: file.path, mode: .readOnly, busyTimeout: 5)
    let size = try? store?.integer("PRAGMA page_size")
    let part = StoreFile(file.url.appendingPathExtension("restoring"))
    try? FileManager.default.removeItem(at: part.url)
    defer { try? FileManager.default.removeItem(at: part.url) }
    // A connection to an immutable file would keep the size.
    let copy = try Connection(path: StoreFile(url).path, mode: .readOnly, busyTimeout: 5)
    try copy.execute("PRAGMA page_size = \(size ?? 4096)")
    try Self.copy(copy, to: part)
    let marked = try Connection(path: part.path, mode: .readWrite, busyTimeout: 5)
    // Triggers of other programs would have the store be something else than its copy.
    _ = cauldron_sqlite_db_config_bool(marked.handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    if var metadata = try StoreMetadata.present(marked) {
      metadata.restoration = UUID().uuidString
      try metadata.write(marked)
    }
    try body(marked)
  }
}

extension SQLiteFailure {
  /// Whether the file is no database, or a damaged one.
  var saysUnreadable: Bool { primary == SQLITE_NOTADB || primary == SQLITE_CORRUPT }
}
