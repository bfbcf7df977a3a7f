import Foundation
import TestSupport
import Testing

/// The program that was ported from MagicalRecord call by call does what it did.
@Suite(.againstHanging) struct PortedAppTests {
  private static func lines(store: String) -> [String] {
    [
      "store: \(store)",
      "chain: Default Context, Root Saving Context",
      "all: Ada, Bob, Cyd, Dan",
      "by team and age: Dan, Bob, Cyd, Ada",
      "adults: Cyd, Bob, Ada",
      "red: Ada, Cyd",
      "no team: Dan",
      "Bob: Bob",
      "youngest: Dan",
      "C…: Cyd",
      "two youngest: Dan, Bob",
      "the first of them: Dan",
      "blue: Bob",
      "count: 4, adults: 3",
      "any company: true",
      "sum of ages: 125",
      "in the session: 21, outside: 20",
      "one level saved: 21",
      "all levels saved: 22",
      "Dan is green",
      "deleted 1, left: 2",
      "imported at Globex: Gus 19, Fay 41",
      "imported: 1 created, 1 refused",
      "the first is Globex still: true",
      "Fay is 42",
      "saved in the background: true, at Acme: Ada, Cyd, Eve",
    ]
  }

  @Test func `each run prints the same, and the store lies in the user's data folder`() async throws
  {
    let data = try TemporaryDirectory()
    let program = try ChildProcess("PortedApp", environment: ["XDG_DATA_HOME": data.url.path])
    for _ in 0..<2 {
      let outcome = try await program.run()
      #expect(outcome.exitCode == 0)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.outputLines == Self.lines(store: "contacts.sqlite"))
    }
    let store = data.url.appending(path: "PortedApp/contacts.sqlite")
    #expect(FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `in memory it leaves nothing`() async throws {
    let data = try TemporaryDirectory()
    let program = try ChildProcess("PortedApp", environment: ["XDG_DATA_HOME": data.url.path])
    let outcome = try await program.run("--memory")
    #expect(outcome.exitCode == 0)
    #expect(outcome.outputLines == Self.lines(store: "in memory"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.url.path) == [])
  }
}
