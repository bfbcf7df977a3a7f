package import ArgumentParser
import CauldronModel
import CauldronSQLite
import Foundation

/// A subcommand: what it does is a function of its arguments and the console, so that tests can call it.
package protocol ToolCommand: ParsableCommand {
  /// Whether the answer, and an error, too, are JSON on the standard output.
  var json: Bool { get }
  /// Does the work.
  /// - Returns: The exit status.
  func perform(_ console: Console) throws -> Int32
}

extension ToolCommand {
  package var json: Bool { false }

  package mutating func run() throws {
    let status = execute(.standard)
    if status != 0 { throw ExitCode(status) }
  }

  /// Does the work, and says on one line what has kept it from being done.
  /// - Returns: The exit status: that of the work, or 2.
  package func execute(_ console: Console) -> Int32 {
    do {
      return try perform(console)
    } catch {
      let problem = ToolProblem(error)
      if json { console.writeJSON(["error": problem]) }
      console.complain("\(problem)")
      return ToolStatus.unreadable
    }
  }
}

/// The path of a store's file, as most commands take it.
package struct StoreArgument: ParsableArguments {
  @Argument(help: "The store's file.", completion: .file())
  package var store: String

  package init() {}

  var url: URL { URL(filePath: store) }
  var examination: StoreExamination { StoreExamination(url) }
}

/// An error as one line with a remedy.
struct ToolProblem: Encodable, CustomStringConvertible {
  let code: String
  let message: String
  let remedy: String

  init(_ error: any Error) {
    guard let error = error as? CauldronError else {
      code = "tool.failed"
      message = "\(error)".replacing("\n", with: " ")
      remedy = "Try again."
      return
    }
    code = error.code.rawValue
    message = error.message.replacing("\n", with: " ")
    let hint = error.hint.replacing("\n", with: " ")
    remedy = hint.isEmpty || error.code == .storeNoBackup ? Self.remedy(error.code) : hint
  }

  var description: String { "\(message) \(remedy) [\(code)]" }

  /// What to do where the library, which does not know who asks, has nothing to say.
  private static func remedy(_ code: CauldronError.Code) -> String {
    switch code {
    case .storeNotADatabase: "Check the path, or restore a copy with `cauldron restore`."
    case .storeForeignDatabase: "Check the path: other programs' databases are no stores."
    case .storeReadOnly:
      "Open it once with the program that wrote it, or look at a copy of all its files in a"
        + " directory that can be written."
    case .storeCannotOpen: "Check the path, and whether file and directory may be read."
    case .storeNoBackup: "Give the path of a copy; `cauldron backup` makes one."
    case .storeIO: "Look at the disk, and restore a copy with `cauldron restore` if it is damaged."
    default: code.rawValue.hasPrefix("query.") ? "Correct --where or --sort." : "Try again."
    }
  }
}

/// `cauldron`: looks at stores, and brings them along, without the program that they belong to.
package struct CauldronCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "cauldron",
    abstract: "Looks at the stores of Cauldron and Core Data, and looks after them.",
    discussion: """
      Exit status: 0 where all is well, 1 where `verify` finds a store wrong, a migration is refused, or \
      `model` has findings or a difference, 2 where a file cannot be read or written, or a condition not be \
      understood, 64 where the command line is wrong. Colours and bars appear on a terminal only; NO_COLOR turns \
      colours off.
      """,
    subcommands: [
      InspectCommand.self, VerifyCommand.self, FetchCommand.self, MigrateCommand.self,
      BackupCommand.self, RestoreCommand.self, MoveCommand.self, DestroyCommand.self,
      MetadataCommand.self, ModelCommand.self,
    ])

  package init() {}
}
