// Runs the suites that need processes of their own, or that are too long for `swift test`.
//
//   swift run -c release soak kill --count 200
//   swift run -c release soak kill --count 10000 --seed 7 --dir /var/tmp/soak
//   swift run -c release soak ledger --count 200
//   swift run -c release soak names
//   swift run -c release soak faults
//   swift run -c release soak model --count 1000000
//   swift run -c release soak orders
//   swift run -c release soak parse --count 10000000
//   swift run -c release soak queries --count 1000000
//   swift run -c release soak import --count 100000
//   swift run -c release soak migrate --count 20000
//   swift run -c release soak migrate --kill 500
//   swift run -c release soak stores --count 8000

import ArgumentParser

@main struct Soak: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Tries to make a store lose, tear or damage data.",
    discussion: """
      Each suite prints one line with what it did and found. After a finding it prints the command \
      that repeats it, keeps the store, and ends with status 1.
      """,
    subcommands: [
      Kill.self, Ledger.self, Names.self, Faults.self, Lists.self, Model.self, Parse.self,
      Orders.self, Queries.self, Migrate.self, Imports.self, Stores.self, Journey.self,
      KillWorker.self, NamesWorker.self, FaultWorker.self, MigrateWorker.self, StoresWorker.self,
      Insert.self,
      Commit.self,
    ])
}
