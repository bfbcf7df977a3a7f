import Foundation

/// One life of a worker, from its start to its end by signal.
struct KillRound {
  /// The number of the last save that it reported; 0 for none.
  private(set) var acknowledged = 0

  /// Starts this program once more, waits for its first report, and kills it `delay` microseconds
  /// later.
  init(store: URL, seed: UInt64, delay: UInt32) throws {
    let pipe = Pipe()
    let process = Process()
    process.executableURL = try Self.program()
    process.arguments = ["kill-worker", store.path, "\(seed)"]
    process.standardOutput = pipe
    try process.run()
    var reports = pipe.fileHandleForReading.availableData
    usleep(delay)
    kill(process.processIdentifier, SIGKILL)
    reports += pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .uncaughtSignal else {
      throw SoakFailure("The worker ended by itself, with status \(process.terminationStatus).")
    }
    // A report that was cut off does not count: its line has no end.
    let lines = String(decoding: reports, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    acknowledged = lines.dropLast().compactMap { Int($0) }.max() ?? 0
  }

  private static func program() throws -> URL {
    guard let url = Bundle.main.executableURL else { throw SoakFailure("Where is this program?") }
    return url
  }
}
