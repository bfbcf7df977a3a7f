import CauldronModel
import Foundation
import TestSupport
import Testing

/// Files and streams, whole and cut short.
@Suite(.againstHanging) struct JSONFileTests {
  private func withFile(_ text: String, _ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "json-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(text.utf8).write(to: url)
    try body(url)
  }

  private func error(_ url: URL, _ body: (JSONTape) throws -> Void = { _ in }) -> CauldronError? {
    do {
      try JSONParser.read(contentsOf: url, body)
      return nil
    } catch { return error as? CauldronError }
  }

  /// More than one piece.
  private var long: String {
    "[" + (0..<20_000).map { #"{"number": \#($0), "name": "n\#($0)"}"# }.joined(separator: ",\n")
      + "]"
  }

  @Test func `a file is read in pieces, record by record`() throws {
    try withFile(long) { url in
      var sum = 0
      try JSONParser.read(contentsOf: url) { record in
        sum += record.root.member(Array("number".utf8))?.text.flatMap { Int($0) } ?? 0
      }
      #expect(sum == 20_000 * 19_999 / 2)
    }
  }

  @Test func `a file that shrinks while it is read is an error`() throws {
    try withFile(long) { url in
      var count = 0
      let error = error(url) { _ in
        if count == 0 { #expect(truncate(url.path, 300_000) == 0) }
        count += 1
      }
      #expect(error?.code == .importIO && count > 0)
      #expect(error?.message.contains("has become shorter while it was read: 300000 of") == true)
    }
  }

  @Test func `what is no file that can be read says so`() throws {
    let missing = URL(filePath: "/nowhere/people.json")
    #expect(
      error(missing)?.message == "people.json cannot be opened: No such file or directory.")
    #expect(error(missing)?.path == "/nowhere/people.json")
    #expect(error(FileManager.default.temporaryDirectory)?.code == .importIO)
  }

  @Test func `a stream is read as it comes, and may not end early`() async throws {
    func read(_ bytes: [UInt8]) async throws -> Int {
      let pieces = AsyncStream<Data> { stream in
        for start in stride(from: 0, to: bytes.count, by: 1_000) {
          stream.yield(Data(bytes[start..<min(start + 1_000, bytes.count)]))
        }
        stream.finish()
      }
      var count = 0
      try await JSONParser.read(pieces) { _ in count += 1 }
      return count
    }
    let bytes = Array(long.utf8)
    #expect(try await read(bytes) == 20_000)
    do {
      _ = try await read(Array(bytes.dropLast(3)))
      Issue.record("An end that comes early goes unnoticed.")
    } catch let error as CauldronError {
      #expect(error.code == .importSyntax && error.message.contains("it ends too early"))
    }
  }
}
