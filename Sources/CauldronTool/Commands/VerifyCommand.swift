package import ArgumentParser
import CauldronSQLite
import CauldronStore

/// `cauldron verify STORE`.
package struct VerifyCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Looks through a store for what is wrong with it, one sentence for each finding.",
    discussion: """
      Pages, keys, links, orders, required and unique values, hashes, tables and indexes. Exit status \
      1 where anything is wrong; what Core Data leaves in its own stores, and what is not supported, is \
      told apart. Reads only; the file is not changed. Stack.verify() looks at what only the classes \
      know, too.
      """)

  @OptionGroup var argument: StoreArgument

  @Flag(help: "Leave out the comparison of indexes with rows, which takes longest.")
  var quick = false

  @Flag(help: "Write JSON.")
  package var json = false

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    let bar = ProgressBar(console)
    defer { bar.finish() }
    let begin = ContinuousClock.now
    let verdict = try argument.examination.verify(isQuick: quick, progress: bar.show)
    bar.finish()
    let report = VerdictReport(
      store: argument.store, verdict: verdict, time: begin.duration(to: .now))
    if json { console.writeJSON(report.encodable) } else { report.write(console) }
    let isGood = verdict.findings.allSatisfy { $0.standing != .wrong }
    return isGood ? ToolStatus.good : ToolStatus.findings
  }
}

/// `cauldron inspect STORE`.
package struct InspectCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Shows what a store holds: its entities, as its copy of the model has them, and rows.",
    discussion: "Reads only; the file is not changed.")

  @OptionGroup var argument: StoreArgument

  @Flag(help: "Show attributes and relationships as well.")
  var properties = false

  @Flag(help: "Write JSON, with everything.")
  package var json = false

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    let summary = try argument.examination.summary()
    if json {
      console.writeJSON(summary)
    } else {
      SummaryReport(summary: summary, showsProperties: properties).write(console)
    }
    return ToolStatus.good
  }
}
