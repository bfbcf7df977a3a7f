internal import CSQLite
import CauldronModel
import Foundation

extension StoreBackup {
  /// Has the store be again what its copy is, in one transaction: whatever happens, the file has the
  /// present content or the copy's. The copy stays.
  ///
  /// A file that is no database any more is moved aside.
  /// - Throws: `store.noBackup`, `store.alreadyOpen` where it is open in this process, and what the file
  ///   cannot take.
  package func restore() throws {
    guard isThere else { throw missing }
    let claim = try OpenStores.Claim(file)
    defer { withExtendedLifetime(claim) {} }
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
    guard let backup = sqlite3_backup_init(store.handle, "main", copy.handle, "main") else {
      throw SQLiteFailure(code: sqlite3_extended_errcode(store.handle), store.handle)
    }
    let code = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw SQLiteFailure(code: end == SQLITE_OK ? code : end, store.handle)
    }
  }
}

extension SQLiteFailure {
  /// Whether the file is no database, or a damaged one.
  var saysUnreadable: Bool { primary == SQLITE_NOTADB || primary == SQLITE_CORRUPT }
}
