import CauldronModel
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

/// What is read without locks while another process creates it may seem damaged.
@Suite(.againstHanging) struct UndisturbedTests {
  /// Looks at a file that seems damaged the first times.
  /// - Parameter isWritten: Whether somebody writes to it meanwhile.
  private func looks(
    isWritten: Bool, _ problem: any Error, times: Int = 2, within seconds: Double = 60
  ) throws -> Int {
    let directory = try TemporaryDirectory()
    let url = directory.file("store.sqlite")
    try Data("half".utf8).write(to: url)
    var looks = 0
    return try StoreFile(url).undisturbed(within: seconds) {
      looks += 1
      if looks > times { return looks }
      if isWritten { try Data(repeating: 1, count: looks * 100).write(to: url) }
      throw problem
    }
  }

  @Test(arguments: [11, 26, 523] as [Int32])
  func `what somebody writes meanwhile is looked at again`(_ code: Int32) throws {
    let failure = SQLiteFailure(code: code, message: "malformed")
    #expect(try looks(isWritten: true, failure) == 3)
  }

  @Test(arguments: [CauldronError.Code.storeCorrupt, .storeNotADatabase, .storeForeignDatabase])
  func `what is no store yet is looked at again`(_ code: CauldronError.Code) throws {
    #expect(try looks(isWritten: true, CauldronError(code, "It seems so.")) == 3)
  }

  @Test func `what nobody writes is as it seems`() throws {
    let failure = SQLiteFailure(code: 11, message: "malformed")
    #expect(throws: SQLiteFailure.self) { try looks(isWritten: false, failure) }
  }

  @Test func `other failures are told of at once`() throws {
    let failure = SQLiteFailure(code: 13, message: "full")
    #expect(throws: SQLiteFailure.self) { try looks(isWritten: true, failure) }
  }

  @Test func `who writes all the time is told of, and nothing is called damaged`() throws {
    let failure = SQLiteFailure(code: 11, message: "malformed")
    let error = #expect(throws: CauldronError.self) {
      try looks(isWritten: true, failure, times: 1_000, within: 0.1)
    }
    #expect(error?.code == .storeCannotOpen)
    #expect(error?.message.contains("somebody is writing to it") == true)
  }

  @Test(arguments: [Double.infinity, .nan, 1e300, 0, -1])
  func `any patience looks again`(_ seconds: Double) throws {
    let failure = SQLiteFailure(code: 11, message: "malformed")
    #expect(try looks(isWritten: true, failure, within: seconds) == 3)
  }

  /// A program copies a store to its place, in pieces.
  @Test func `a store that is being copied to its place is not moved aside`() throws {
    let directory = try TemporaryDirectory()
    let url = directory.file("store.sqlite")
    let bench = try StoreBench([("name", .string)])
    try bench.store.close()
    let bytes = try Data(contentsOf: bench.url)
    try bytes.prefix(5_000).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    try file.seekToEnd()
    let writer = Thread {
      for start in stride(from: 5_000, to: bytes.count, by: 10_000) {
        Thread.sleep(forTimeInterval: 0.06)
        try? file.write(contentsOf: bytes[start..<min(start + 10_000, bytes.count)])
      }
      try? file.close()
    }
    writer.start()
    var options = SQLiteStoreOptions()
    options.recreates = true
    let aside = Locked(0)
    options.didSetAside = { _, _ in aside.withLock { $0 += 1 } }
    let store = try SQLiteStore.open(
      url: url, model: bench.model, storeNumber: 1, options: options)
    #expect(aside.withLock { $0 } == 0)
    #expect(store.identifier == bench.store.identifier)
    try store.close()
  }
}
