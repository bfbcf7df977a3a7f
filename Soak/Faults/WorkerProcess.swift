import Foundation

/// A process in which recipes run; used by one thread.
final class WorkerProcess {
  /// What a recipe came to.
  struct Report {
    var findings: [Finding] = []
    var calls = 0
    var hasInjected = false
    /// Whether the process can run no other.
    var isOver = false
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let folder: URL
  private var lines: ProcessLines

  init(in parent: URL) throws {
    lines = ProcessLines(output.fileHandleForReading)
    folder = parent.appending(path: "worker-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard let program = Bundle.main.executableURL else {
      throw SoakFailure("Where is this program?")
    }
    process.executableURL = program
    process.arguments = ["faults-worker", folder.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Runs a recipe.
  /// - Parameter patience: After how many seconds without a word it counts as standing still.
  func run(_ fault: Fault, patience: Double) -> Report {
    input.fileHandleForWriting.write(Data("\(fault)\n".utf8))
    var report = Report()
    while true {
      guard let line = lines.next(within: patience) else {
        end(&report)
        return report
      }
      if line.hasPrefix(FaultWorker.done) {
        let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
        (report.calls, report.hasInjected) = (numbers.first ?? 0, numbers.last == 1)
        return report
      }
      if let finding = Finding(line) { report.findings.append(finding) }
    }
  }

  /// Ends the process and removes its stores.
  func close() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// It died, or stands still.
  private func end(_ report: inout Report) {
    if process.isRunning {
      usleep(100_000)
    }
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      report.findings.append(Finding(.unusable, "hung"))
    } else {
      let status = process.terminationStatus
      let how = process.terminationReason == .exit ? "status" : "signal"
      report.findings.append(Finding(.unusable, "the process died with \(how) \(status)"))
    }
    report.hasInjected = true
    report.isOver = true
    try? FileManager.default.removeItem(at: folder)
  }
}
