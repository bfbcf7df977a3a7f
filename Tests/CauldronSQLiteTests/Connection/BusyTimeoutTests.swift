import CauldronModel
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("How long to wait for a lock")
struct BusyTimeoutTests {
  @Test(
    "Any number of seconds is taken, and reported as something that can be waited for",
    arguments: [
      (.infinity, "2147483.0 s"), (1e300, "2147483.0 s"), (.nan, "0.0 s"), (-.infinity, "0.0 s"),
      (-5, "0.0 s"), (0.25, "0.3 s"),
    ])
  func any(seconds: Double, text: String) throws {
    let bench = try StoreBench([("a", .string)], SQLiteStoreOptions(busyTimeout: seconds))
    try bench.insert("Thing", 1, [:])
    #expect(try bench.fetch("Thing").count == 1)
    let busy = SQLiteFailure(code: 5, message: "database is locked")
    let file = StoreFile(URL(filePath: "/p/x.sqlite"))
    let error = FailureReport(busy, file, SQLiteStoreOptions(busyTimeout: seconds)).saving(1)
    #expect(error.message.contains(" \(text) "))
  }
}
