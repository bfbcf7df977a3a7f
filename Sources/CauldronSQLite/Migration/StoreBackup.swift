internal import CSQLite
import CauldronModel
package import Foundation

/// The copy of a store that is made before values are lost: beside it, one for each store.
package struct StoreBackup {
  let file: StoreFile
  /// Where the copy lies: `people.backup.sqlite` for `people.sqlite`.
  package let url: URL

  /// - Parameters:
  ///   - store: Where the store lies.
  ///   - copy: Where the copy lies, if not beside it.
  package init(of store: URL, at copy: URL? = nil) {
    file = StoreFile(store)
    url = copy ?? file.sibling("backup")
  }

  init(_ file: StoreFile) {
    self.file = file
    url = file.sibling("backup")
  }

  /// Whether there is a copy.
  package var isThere: Bool { (StoreFile(url).size ?? 0) > 0 }

  /// Copies the store as it is committed; the copy takes the place of an older one when it is whole and
  /// on the disk.
  ///
  /// A log beside the store is read, and a store without one is opened so that nothing appears beside it.
  package func take() throws {
    do {
      let mode: Connection.Mode = file.hasSpaceForLog ? .readOnly : .immutable
      try take(Connection(path: file.path, mode: mode, busyTimeout: 5))
    } catch let failure as SQLiteFailure {
      throw report(failure).copying()
    }
  }

  /// Where the copy before lies as long as nobody knows whether the migration that a new one was made for
  /// comes to its end.
  private var former: URL { url.appendingPathExtension("former") }

  /// Copies what a connection sees, ahead of a migration that may fail: until it is settled, the copy
  /// before is kept, too.
  func takeAhead(_ reader: Connection) throws {
    let files = FileManager.default
    // A process that was killed has left one: it was made before the last migration that went well.
    if isThere, !files.fileExists(atPath: former.path(percentEncoded: false)) {
      // Not every file system has links.
      do { try files.linkItem(at: url, to: former) } catch {
        try StoreFile(url).move(to: former)
      }
    }
    try write(reader)
  }

  /// Keeps the copy in place of the one before.
  func settle() { try? FileManager.default.removeItem(at: former) }

  /// Has the copy before, if there is one, take the place of this one, which is not needed.
  func takeBack() {
    let files = FileManager.default
    guard files.fileExists(atPath: former.path(percentEncoded: false)) else {
      try? files.removeItem(at: url)
      return
    }
    try? StoreFile(former).move(to: url)
  }

  /// Copies what a connection sees.
  func take(_ reader: Connection) throws {
    try write(reader)
    settle()
  }

  private func write(_ reader: Connection) throws {
    let part = url.appendingPathExtension("part")
    try? FileManager.default.removeItem(at: part)
    do {
      try Self.copy(reader, to: StoreFile(part))
      // SQLite does not wait for the disk (https://www.sqlite.org/lang_vacuum.html).
      try StoreFile(part).synchronize()
      try StoreFile(part).move(to: url)
    } catch {
      try? FileManager.default.removeItem(at: part)
      throw error
    }
  }

  /// Copies all that a connection sees into a new file.
  ///
  /// SQLite makes the tables by running their declarations: of a damaged one, such as that of a temporary
  /// table, no copy comes, and SQLite says nothing.
  static func copy(_ reader: Connection, to file: StoreFile) throws {
    try reader.execute("VACUUM INTO \(SQLIdentifier.literal(file.path))")
    let names = "SELECT count(*) FROM sqlite_master WHERE name NOT GLOB 'sqlite_*'"
    let copy = try Connection(path: file.path, mode: .immutable, busyTimeout: reader.busyTimeout)
    guard try copy.integer(names) == reader.integer(names) else {
      throw SQLiteFailure(code: SQLITE_CORRUPT, message: "not all tables and indexes can be copied")
    }
  }

  func report(_ failure: SQLiteFailure) -> FailureReport {
    FailureReport(failure, file, SQLiteStoreOptions())
  }
}
