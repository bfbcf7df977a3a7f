package import ArgumentParser
import CauldronModel

/// `cauldron model`: looks at models, and at what becomes of stores when they change.
package struct ModelCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Shows, compares, checks and draws models.",
    discussion: """
      A model is one of Xcode's (.xcdatamodel, .mom, or the current version of an .xcdatamodeld or .momd) or \
      that of a store, which is only read.
      """,
    subcommands: [ShowModelCommand.self])

  package init() {}
}

/// The path of a model, as the commands of a model take it.
package struct ModelArgument: ParsableArguments {
  @Argument(
    help: "An .xcdatamodel, .xcdatamodeld, .mom or .momd, or a store whose model is taken.",
    completion: .file())
  package var model: String

  @Option(help: "The name of a version in an .xcdatamodeld or .momd; the current one by default.")
  var version: String?

  package init() {}

  func file() throws -> ModelFile { try ModelFile(model, version: version) }
}

/// `cauldron model show MODEL`.
package struct ShowModelCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows what a model says, with the version hashes of its entities.")

  @OptionGroup var argument: ModelArgument

  @Option(help: "The only entity to show; all by default.")
  var entity: String?

  @Flag(help: "Write JSON.")
  package var json = false

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    let report = try ModelReport(argument.file(), entity: entity)
    if json { console.writeJSON(report.encodable) } else { report.write(console) }
    return ToolStatus.good
  }
}
