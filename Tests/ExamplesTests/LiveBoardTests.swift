import CSQLite
import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// LiveBoard, as its own self-test and a visitor's HTTP client see it.
@Suite(
  .againstHanging, .enabled(if: !Sanitizer.isOn, "programs do not run under sanitizers"))
struct LiveBoardTests {
  @Test func `the stream tells of an import, a search, an edit thrown away and one saved`()
    async throws
  {
    let program = try ChildProcess("LiveBoard")
    let outcome = try await program.run("--self-test", "--people", "3000", "--import", "20000")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors == "")
    let lines = outcome.outputLines
    #expect(lines.first == "connected: 3000 people in 26 sections")
    let told = try #require(lines.first { $0.hasPrefix("imported 20000: ") })
    #expect(told.contains("insertion") || told.contains("reload"))
    #expect(lines.contains { $0.contains(/^longest stall of the main queue meanwhile: .* ms$/) })
    #expect(lines.contains { $0.contains(/^searched "berg": [0-9]+ of 23000 people$/) })
    #expect(lines.contains("searched nothing: 23000 people"))
    #expect(lines.contains { $0.contains(/^edited .* in a session: the list keeps the name$/) })
    #expect(lines.contains("thrown away: nothing in 0 versions"))
    #expect(
      lines.suffix(5).map { $0.replacing(/saved .* as/, with: "saved … as") } == [
        "saved … as Zuzana Probe: 1 move in 1 version",
        "  → Saving <ManagedObjectContext: Edit Session> on a background thread",
        "  → Saving <ManagedObjectContext: Default Context> on the main thread",
        "  → Saving <ManagedObjectContext: Root Saving Context> on a background thread",
        "all rows that the changes lead to are those of the server",
      ])
    #expect(try program.leftovers().isEmpty)
  }

  @Test func `a port that is taken is one line of error`() async throws {
    let program = try ChildProcess("LiveBoard")
    let first = try program.start("--port", "0", "--people", "10")
    let address = try await first.text(after: "LiveBoard is at http://127.0.0.1:")
    let port = String(address.prefix { $0.isNumber })
    let outcome = try await ChildProcess("LiveBoard").run("--port", port, "--people", "10")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errors == "Error: Cannot listen on 127.0.0.1:\(port): Address already in use.\n")
    #expect(try await first.end() == 0)
    #expect(try program.leftovers().isEmpty)
  }

  @Test func `a body that is too long is refused, and the server goes on`() async throws {
    let program = try ChildProcess("LiveBoard")
    let board = try program.start("--port", "0", "--people", "10")
    let address = try #require(URL(string: try await board.text(after: "LiveBoard is at ")))
    var request = URLRequest(url: address.appending(path: "session"))
    (request.httpMethod, request.httpBody) = ("PATCH", Data(count: 1_000_000))
    let (body, response) = try await URLSession.shared.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 413)
    #expect(String(decoding: body, as: UTF8.self) == "The request is too long.")
    let (_, page) = try await URLSession.shared.data(from: address)
    #expect((page as? HTTPURLResponse)?.statusCode == 200)
    #expect(try await board.end() == 0)
    #expect(try program.leftovers().isEmpty)
  }

  @Test func `what cannot be read is told, the heartbeat goes on, and all is right afterwards`()
    async throws
  {
    let program = try ChildProcess("LiveBoard")
    let folder = try TemporaryDirectory()
    let store = folder.file("people.sqlite")
    let board = try program.start("--port", "0", "--people", "10", "--store", store.path)
    let address = try #require(URL(string: try await board.text(after: "LiveBoard is at ")))
    let window = EventText(address.appending(path: "events"))
    try await window.wait(for: #""people":10"#)
    #expect(try run("ALTER TABLE ZPERSON RENAME TO ZGONE", store))
    #expect(try await board.text(after: "The counts stand still: ").contains("ZPERSON"))
    // The first window goes on, and a new one is told why there is no list.
    window.forget()
    for _ in 0..<3 { try await window.wait(for: "event: pulse") }
    let other = EventText(address.appending(path: "events"))
    try await other.wait(for: "event: problem")
    #expect(try await board.text(after: "A window has no list: ").contains("ZPERSON"))
    #expect(try run("ALTER TABLE ZGONE RENAME TO ZPERSON", store))
    #expect(try run("DELETE FROM ZPERSON WHERE Z_PK = (SELECT max(Z_PK) FROM ZPERSON)", store))
    try await window.wait(for: #""people":9"#)
    for stream in [window, other] { stream.close() }
    #expect(try await board.end() == 0)
    #expect(try program.leftovers().isEmpty)
  }

  /// Writes to a store as another program does; answers whether that was possible.
  private func run(_ sql: String, _ store: URL) throws -> Bool {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    guard sqlite3_open_v2(store.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
      return false
    }
    sqlite3_busy_timeout(handle, 5_000)
    return sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
  }
}
