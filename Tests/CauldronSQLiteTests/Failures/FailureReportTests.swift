import CauldronModel
import Testing

@testable import CauldronSQLite

@Suite("What SQLite's codes become")
struct FailureReportTests {
  @Test(
    "Each code of a failed save has its error and its sentence",
    arguments: [
      (
        Int32(13), CauldronError.Code.storeDiskFull,
        "Cannot save 37 changes to \"x.sqlite\": disk is full (SQLite 13). Nothing was written; the"
          + " changes are still pending."
      ),
      (
        1034, .storeIO,
        "Cannot save to \"x.sqlite\": disk I/O error (SQLite 1034, fsync). Nothing was written; the"
          + " changes are still pending."
      ),
      (
        261, .storeBusy,
        "Cannot save to \"x.sqlite\": locked for 5.0 s by another connection. Save again."
      ),
      (
        15, .storeBusy,
        "Cannot save to \"x.sqlite\": locked for 5.0 s by another connection. Save again."
      ),
      (8, .storeReadOnly, "Cannot save to \"x.sqlite\": opened read-only."),
      (
        267, .storeCorrupt,
        "Cannot save to \"x.sqlite\": the database is damaged (SQLite 267: what it said)."
          + " Run `cauldron verify`."
      ),
      (
        14, .storeCannotOpen, "Cannot save to \"x.sqlite\": what it said (SQLite 14)."
      ),
      (7, .storeIO, "Cannot save to \"x.sqlite\": what it said (SQLite 7)."),
    ])
  func saving(code: Int32, expected: CauldronError.Code, text: String) {
    let failure = SQLiteFailure(code: code, message: "what it said")
    let error = FailureReport(failure, "x.sqlite", 5).saving(37, "/p/x.sqlite")
    #expect(error.code == expected)
    #expect(error.description == text)
    #expect(error.sqliteCode == code)
    #expect(error.path == "/p/x.sqlite")
  }

  @Test("One change is one change")
  func one() {
    let failure = SQLiteFailure(code: 13, message: "")
    let error = FailureReport(failure, "x.sqlite", 5).saving(1, "/p/x.sqlite")
    #expect(error.message == "Cannot save 1 change to \"x.sqlite\": disk is full (SQLite 13).")
  }
}
