package import CauldronModel
import CauldronModelFile
import CauldronModelXML
package import Foundation

/// Where a model is written to, for Xcode or for programs that have no classes.
package struct ModelDestination {
  private let url: URL
  private var path: String { StoreFile(url).path }

  /// - Parameter url: An `.xcdatamodel`, an `.xcdatamodeld` or a `.mom`.
  package init(_ url: URL) { self.url = url }

  /// Writes a model; what is there under the name is replaced, and other versions in a directory stay.
  /// - Throws: `model.invalid` where the place is none of a model, or cannot be written.
  package func write(_ source: ManagedObjectModel) throws {
    let isArchive = url.pathExtension == "mom"
    if isArchive || source.source == nil, let partial = source.entities.first(where: \.isPartial) {
      throw error(
        "\(partial.name) has a property that is not understood, and would lose it.",
        hint: "Copy the file that the model was read from.")
    }
    var model = StoredModel(
      entities: source.entities, versionIdentifiers: source.versionIdentifiers)
    model.fetchRequestTemplates = source.fetchRequestTemplates
    model.configurations = source.configurations
    let text = source.source ?? Array(model.source().utf8)
    switch url.pathExtension {
    case "mom": try write(model.archive(), to: url)
    case "xcdatamodel": try write(text, to: url.appending(path: "contents"))
    case "xcdatamodeld": try write(text, to: try version().appending(path: "contents"))
    default:
      throw error(
        "its name has none of a model's endings.", hint: "End it with .xcdatamodel or .mom.")
    }
  }

  /// The version of a directory that counts: what is written is what is read.
  private func version() throws -> URL {
    let versions = SourceVersions(url)
    guard let names = versions.names else {
      return url.appending(path: url.deletingPathExtension().lastPathComponent + ".xcdatamodel")
    }
    guard let current = versions.current(among: names) else {
      let mistake = versions.mistake(among: names)
      throw error("\(mistake.reason).", hint: mistake.remedy)
    }
    return url.appending(path: current)
  }

  private func write(_ bytes: [UInt8], to file: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: .atomic)
    } catch let problem {
      let text = StoreFile.reason(of: problem)
      throw error("it cannot be written (\(text)).", hint: "Check the path.")
    }
  }

  private func error(_ what: String, hint: String) -> CauldronError {
    CauldronError(.modelInvalid, "Cannot write a model to \"\(path)\": \(what)", hint: hint)
      .with { $0.path = path }
  }
}
