package import ArgumentParser
import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation

/// `cauldron backup STORE [TO]`.
package struct BackupCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies a store as it is committed, while others may go on using it.",
    discussion: """
      The copy is one file without a log, and takes the place of an older one when it is whole. Without \
      TO it lies beside the store, as people.backup.sqlite, where `cauldron restore` looks for it. A \
      damaged store is not copied.
      """)

  @OptionGroup var argument: StoreArgument

  @Argument(help: "Where the copy is to lie.", completion: .file())
  var to: String?

  @Flag(help: "Replace a file that is at TO.")
  var force = false

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    let bar = ProgressBar(console)
    defer { bar.finish() }
    bar.show("checking \(argument.store)", fraction: 0)
    let damage = try argument.examination.damage()
    bar.finish()
    guard damage.isEmpty else {
      for finding in damage { console.complain(finding.message) }
      console.complain("The store was not copied. Restore a copy, or try `.recover` of sqlite3.")
      return ToolStatus.findings
    }
    let copy = StoreBackup(of: argument.url, at: to.map { URL(filePath: $0) })
    if let to, !force, FileManager.default.fileExists(atPath: to) {
      throw CauldronError(
        .storeCannotOpen, "Cannot copy to \"\(to)\": there is a file.",
        hint: "Give another path, or --force.")
    }
    bar.show("copying \(argument.store)", fraction: 0.5)
    try copy.take()
    bar.finish()
    let size = (try? FileManager.default.attributesOfItem(atPath: copy.url.path)[.size]) as? Int
    console.write("\(argument.store) → \(copy.url.relativePath) (\(Quantity.bytes(size ?? 0)))")
    return ToolStatus.good
  }
}

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
    bar.show("restoring \(argument.store)", fraction: 0.5)
    try copy.restore(replacesOther: force)
    bar.finish()
    console.write("\(copy.url.relativePath) → \(argument.store)")
    return ToolStatus.good
  }
}
