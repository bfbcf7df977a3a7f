import ArgumentParser
import CauldronModel
import CauldronTool
import Foundation
import Testing

/// What a command line answers, run in this process.
struct ToolRun {
  let status: Int32
  let output: String
  let errors: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }

  init(
    _ arguments: String..., isTerminal: Bool = false, isColoured: Bool = false,
    showsProgress: Bool = false
  ) throws {
    try self.init(
      arguments, isTerminal: isTerminal, isColoured: isColoured, showsProgress: showsProgress)
  }

  init(
    _ arguments: [String], isTerminal: Bool = false, isColoured: Bool = false,
    showsProgress: Bool = false
  ) throws {
    let out = Locked("")
    let err = Locked("")
    let console = Console(
      isTerminal: isTerminal, isColoured: isColoured, showsProgress: showsProgress,
      out: { text in out.withLock { $0 += text } }, err: { text in err.withLock { $0 += text } })
    let command = try CauldronCommand.parseAsRoot(arguments)
    status = try #require(command as? any ToolCommand).execute(console)
    output = out.withLock { $0 }
    errors = err.withLock { $0 }
  }

  /// The output as JSON.
  func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
    return try #require(value as? [String: Any])
  }
}
