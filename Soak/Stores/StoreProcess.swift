import ArgumentParser
import Foundation

/// A process in which damaged stores are met; used by one thread.
final class StoreProcess {
  /// What became of a damaged store.
  struct Report {
    var damage = ""
    var verdicts: [(StoreMeeting.Way, MeetingVerdict)] = []
    /// How the process ended; nil where it can go on.
    var end: MeetingVerdict?
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var lines: ProcessLines

  init(_ folder: URL, seed: UInt64) throws {
    lines = ProcessLines(output.fileHandleForReading)
    guard let program = Bundle.main.executableURL else {
      throw SoakFailure("Where is this program?")
    }
    process.executableURL = program
    process.arguments = ["stores-worker", folder.path, "\(seed)"]
    // What earlier work has freed is not to count as the next one's memory.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Meets a store in the ways from one on.
  /// - Parameter patience: After how many seconds without a word it counts as standing still.
  func meet(_ number: Int, from first: Int, patience: Double) -> Report {
    input.fileHandleForWriting.write(Data("\(number) \(first)\n".utf8))
    var report = Report()
    while let line = lines.next(within: patience) {
      if line == StoresWorker.done { return report }
      if line.hasPrefix("damage ") {
        report.damage = String(line.dropFirst(7))
        continue
      }
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2, let way = StoreMeeting.Way(rawValue: String(parts[0])),
        let verdict = MeetingVerdict(String(parts[1]))
      {
        report.verdicts.append((way, verdict))
      }
    }
    report.end = end()
    return report
  }

  func close() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// It died, or stands still.
  private func end() -> MeetingVerdict {
    if process.isRunning { usleep(200_000) }
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      return MeetingVerdict(.hang)
    }
    let how = process.terminationReason == .exit ? "status" : "signal"
    return MeetingVerdict(.trap, "the process ended with \(how) \(process.terminationStatus)")
  }
}

/// The process that meets damaged stores: their numbers come in, one a line.
struct StoresWorker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stores-worker", shouldDisplay: false)

  @Argument var samples: String
  @Argument var seed: UInt64

  /// What ends the report on a store.
  static let done = "done"

  func run() throws {
    limitMemory()
    let samples = URL(filePath: samples)
    let folder = samples.appending(path: "worker-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    while let line = readLine() {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw SoakFailure("\"\(line)\" is no store.") }
      try meet(numbers[0], from: numbers[1], samples, folder)
      print(Self.done)
      fflush(nil)
    }
  }

  private func meet(_ number: Int, from first: Int, _ samples: URL, _ folder: URL) throws {
    var random = SoakGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
    guard let sample = StoreSample.all.randomElement(using: &random) else { return }
    let files = StoreFiles(folder.appending(path: "damaged.sqlite"))
    try sample.files(in: samples).copy(to: files)
    var damage = StoreDamage(files, samples: samples, seed: random.next())
    damage.run()
    print("damage \(sample.name): \(damage.notes.joined(separator: " | "))")
    fflush(nil)
    let meeting = try StoreMeeting(sample, files, samples: samples, in: folder)
    for way in StoreMeeting.Way.allCases.dropFirst(first) {
      let verdict = try meeting.meet(way)
      print(way.rawValue, verdict)
      fflush(nil)
    }
    files.remove()
  }

  /// An address space far above what is judged, so that nothing takes the machine along.
  private func limitMemory() {
    var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  }
}
