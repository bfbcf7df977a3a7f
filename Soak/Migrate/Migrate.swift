import ArgumentParser
import Foundation
import MigrationKit

/// Migrates random stores, and kills programs that do.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Changes random models, and compares the stores with dictionaries.",
    discussion: """
      Each lineage has three versions of a random model. After each migration the store must have what \
      the same changes make of dictionaries, and in the end the tables and indexes of a fresh one; the \
      lineages with even seeds are migrated in one step, too. With --kill, a program that migrates is \
      killed at a random moment instead: the store must be the old or the new one, as a whole.
      """)

  @Option(help: "How many lineages are tried.")
  var count = 1_000

  @Option(help: "How many programs are killed, instead of that.")
  var kill: Int?

  @Option(help: "The first seed, or what decides when programs are killed; random by default.")
  var seed: UInt64?

  func validate() throws {
    if count < 1 || kill ?? 1 < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "soak-migrate-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if let kill {
      try MigrateKills(folder: folder, seed: seed).run(kill)
    } else {
      try compare(seed, folder)
    }
    try? FileManager.default.removeItem(at: folder)
  }

  private func compare(_ first: UInt64, _ folder: URL) throws {
    for number in 0..<UInt64(count) {
      let seed = first &+ number
      var run = LineageRun(
        in: folder, using: SoakGenerator(seed: seed), keepsNames: seed.isMultiple(of: 2))
      var difference: String?
      do { difference = try run.run() } catch { difference = "\(error)\n\(run.told)" }
      if let difference {
        print("migrate: \(number + 1) lineages, 1 difference, seed \(seed)\n\(difference)")
        print("again: swift run -c release soak migrate --count 1 --seed \(seed)")
        throw ExitCode(1)
      }
      if number % 1_000 == 999 {
        print("\(number + 1) lineages")
        fflush(nil)
      }
    }
    print("migrate: \(count) lineages, 0 differences, seed \(first)")
  }
}
