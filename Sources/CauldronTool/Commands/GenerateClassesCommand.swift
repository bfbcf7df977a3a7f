package import ArgumentParser
import CauldronModel
import CauldronModelClasses
import CauldronModelXML
import CauldronSQLite
import Foundation

/// `cauldron model generate MODEL`.
package struct GenerateClassesCommand: ToolCommand {
  package static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Writes the @Entity classes of a model once, for those who want to edit them.",
    discussion: """
      The build plugin CauldronModelPlugin makes the same classes at each build. Entities whose classes the \
      folder of --beside declares are left out; where such a class derives from one with an underscore, \
      `final class Note: _Note`, that one is written.
      """)

  @OptionGroup var argument: ModelArgument

  @Argument(help: "The file to write; the standard output by default.", completion: .file())
  var output: String?

  @Option(help: "A folder with Swift sources of the target.", completion: .directory)
  var beside: String?

  @Flag(help: "Replace a file that is there.")
  var force = false

  package init() {}

  package func perform(_ console: Console) throws -> Int32 {
    let file = try argument.file()
    _ = try file.checkedModel()
    let classes = try classes(of: file, besides: declared())
    for mistake in classes.mistakes {
      console.complain("\(mistake.declared.path):\(mistake.declared.line): \(mistake.text)")
    }
    for remark in classes.remarks {
      console.complain("\(file.path):\(remark.line): \(remark.text)")
    }
    if let output {
      try OutputFile(path: output, isForced: force).write(classes.text)
    } else {
      console.out(classes.text)
    }
    return classes.remarks.isEmpty ? ToolStatus.good : ToolStatus.findings
  }

  private func classes(
    of file: ModelFile, besides declared: [DeclaredClass]
  ) throws -> ModelClasses {
    do throws(XMLFailure) {
      return try ModelClasses(
        source: file.descriptions.xml, head: "The classes of \(file.url.lastPathComponent).",
        declared: declared)
    } catch {
      throw CauldronError(
        .modelInvalid,
        "Cannot make classes of \"\(file.path)\": line \(error.line):"
          + " \(error.reason).", hint: "Correct the model.")
    }
  }

  /// The classes of the sources in the folder.
  private func declared() throws -> [DeclaredClass] {
    guard let beside else { return [] }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: beside, isDirectory: &isDirectory),
      isDirectory.boolValue
    else {
      throw CauldronError(
        .storeIO, "\"\(beside)\" is no folder.", hint: "Give the folder of the target's sources.")
    }
    let written = output.map { URL(filePath: $0).standardizedFileURL.path }
    let names = FileManager.default.enumerator(atPath: beside)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { name -> [DeclaredClass] in
      let place = URL(filePath: beside).appending(path: name).standardizedFileURL.path
      // What was written before is not beside itself.
      guard place != written, let bytes = FileManager.default.contents(atPath: place) else {
        return []
      }
      return DeclaredClass.all(in: [UInt8](bytes), of: place)
    }
  }
}
