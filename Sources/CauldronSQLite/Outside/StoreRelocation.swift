internal import CSQLite
import CauldronModel
package import Foundation

/// Copies, moves, replaces and destroys a store, without the program to which it belongs.
package struct StoreRelocation {
  private let file: StoreFile

  /// - Parameter store: Where the store lies; a symbolic link stands for what it leads to.
  package init(of store: URL) {
    file = StoreFile(store.isFileURL ? store.resolvingSymlinksInPath() : store)
  }

  /// Copies the store as it is committed, while it may be in use.
  /// - Throws: `store.cannotOpen` where there is no store, or a file at the target already.
  package func copy(to target: URL) throws {
    try requireStore()
    try requireFree(target)
    try StoreBackup(of: file.url, at: target).take()
  }

  /// Gives the store another place in the same file system.
  /// - Throws: `store.cannotOpen` where there is no store, or a file at the target already; `store.busy`
  ///   where another process has the store open, and `store.alreadyOpen` where this one has.
  package func move(to target: URL) throws {
    try requireStore()
    try requireFree(target)
    try alone { try file.move(to: target) }
  }

  /// Has the store be what another one is, in one transaction; it need not be there yet.
  /// - Throws: `store.cannotOpen` where there is no other store; `store.foreignDatabase` where a database stands
  ///   that is no store.
  package func replace(with other: URL) throws {
    try StoreRelocation(of: other).requireStore()
    try refuseForeign()
    try StoreBackup(of: file.url, at: other).restore(replacesOther: true)
  }

  /// Deletes the store; where there is none, nothing is done.
  /// - Throws: `store.notADatabase` and `store.foreignDatabase` of a file that is no store; `store.busy`
  ///   where another process has it open, and `store.alreadyOpen` where this one has.
  package func destroy() throws {
    guard file.identity != nil else { return }
    try requireStore()
    try alone {
      try FileManager.default.removeItem(at: file.url)
      file.synchronizeDirectory()
    }
  }

  private func requireFree(_ target: URL) throws {
    let target = StoreFile(target)
    guard let taken = target.fileInTheWay else { return }
    let name = taken == target.path ? "" : " \"\(taken)\""
    throw CauldronError(
      .storeCannotOpen, "Cannot write \"\(target.path)\": there is a file\(name).",
      hint: "Give another path, or destroy or replace the store that is there."
    ).with { $0.path = target.path }
  }

  /// A damaged store may be replaced; a database of another library may not.
  private func refuseForeign() throws {
    guard file.identity != nil else { return }
    do {
      try requireStore()
    } catch let error as CauldronError where error.code != .storeForeignDatabase {}
  }

  private func requireStore() throws { _ = try StoreInspector.store(at: file) }

  /// Runs the body while nobody has the store open, with all of it in one file.
  private func alone(_ body: () throws -> Void) throws {
    let claim = try OpenStores.Claim(file)
    defer { withExtendedLifetime(claim) {} }
    do {
      let connection = try Connection(path: file.path, mode: .readWrite, busyTimeout: 5)
      defer { withExtendedLifetime(connection) {} }
      // The log goes only where no other connection is (https://www.sqlite.org/wal.html).
      let mode = try Statement(connection.handle, "PRAGMA journal_mode = DELETE")
      guard try mode.step(), mode.text(0).lowercased() == "delete" else {
        throw SQLiteFailure(code: SQLITE_BUSY, message: "the log is in use")
      }
      mode.reset()
      try connection.execute("BEGIN EXCLUSIVE")
      try body()
    } catch let failure as SQLiteFailure {
      throw FailureReport(failure, file, SQLiteStoreOptions()).writing()
    }
  }
}
