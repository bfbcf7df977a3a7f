import CSQLite
import Cauldron
import Foundation

/// A connection to a bench's file as another program would have it.
final class OtherProgram {
  private var handle: OpaquePointer?

  init(_ bench: Bench) {
    sqlite3_open_v2(
      bench.stack.coordinator.storeURL?.path ?? "", &handle, SQLITE_OPEN_READWRITE, nil)
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements; answers whether they could be run.
  func run(_ sql: String) -> Bool { sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK }

  /// Writes to one person, as a program does that counts versions.
  func change(_ id: ManagedObjectID, _ assignment: String) -> Bool {
    run(
      "UPDATE ZPERSON SET \(assignment), Z_OPT = Z_OPT + 1 WHERE Z_PK = \(key(id))")
  }

  func delete(_ id: ManagedObjectID) -> Bool {
    run("DELETE FROM ZPERSON WHERE Z_PK = \(key(id))")
  }

  private func key(_ id: ManagedObjectID) -> String {
    "\(id)".split(separator: "/p").last.map(String.init) ?? ""
  }
}
