package import ArgumentParser

/// `cauldron`: looks at stores, and brings them along, without the program that they belong to.
package struct CauldronCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "cauldron",
    abstract: "Looks at the stores of Cauldron and Core Data, and looks after them.",
    discussion: """
      Exit status: 0 where all is well, 1 where `verify` has findings or a migration is refused, 2 \
      where a file cannot be read or written, or a condition not be understood, 64 where the command \
      line is wrong. Colours and bars appear on a terminal only; NO_COLOR turns colours off.
      """,
    subcommands: [
      InspectCommand.self, VerifyCommand.self, FetchCommand.self, MigrateCommand.self,
      BackupCommand.self, RestoreCommand.self,
    ])

  package init() {}
}
