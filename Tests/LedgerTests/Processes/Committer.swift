import Foundation
import TestSupport

/// Another process, which commits what it is told. It ends with the last reference.
final class Committer {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var received = Data()

  /// Starts it, and returns when it has opened the store.
  init(_ program: URL, store: URL) throws {
    process.executableURL = program
    process.arguments = ["commit", store.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard try line() == "ready" else { throw Silence(description: "It is not ready.") }
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// Has it commit one thing, and returns when that is committed.
  /// - Returns: The system's uptime in nanoseconds when its save began.
  func commit(_ text: String) throws -> UInt64 {
    try input.fileHandleForWriting.write(contentsOf: Data("\(text)\n".utf8))
    guard let start = UInt64(try line()) else { throw Silence(description: "No time was told.") }
    return start
  }

  /// Ends it.
  /// - Returns: Its exit code.
  func end() throws -> Int32 {
    try input.fileHandleForWriting.close()
    let end = ContinuousClock.now + .seconds(30 * slack)
    while process.isRunning, ContinuousClock.now < end { usleep(5_000) }
    if process.isRunning { throw Silence(description: "It does not end.") }
    return process.terminationStatus
  }

  /// The next line that it prints.
  private func line() throws -> String {
    let handle = output.fileHandleForReading
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received = Data(received[(end + 1)...]) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      var poll = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, Int32(30_000 * slack)) > 0 else {
        throw Silence(description: "It has not answered within \(30 * slack) s.")
      }
      let data = handle.availableData
      if data.isEmpty { throw Silence(description: "It has ended.") }
      received += data
    }
  }

  private struct Silence: Error {
    let description: String
  }
}
