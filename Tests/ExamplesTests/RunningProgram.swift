import Foundation
import TestSupport

/// A program that runs beside a test, and is ended with it.
final class RunningProgram {
  private let process: Process
  private let output: URL
  private let folder: TemporaryDirectory

  /// Starts a process.
  init(_ process: Process) throws {
    self.process = process
    folder = try TemporaryDirectory()
    output = folder.file("out")
    try Data().write(to: output)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// What stands in a line behind some words, once the program has printed it.
  func text(after words: String) async throws -> String {
    for _ in 0..<Int(600 * slack) {
      let printed = try String(contentsOf: output, encoding: .utf8)
      let line = printed.split(separator: "\n").first { $0.contains(words) }
      if let line, let range = line.range(of: words) { return String(line[range.upperBound...]) }
      if !process.isRunning { throw Silence(description: "has ended: \(printed)") }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Silence(description: "has not printed \"\(words)\"")
  }

  /// Asks the program to end, and waits until it has.
  /// - Returns: Its exit code.
  func end() async throws -> Int32 {
    process.terminate()
    let end = ContinuousClock.now + .seconds(30 * slack)
    while process.isRunning, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(50))
    }
    if process.isRunning { throw Silence(description: "does not end") }
    return process.terminationStatus
  }

  private struct Silence: Error, CustomStringConvertible {
    let description: String
  }
}
