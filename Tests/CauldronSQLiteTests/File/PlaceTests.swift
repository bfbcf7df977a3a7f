import CauldronModel
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

@Suite("Places where no store can be")
struct PlaceTests {
  private func refusal(_ url: URL) throws -> CauldronError {
    try failure {
      _ = try SQLiteStore.open(url: url, model: try TestModels.people(), storeNumber: 1)
    }
  }

  @Test("A URL that is no file is shown whole, with how to make one")
  func web() throws {
    let url = try #require(URL(string: "https://example.org/x.sqlite?a=1"))
    let error = try refusal(url)
    #expect(error.code == .storeCannotOpen)
    #expect(
      error.description == "Cannot open store \"https://example.org/x.sqlite?a=1\": it is not a"
        + " file URL. Make one with URL(filePath:).")
  }

  @Test("Links that lead to each other are given as the reason")
  func loop() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("x.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: url.path, withDestinationPath: url.path)
    let error = try refusal(url)
    #expect(error.code == .storeCannotOpen)
    #expect(error.message.contains("Too many levels of symbolic links"))
  }

  @Test("A name that is too long is given as the reason")
  func longName() throws {
    let directory = try TemporaryDirectory()
    let error = try refusal(directory.file(String(repeating: "x", count: 300)))
    #expect(error.code == .storeCannotOpen)
    #expect(error.message.contains("File name too long"))
  }

  @Test("A path that is too long for SQLite is given as the reason")
  func longPath() throws {
    let directory = try TemporaryDirectory()
    let folder = (0..<6).map { _ in String(repeating: "y", count: 100) }.joined(separator: "/")
    let url = directory.file(folder)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let error = try refusal(url.appending(path: "x.sqlite"))
    #expect(error.code == .storeCannotOpen)
    #expect(error.message.contains("bytes, and SQLite takes 504"))
  }

  @Test("A path with a NUL is not cut off there")
  func nul() throws {
    let directory = try TemporaryDirectory()
    let url = try #require(URL(string: "\(directory.file("x").absoluteString)%00.sqlite"))
    #expect(try refusal(url).code == .storeCannotOpen)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [])
  }

  @Test("Where no write-ahead log can be had, that is said")
  func noLog() throws {
    // A database in memory has none, like a file system without shared memory.
    let connection = try RowConnection(path: ":memory:", mode: .create, busyTimeout: 1)
    let refusal = try #require(
      #expect(throws: LogRefusal.self) {
        try connection.configureWriter(SQLiteStoreOptions())
      })
    let opener = StoreOpener(
      file: StoreFile(URL(filePath: "/p/x.sqlite")), model: try TestModels.people(),
      options: SQLiteStoreOptions())
    let error = opener.refusal(of: refusal)
    #expect(error.code == .storeCannotOpen)
    #expect(
      error.description == "Cannot open store \"/p/x.sqlite\": its file system takes no write-ahead"
        + " log; the journal mode stays \"memory\". Put it on a local disk.")
  }
}
