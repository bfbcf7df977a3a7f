import CauldronModel
import CauldronSQLite
import CauldronStore
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("A store that another connection has locked")
struct LockedTests {
  @Test("Writing waits for the timeout and says who is in the way; reading goes on")
  func locked() throws {
    let bench = try StoreBench([("text", .string)], SQLiteStoreOptions(busyTimeout: 0.1))
    try bench.insert("Thing", 1, [:])
    let raw = RawDatabase(bench.url)
    #expect(raw.run("BEGIN IMMEDIATE; UPDATE ZTHING SET ZTEXT = 'other'") == 0)
    let set = bench.changes(inserted: [bench.factory.row("Thing", 2)])
    let calls: [(String, String, () throws -> Void)] = [
      ("0.1 s", "Save again.", { try bench.save(set) }),
      (
        "0.1 s", "Try again.",
        { _ = try bench.store.reserveKeys(1, for: bench.model.entity("Thing")) }
      ),
      // What a store can do without is not waited for.
      (
        "0.0 s", "Try again.",
        { try bench.store.returnKeys(1..<2, for: bench.model.entity("Thing")) }
      ),
    ]
    for (time, hint, call) in calls {
      let error = try failure(call)
      #expect(error.code == .storeBusy)
      #expect(
        error.description == "Cannot save to \"\(bench.url.path)\": locked for \(time) by another"
          + " connection. \(hint)")
    }
    #expect(try bench.fetch("Thing").count == 1)
    #expect(raw.run("COMMIT") == 0)
    try bench.save(set)
    #expect(try bench.fetch("Thing").count == 2)
    #expect(try bench.values("Thing", 1)["text"] == .text("other"))
  }

  @Test("Keys that are wanted at once are not waited for")
  func atOnce() throws {
    let bench = try StoreBench([("text", .string)], SQLiteStoreOptions(busyTimeout: 60))
    let raw = RawDatabase(bench.url)
    let thing = bench.model.entity("Thing")
    #expect(raw.run("BEGIN IMMEDIATE") == 0)
    let begin = ContinuousClock.now
    #expect(try bench.store.reserveKeysAtOnce(5, for: thing) == nil)
    #expect(begin.duration(to: .now) < .seconds(10 * slack), "a wait takes a minute")
    #expect(raw.run("COMMIT") == 0)
    #expect(try bench.store.reserveKeysAtOnce(5, for: thing) == 1..<6)
    var inside: Range<Int64>? = 0..<0
    try bench.save(bench.changes(inserted: [bench.factory.row("Thing", 1)])) {
      inside = try? bench.store.reserveKeysAtOnce(5, for: thing)
    }
    #expect(inside == nil, "the store was not locked by its own save")
    #expect(try bench.store.reserveKeysAtOnce(5, for: thing) == 6..<11)
    #expect(raw.value("SELECT Z_MAX FROM Z_PRIMARYKEY") == "10")
    try bench.store.close()
    #expect(throws: CauldronError.self) { try bench.store.reserveKeysAtOnce(5, for: thing) }
    #expect(raw.value("SELECT count(*) FROM ZTHING") == "1")
  }

  @Test("A lock that goes away in time is waited for")
  func waits() throws {
    let bench = try StoreBench([("text", .string)], SQLiteStoreOptions(busyTimeout: 60))
    let url = bench.url
    let isLocked = DispatchSemaphore(value: 0)
    // A thread of its own goes on whatever other tests do; a task may wait for them for minutes.
    Thread.detachNewThread {
      let raw = RawDatabase(url)
      #expect(raw.run("BEGIN IMMEDIATE") == 0)
      isLocked.signal()
      Thread.sleep(forTimeInterval: 0.05)
      #expect(raw.run("COMMIT") == 0)
    }
    isLocked.wait()
    #expect(try bench.store.reserveKeys(3, for: bench.model.entity("Thing")) == 1..<4)
  }

  @Test("Whoever reads a file without a log while it is opened is waited for")
  func waitsForReaders() throws {
    let bench = try StoreBench([("text", .string)])
    try bench.store.close()
    let url = bench.url
    #expect(RawDatabase(url).run("PRAGMA journal_mode = DELETE") == 0)
    let isRead = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let raw = RawDatabase(url)
      #expect(raw.run("BEGIN; SELECT count(*) FROM ZTHING") == 0)
      isRead.signal()
      Thread.sleep(forTimeInterval: 0.05)
      #expect(raw.run("COMMIT") == 0)
    }
    isRead.wait()
    let store = try SQLiteStore.open(
      url: url, model: bench.model, storeNumber: 1, options: SQLiteStoreOptions(busyTimeout: 60))
    try store.close()
    #expect(RawDatabase(url).value("PRAGMA journal_mode") == "wal")
  }

  @Test(
    "A file that may only be read cannot be saved to",
    .enabled(if: getuid() != 0, "the superuser may write every file"))
  func readOnly() throws {
    let bench = try StoreBench([("text", .string)])
    try bench.store.close()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: bench.url.path)
    let store = try SQLiteStore.open(url: bench.url, model: bench.model, storeNumber: 1)
    let set = bench.changes(inserted: [bench.factory.row("Thing", 2)])
    let error = try failure {
      _ = try store.save(SavePlan([set], storeNumber: 1), willCommit: {})
    }
    #expect(error.code == .storeReadOnly)
    #expect(
      error.description == "Cannot save to \"\(bench.url.path)\": the file cannot be written"
        + " (Permission denied).")
    try store.close()
  }
}
