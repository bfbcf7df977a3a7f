package import ArgumentParser
import CauldronModel
import Foundation

/// `cauldron model`: looks at models, and at what becomes of stores when they change.
package struct ModelCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Shows, compares, checks and draws models, and makes their classes.",
    discussion: """
      A model is one of Xcode's (.xcdatamodel, .mom, or the current version of an .xcdatamodeld or .momd) or \
      that of a store, which is only read.
      """,
    subcommands: [
      ShowModelCommand.self, CompareModelsCommand.self, CheckModelCommand.self,
      DrawModelCommand.self, GenerateClassesCommand.self,
    ])

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
    abstract: "Shows what a model says, with the version hashes of its entities.",
    discussion: """
      Of an .xcmappingmodel, what becomes of each entity, and the code that a program of this library has for it.
      """)

  @OptionGroup var argument: ModelArgument

  @Option(help: "The only entity to show; all by default.")
  var entity: String?

  @Flag(help: "Write JSON.")
  package var json = false

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    if MappingModel.isMapping(argument.model) {
      let report = MappingReport(try MappingModel(argument.model))
      if json { console.writeJSON(report.encodable) } else { report.write(console) }
      return ToolStatus.good
    }
    let report = try ModelReport(argument.file(), entity: entity)
    if json { console.writeJSON(report.encodable) } else { report.write(console) }
    return ToolStatus.good
  }
}

/// `cauldron model diff A B`.
package struct CompareModelsCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Says what a migration from one model to another would do, and what it would lose.",
    discussion: """
      Where A is a store, its values are counted, and looked at for what is in the way; it is not changed. \
      Long lists are cut, so that all fits on a screen. Exit status 0 where the version hashes are equal, and \
      1 where they differ.
      """)

  @Argument(help: "The model that stores have, or a store.", completion: .file())
  var old: String

  @Argument(help: "The model that they are to have.", completion: .file())
  var new: String

  @Option(
    name: .customLong("in"),
    help: "An .xcdatamodeld or .momd: A and B are names of its versions.", completion: .file())
  var folder: String?

  @Flag(help: "Write out long lists, and whole hashes.")
  var all = false

  @Flag(help: "Write JSON, with everything.")
  package var json = false

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    let files = try [old, new].map { name in
      try folder.map { try ModelFile($0, version: name) } ?? ModelFile(name)
    }
    let report = try ModelDifferenceReport(from: files[0], to: files[1])
    if json { console.writeJSON(report.encodable) } else { report.write(console, isWhole: all) }
    return report.comparison.isEqual ? ToolStatus.good : ToolStatus.findings
  }
}

/// `cauldron model check MODEL`.
package struct CheckModelCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Looks a model through for what is doubtful in it, one line for each finding.",
    discussion: """
      Relationships that do not lead back, rules of deletion that cannot hold, defaults outside of their bounds, \
      names that are taken, needless indexes, conditions that cannot be asked. Exit status 1 where there are \
      findings; notes do not count.
      """)

  @OptionGroup var argument: ModelArgument

  @Flag(help: "Write out the notes.")
  var notes = false

  @Flag(help: "Write JSON, with the notes.")
  package var json = false

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    let report = CheckupReport(try argument.file())
    if json {
      console.writeJSON(report.encodable)
    } else {
      report.write(console, showsNotes: notes)
    }
    return report.isGood ? ToolStatus.good : ToolStatus.findings
  }
}

/// `cauldron model graph MODEL`.
package struct DrawModelCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Draws a model: as a class diagram for Mermaid, or as SVG.",
    discussion: """
      A line stands for a pair of inverses: it ends in three strokes where there are many objects, and in a bar \
      where there is one, with a ring where there may be none. An arrow is a relationship without inverse, a hollow \
      triangle an inheritance.
      """)

  @OptionGroup var argument: ModelArgument

  @Argument(help: "The file to write; the standard output by default.", completion: .file())
  var output: String?

  @Flag(help: "The text of a class diagram for Mermaid; that is the default.")
  var mermaid = false

  @Flag(help: "SVG, for light and dark pages.")
  var svg = false

  @Flag(help: "Leave out attributes.")
  var brief = false

  @Flag(help: "Replace a file that is there.")
  var force = false

  package init() {}

  package func validate() throws {
    if mermaid && svg { throw ValidationError("--mermaid and --svg exclude one another.") }
  }

  package func perform(_ console: Console) throws -> Int32 {
    let diagram = ModelDiagram(try argument.file().entities, showsAttributes: !brief)
    let text = svg ? DiagramSVG(DiagramLayout(diagram)).text : MermaidText(diagram).text
    guard let output else {
      console.out(text)
      return ToolStatus.good
    }
    try OutputFile(path: output, isForced: force).write(text)
    return ToolStatus.good
  }
}
