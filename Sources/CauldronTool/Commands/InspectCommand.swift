package import ArgumentParser
import CauldronSQLite

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
