package import ArgumentParser
import CauldronSQLite
import Foundation

/// `cauldron restore STORE [FROM]`.
package struct RestoreCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Has a store be again what a copy of it is.",
    discussion: """
      The copy is checked first, and stays. It all happens in one transaction: whatever interrupts it, the \
      store has its present content or the copy's. A file that is no database any more is moved aside. \
      What was saved since the copy was made is gone. Without FROM the copy is people.backup.sqlite, \
      which `cauldron backup` and migrations that lose values make.
      """)

  @OptionGroup var argument: StoreArgument

  @Argument(help: "Where the copy lies.", completion: .file())
  var from: String?

  @Flag(help: "Also where the copy is one of another store.")
  var force = false

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    let bar = ProgressBar(console)
    defer { bar.finish() }
    let copy = StoreBackup(of: argument.url, at: from.map { URL(filePath: $0) })
    bar.show("restoring \(argument.store)", 0.5)
    try copy.restore(replacesOther: force)
    bar.finish()
    console.write("\(copy.url.relativePath) → \(argument.store)")
    return ToolStatus.good
  }
}
