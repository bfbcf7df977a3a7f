import ArgumentParser
import Foundation

/// Kills a saving process at random moments, and looks what is left.
struct Kill: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Kills a process that saves through the chain, again and again.",
    discussion: """
      A child process saves groups of related rows through child, main and root context to the \
      store and reports every save; it is killed 1 to 60 ms after its first report. Everything \
      reported must be in the store afterwards, nothing may be there in part, and the next \
      process goes on with the same store.
      """)

  @Option(help: "How many processes are killed.")
  var count = 200

  @Option(help: "Decides when they are killed and what they save; random by default.")
  var seed: UInt64?

  @Option(help: "Where the stores are kept; a temporary directory by default.")
  var dir: String?

  /// A store is used this often, so that checking it stays quick.
  private static let roundsPerStore = 100

  func validate() throws {
    if count < 1 { throw ValidationError("At least one process has to be killed.") }
  }

  func run() async throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let folder = try makeFolder(seed)
    var random = SoakGenerator(seed: seed)
    let began = Date()
    var acknowledged = 0
    for round in 0..<count {
      let store = folder.appending(path: "kill-\(round / Self.roundsPerStore).sqlite")
      if round.isMultiple(of: Self.roundsPerStore) { acknowledged = 0 }
      let life = try KillRound(
        store: store, seed: random.next(), delay: UInt32.random(in: 1_000...60_000, using: &random))
      let check = try StoreCheck(store, acknowledged: max(acknowledged, life.acknowledged))
      guard check.isClean else { throw report(check, round + 1, seed, store, began) }
      acknowledged = check.last
    }
    print(line(count, StoreCheck.clean, seed, began))
    if dir == nil { try? FileManager.default.removeItem(at: folder) }
  }

  private func makeFolder(_ seed: UInt64) throws -> URL {
    let parent = dir.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = parent.appending(path: "soak-kill-\(seed)-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func report(
    _ check: StoreCheck, _ rounds: Int, _ seed: UInt64, _ store: URL, _ began: Date
  ) -> ExitCode {
    print(line(rounds, check, seed, began))
    for problem in check.torn { print("torn: \(problem)") }
    for problem in check.corrupt { print("corrupt: \(problem)") }
    print("store: \(store.path)")
    let place = dir.map { " --dir \($0)" } ?? ""
    print("again: swift run -c release soak kill --count \(rounds) --seed \(seed)\(place)")
    return ExitCode(1)
  }

  private func line(_ rounds: Int, _ check: StoreCheck, _ seed: UInt64, _ began: Date) -> String {
    let seconds = Int(Date().timeIntervalSince(began).rounded())
    return "kill: \(rounds) killed, \(check.lost) lost, \(check.torn.count) torn,"
      + " \(check.corrupt.count) corrupt, \(seconds) s, seed \(seed)"
  }
}
