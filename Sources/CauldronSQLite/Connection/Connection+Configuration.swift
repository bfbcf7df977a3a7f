internal import CSQLite
import Foundation

extension Connection {
  /// Guards against hostile files (https://www.sqlite.org/security.html); costs two statements.
  func configureDefences() throws {
    _ = cauldron_sqlite_db_config_bool(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = cauldron_sqlite_db_config_bool(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    try execute("PRAGMA cell_size_check = ON")
    // A mapped page of a file that shrinks would raise SIGBUS (https://www.sqlite.org/mmap.html).
    try execute("PRAGMA mmap_size = 0")
  }

  /// Switches the file to a write-ahead log, without which readers would wait for each save.
  ///
  /// SQLite tells by its answer, and by nothing else, that it has not
  /// (https://www.sqlite.org/wal.html#activating_and_configuring_wal_mode). Nor does it wait for whoever
  /// reads or makes the file at that moment, so that is done here.
  func requireLog() throws {
    let end = ContinuousClock.now + .seconds(busyTimeout)
    while true {
      do {
        return try switchToLog()
      } catch let failure as SQLiteFailure
        where failure.primary == SQLITE_BUSY && ContinuousClock.now < end
      {
        usleep(5_000)
      }
    }
  }

  private func switchToLog() throws {
    let statement = try Statement(handle, "PRAGMA journal_mode = WAL")
    let mode = try statement.step() ? statement.text(0) : "unknown"
    if mode != "wal" { throw LogRefusal(mode: mode) }
  }

  /// Limits the size of the file in pages; nil takes the limit away.
  func setMaxPageCount(_ count: Int?) throws {
    try execute("PRAGMA max_page_count = \(count ?? 0xFFFF_FFFE)")
  }
}

/// A file that cannot have a write-ahead log.
struct LogRefusal: Error {
  /// The journal mode that it has instead.
  let mode: String
}
