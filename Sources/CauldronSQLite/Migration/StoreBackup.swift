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

  /// Copies what a connection sees.
  func take(_ reader: Connection) throws {
    let part = url.appendingPathExtension("part")
    try? FileManager.default.removeItem(at: part)
    do {
      try reader.execute("VACUUM INTO \(SQLIdentifier.literal(StoreFile(part).path))")
      // SQLite does not wait for the disk (https://www.sqlite.org/lang_vacuum.html).
      try StoreFile(part).synchronize()
      try StoreFile(part).move(to: url)
    } catch {
      try? FileManager.default.removeItem(at: part)
      throw error
    }
  }

  func report(_ failure: SQLiteFailure) -> FailureReport {
    FailureReport(failure, file, SQLiteStoreOptions())
  }
}
