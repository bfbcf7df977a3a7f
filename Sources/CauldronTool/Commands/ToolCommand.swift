package import ArgumentParser
import CauldronModel
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

/// How the program ends.
package enum ToolStatus {
  package static let good: Int32 = 0
  /// There are findings, or a migration is refused.
  package static let findings: Int32 = 1
  /// A file cannot be read or written.
  package static let unreadable: Int32 = 2
}
