package import ArgumentParser
import CauldronModel
import CauldronSQLite
import CauldronStore
import Foundation

/// `cauldron migrate STORE --model MODEL`.
package struct MigrateCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings a store over to another model, in one transaction.",
    discussion: """
      The model is one of Xcode's (.xcdatamodel, .mom, or the current version of an .xcdatamodeld or .momd) or that of another \
      store. What would lose values is refused unless --discard allows it, and then a copy is made \
      before. What needs a step of the program's own is refused, too: open the store with the \
      program. Exit status 1 where the migration is refused.
      """)

  @OptionGroup var argument: StoreArgument

  @Option(
    help: "An .xcdatamodel, .xcdatamodeld, .mom or .momd, or a store whose model is taken.",
    completion: .file())
  var model: String

  @Flag(help: "Only say what would be done, and what is in the way.")
  var plan = false

  @Flag(help: "Do everything, look through the result, and take it back.")
  var verify = false

  @Flag(help: "Copy the store beside itself before.")
  var backup = false

  @Option(
    name: .customLong("discard"), parsing: .singleValue,
    help: "What may be lost: \"Person.fax: String\", or an entity. May be repeated.")
  var discards: [String] = []

  @Flag(help: "Write JSON.")
  package var json = false

  package init() {}

  package func validate() throws {
    if plan && verify { throw ValidationError("--plan and --verify exclude one another.") }
  }

  package func perform(_ console: Console) throws -> Int32 {
    let target = try ModelOrigin(URL(filePath: model)).model()
    let migration = OutsideMigration(
      argument.url, to: target, discarding: Set(discards), copying: backup)
    var report = MigrationAnswer(store: argument.store, model: target.name)
    report.forecast = try migration.forecast()
    let isPossible = report.forecast.map(\.problems.isEmpty) ?? false
    if isPossible, !plan {
      do {
        try run(migration, report: &report, on: console)
      } catch let error as CauldronError where error.isRefusal {
        report.forecast?.problems.append(error)
      }
    }
    if json { console.writeJSON(report.encodable) } else { report.write(console) }
    return report.isGood ? ToolStatus.good : ToolStatus.findings
  }

  private func run(
    _ migration: OutsideMigration, report: inout MigrationAnswer, on console: Console
  ) throws {
    if verify {
      guard let trial = try migration.trial() else { return }
      report.done = trial.report
      report.findings = trial.findings
      return
    }
    let bar = ProgressBar(console)
    defer { bar.finish() }
    let store = argument.store
    report.done = try migration.run {
      bar.show("migrating \(store), \($0.phase)", fraction: $0.fraction)
    }
    if report.done?.isCopied == true {
      report.copy = StoreBackup(of: argument.url).url.path
    }
  }
}

extension CauldronError {
  /// Whether a store was looked at and is not to be migrated, rather than that it cannot be read.
  fileprivate var isRefusal: Bool { code.rawValue.hasPrefix("migration.") }
}
