import ArgumentParser
import Foundation
import MigrationKit

/// Kills programs that migrate, and looks what is left.
struct MigrateKills {
  let folder: URL
  let seed: UInt64
  /// How many objects each store has: so many that a migration takes some milliseconds.
  static let objects = 300

  func run(_ count: Int) throws {
    var random = SoakGenerator(seed: seed)
    var (old, new) = (0, 0)
    for number in 0..<count {
      let seed = random.next() % 1_000_000
      let store = folder.appending(path: "store-\(number).sqlite")
      let pair = LineagePair(using: SoakGenerator(seed: seed), objects: Self.objects)
      try pair.make(store)
      try interrupt(store, seed, after: UInt32.random(in: 0...60_000, using: &random))
      let (isNew, problem) = try pair.problem(store)
      if let problem {
        print("migrate: \(number + 1) killed, 1 torn, seed \(self.seed): \(problem)")
        print("store: \(store.path), model \(seed)")
        print("again: swift run -c release soak migrate --kill \(number + 1) --seed \(self.seed)")
        throw ExitCode(1)
      }
      if isNew { new += 1 } else { old += 1 }
    }
    print("migrate: \(count) killed, \(old) old, \(new) new, 0 torn, seed \(seed)")
  }

  /// Has another process migrate the store, and kills it.
  /// - Parameter delay: Microseconds after it has begun.
  private func interrupt(_ store: URL, _ seed: UInt64, after delay: UInt32) throws {
    guard let program = Bundle.main.executableURL else {
      throw SoakFailure("Where is this program?")
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = ["migrate-worker", store.path, "\(seed)"]
    process.standardOutput = output
    try process.run()
    _ = output.fileHandleForReading.availableData
    usleep(delay)
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

/// The process that is killed: it says that it begins, and migrates.
struct MigrateWorker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate-worker", shouldDisplay: false)

  @Argument var store: String
  @Argument var seed: UInt64

  func run() throws {
    let pair = LineagePair(using: SoakGenerator(seed: seed), objects: MigrateKills.objects)
    print("begins")
    fflush(nil)
    try pair.migrate(URL(filePath: store))
  }
}
