import CSQLite
import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct ImportJSONTests {
  @Test("lists of codes are imported, and a second time nothing changes")
  func runs() async throws {
    let outcome = try await ChildProcess("ImportJSON").run()
    let output = outcome.outputLines.joined(separator: "\n")
    #expect(outcome.exitCode == 0, "\(output)")
    if output.contains("Skipped.") { return print(output) }
    #expect(output.contains("countries: ") && output.contains(" unchanged"))
    #expect(outcome.outputLines.contains("Again:"))
  }

  @Test("eight imports of the same lists at once, in two processes, make one row of each key")
  func atOnce() async throws {
    let directory = try TemporaryDirectory()
    let store = directory.file("codes.sqlite")
    let (first, second) = (try ChildProcess("ImportJSON"), try ChildProcess("ImportJSON"))
    async let six = first.run(store.path, "6")
    async let two = second.run(store.path, "2")
    for outcome in try await [six, two] {
      let output = outcome.outputLines.joined(separator: "\n")
      if output.contains("Skipped.") { return print(output) }
      #expect(outcome.exitCode == 0, "\(output)")
    }
    for (table, code) in [("ZCOUNTRY", "ZCODE"), ("ZSUBDIVISION", "ZCODE"), ("ZLANGUAGE", "ZCODE")]
    {
      let counts = Self.integers(
        "SELECT COUNT(*), COUNT(DISTINCT \(code)) FROM \(table)", in: store)
      #expect(counts[0] > 200)
      #expect(counts[0] == counts[1], "\(table)")
    }
    let orphans = Self.integers(
      "SELECT COUNT(*), 0 FROM ZSUBDIVISION WHERE ZCOUNTRY NOT IN (SELECT Z_PK FROM ZCOUNTRY)",
      in: store)
    #expect(orphans[0] == 0)
  }

  /// The two integers of a result's row.
  private static func integers(_ sql: String, in store: URL) -> [Int64] {
    var handle: OpaquePointer?
    var statement: OpaquePointer?
    sqlite3_open_v2(store.path, &handle, SQLITE_OPEN_READONLY, nil)
    sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    defer {
      sqlite3_finalize(statement)
      sqlite3_close_v2(handle)
    }
    guard sqlite3_step(statement) == SQLITE_ROW else { return [0, -1] }
    return [sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1)]
  }
}
