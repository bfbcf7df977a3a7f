import Foundation

/// Two processes that ask for the same names in one store file.
struct NamesRound {
  /// What was reported as saved.
  private(set) var reports: [NamesReport] = []
  /// What went wrong in a process.
  private(set) var failures: [String] = []

  init(store: URL, names: Int, seed: UInt64, discards: Bool) throws {
    guard let program = Bundle.main.executableURL else {
      throw SoakFailure("Where is this program?")
    }
    let workers = try (0..<NamesModel.processes).map { number in
      let arguments = ["names-worker", store.path, "\(number)", "\(names)", "\(seed)"]
      return try NamesProcess(program, arguments + (discards ? ["--discards"] : []))
    }
    let ready = workers.filter { $0.isReady() }
    if ready.count < workers.count { failures.append("a worker did not begin") }
    for worker in ready { worker.begin() }
    for worker in workers {
      let (lines, status) = worker.finish()
      if status != 0 { failures.append("a worker ended with status \(status)") }
      reports += lines.compactMap(NamesReport.init)
      failures += lines.filter { $0.hasPrefix("failed ") }.map(String.init)
    }
  }
}

/// A process that says when it is ready, and begins when it is told.
private struct NamesProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ program: URL, _ arguments: [String]) throws {
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  func isReady() -> Bool {
    output.fileHandleForReading.availableData == Data("ready\n".utf8)
  }

  func begin() {
    try? input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
  }

  func finish() -> (lines: [Substring], status: Int32) {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self).split(separator: "\n"), process.terminationStatus)
  }
}
