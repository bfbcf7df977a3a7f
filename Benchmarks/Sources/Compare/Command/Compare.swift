import ArgumentParser
import Dispatch
import Foundation

@main
enum Main {
  /// Leaves the main queue free: everything is measured on a thread of its own, which takes the
  /// main queue's turn where a row asks for it. The queue keeps to the main thread where a row asks for
  /// that, because it measures what that thread does.
  static func main() {
    let thread = Thread {
      Compare.main()
      exit(0)
    }
    thread.stackSize = 16 << 20
    thread.start()
    if CommandLine.arguments.contains("--main-thread") { RunLoop.main.run() }
    dispatchMain()
  }
}

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Compare",
    abstract: "Compares Cauldron with the C API of SQLite and with GRDB.",
    subcommands: [RunTable.self, RunContest.self, RunMemory.self, RunCommits.self],
    defaultSubcommand: RunTable.self)
}

struct MeasuringOptions: ParsableArguments {
  @Option(help: "The runs of each contender, after a warm-up.")
  var runs = 5

  @Flag(help: "Use a twentieth of the rows, to see that everything works.")
  var quick = false

  var settings: Settings { Settings(runs: max(1, runs), isQuick: quick) }

  /// The same options for another process.
  var arguments: [String] { ["--runs", "\(runs)"] + (quick ? ["--quick"] : []) }
}
