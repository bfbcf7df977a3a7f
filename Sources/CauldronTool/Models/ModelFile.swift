package import CauldronModel
package import CauldronSQLite
package import Foundation

/// A model as a command reads it: the descriptions of its file, and the model of these.
///
/// A file may describe what is no model: a relationship whose inverse does not lead back. It is shown and checked
/// all the same.
package struct ModelFile {
  /// The path as it was given, with the version that was asked for.
  package let path: String
  /// The name of the file without its ending.
  package let name: String
  /// The place of the file.
  package let url: URL
  package let descriptions: ModelOrigin.Descriptions
  /// The model; nil where the descriptions make none.
  package let model: ManagedObjectModel?
  /// Why they make none.
  package let mistake: CauldronError?

  /// Reads a model.
  /// - Parameters:
  ///   - path: As `ModelOrigin` takes it.
  ///   - version: The name of a version in a directory of versions, with or without its ending.
  /// - Throws: `model.invalid` where it is no model, and `migration.noSource` where a store has no copy.
  package init(_ path: String, version: String? = nil) throws {
    let place = try ModelVersions(path).place(of: version)
    let origin = ModelOrigin(place)
    self.path = version == nil ? path : place.relativePath
    name = origin.name
    url = place
    descriptions = try origin.descriptions()
    do {
      model = try ManagedObjectModel(
        entities: descriptions.entities, name: origin.name,
        versionIdentifiers: descriptions.versionIdentifiers,
        fetchRequestTemplates: descriptions.fetchRequestTemplates,
        configurations: descriptions.configurations)
      mistake = nil
    } catch let error as CauldronError {
      model = nil
      mistake = error
    }
  }

  /// The entities, by their names.
  package var entities: [EntityDescription] { descriptions.entities }

  /// The model of a command that needs all of it.
  /// - Throws: Why there is none.
  package func checkedModel() throws -> ManagedObjectModel {
    if let model { return model }
    throw CauldronError(
      .modelInvalid, "\"\(path)\" is no model: \(mistake?.message ?? "it cannot be built").",
      hint: "`cauldron model check` tells what to change.")
  }

  /// The version hash of an entity in Base64, as Core Data writes it; nil where it cannot be told.
  package func hash(of entity: String) -> String? {
    guard let layout = model?.layout(named: entity), !layout.isPartial else { return nil }
    return Data(layout.versionHash).base64EncodedString()
  }

  /// Whether the file is a store.
  package var isStore: Bool {
    guard let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 15)) == Data("SQLite format 3".utf8)
  }
}

/// The versions of a model in an `.xcdatamodeld` or `.momd` directory.
package struct ModelVersions {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// The names without their endings, numbers in them by their value; none for any other file.
  package var names: [String] {
    files.map(Self.name).sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }

  /// The place of a version; that of the directory or file itself where none is asked for.
  /// - Throws: `model.invalid` where there is no such version.
  package func place(of version: String?) throws -> URL {
    let url = URL(filePath: path)
    guard let version else { return url }
    if let file = files.first(where: { $0 == version || Self.name($0) == version }) {
      return url.appending(path: file)
    }
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    throw CauldronError(
      .modelInvalid, "There is no version \"\(version)\" in \"\(path)\".",
      hint: list.isEmpty
        ? "Give an .xcdatamodeld or .momd, which has versions." : "It has \(list).")
  }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter {
      $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".mom")
    }
  }

  private static func name(_ file: String) -> String {
    URL(filePath: file).deletingPathExtension().lastPathComponent
  }
}
