import CauldronModel
import Foundation
import TestSupport
import Testing

@testable import CauldronSQLite

/// What is read without locks while another process creates it may seem damaged.
@Suite struct UndisturbedTests {
  /// Looks at a file that seems damaged at first.
  /// - Parameter isWritten: Whether somebody writes to it meanwhile.
  private func looks(isWritten: Bool, _ problem: any Error) throws -> Int {
    let directory = try TemporaryDirectory()
    let url = directory.file("store.sqlite")
    try Data("half".utf8).write(to: url)
    var looks = 0
    return try StoreFile(url).undisturbed {
      looks += 1
      if looks > 2 { return looks }
      if isWritten { try Data(repeating: 1, count: looks * 100).write(to: url) }
      throw problem
    }
  }

  @Test(arguments: [11, 26, 523] as [Int32])
  func `what somebody writes meanwhile is looked at again`(_ code: Int32) throws {
    let failure = SQLiteFailure(code: code, message: "malformed")
    #expect(try looks(isWritten: true, failure) == 3)
  }

  @Test func `what nobody writes is as it seems`() throws {
    let failure = SQLiteFailure(code: 11, message: "malformed")
    #expect(throws: SQLiteFailure.self) { try looks(isWritten: false, failure) }
  }

  @Test func `other failures are told of at once`() throws {
    let failure = SQLiteFailure(code: 13, message: "full")
    #expect(throws: SQLiteFailure.self) { try looks(isWritten: true, failure) }
  }
}
