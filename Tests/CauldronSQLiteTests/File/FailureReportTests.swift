import CauldronModel
import Foundation
import Testing

@testable import CauldronSQLite

@Suite("What SQLite's codes become")
struct FailureReportTests {
  private static let file = StoreFile(URL(filePath: "/p/x.sqlite"))

  @Test(
    "Each code of a failed save has its error and its sentence",
    arguments: [
      (
        Int32(13), CauldronError.Code.storeDiskFull,
        "Cannot save 37 changes to \"/p/x.sqlite\": disk is full (SQLite 13). Nothing was written,"
          + " and nothing is lost; free some space and save again."
      ),
      (
        1034, .storeIO,
        "Cannot save to \"/p/x.sqlite\": disk I/O error (SQLite 1034, fsync). Nothing was written;"
          + " save again."
      ),
      (
        261, .storeBusy,
        "Cannot save to \"/p/x.sqlite\": locked for 5.0 s by another connection (SQLite 261)."
          + " Save again."
      ),
      (
        8, .storeReadOnly,
        "Cannot save to \"/p/x.sqlite\": the file cannot be written (No such file or directory)."
      ),
      (
        776, .storeReadOnly,
        "Cannot save to \"/p/x.sqlite\": an interrupted save must be undone first, and nothing can"
          + " be written."
      ),
      (
        15, .storeBusy,
        "Cannot save to \"/p/x.sqlite\": locked for 5.0 s by another connection (SQLite 15)."
          + " Save again."
      ),
      (
        267, .storeCorrupt,
        "Cannot save to \"/p/x.sqlite\": the database is damaged (SQLite 267: what it said)."
          + " Restore a copy with `cauldron restore`, or try `.recover` of the sqlite3 program."
      ),
      (
        14, .storeCannotOpen,
        "Cannot save to \"/p/x.sqlite\": what it said: No such file or directory (SQLite 14)."
      ),
      (7, .storeIO, "Cannot save to \"/p/x.sqlite\": what it said (SQLite 7)."),
    ])
  func saving(code: Int32, expected: CauldronError.Code, text: String) {
    let failure = SQLiteFailure(code: code, message: "what it said")
    let error = FailureReport(failure, Self.file, SQLiteStoreOptions()).saving(37)
    #expect(error.code == expected)
    #expect(error.description == text)
    #expect(error.sqliteCode == code)
    #expect(error.path == "/p/x.sqlite")
  }

  @Test("One change is one change")
  func one() {
    let failure = SQLiteFailure(code: 13, message: "")
    let error = FailureReport(failure, Self.file, SQLiteStoreOptions()).saving(1)
    #expect(error.message == "Cannot save 1 change to \"/p/x.sqlite\": disk is full (SQLite 13).")
    let batch = FailureReport(failure, Self.file, SQLiteStoreOptions()).saving(0)
    #expect(batch.message == "Cannot save to \"/p/x.sqlite\": disk is full (SQLite 13).")
  }

  @Test("The number of the operating system is put into words")
  func system() {
    let failure = SQLiteFailure(code: 778, message: "disk I/O error", systemError: EDQUOT)
    let error = FailureReport(failure, Self.file, SQLiteStoreOptions()).saving(1)
    #expect(error.message.hasSuffix("disk is full (SQLite 778, write: Disk quota exceeded)."))
    // A user without room is to do what one does whose disk has none.
    #expect(error.code == .storeDiskFull)
    #expect(error.hint.hasSuffix("free some space and save again."))
    let broken = SQLiteFailure(code: 778, message: "disk I/O error", systemError: EIO)
    let other = FailureReport(broken, Self.file, SQLiteStoreOptions()).saving(1)
    #expect(other.code == .storeIO)
    #expect(other.message.hasSuffix("disk I/O error (SQLite 778, write: Input/output error)."))
  }

  @Test("Opening and reading are not told to save again")
  func again() {
    let failure = SQLiteFailure(code: 5, message: "")
    let report = FailureReport(failure, Self.file, SQLiteStoreOptions())
    #expect(report.opening().hint == "Try again.")
    #expect(report.reading("Person").hint == "Try again.")
    #expect(report.writing().hint == "Try again.")
    #expect(report.saving(1).hint == "Save again.")
  }
}
