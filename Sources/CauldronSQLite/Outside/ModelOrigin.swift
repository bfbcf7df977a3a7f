import CauldronArchive
package import CauldronModel
import CauldronModelFile
import CauldronModelXML
package import Foundation

/// Where a model is taken from that no class describes: a model that Xcode edits or has compiled, or a store.
package struct ModelOrigin {
  private let url: URL
  private var path: String { StoreFile(url).path }

  /// The longest file that is read.
  private static let longest = 1 << 24

  /// - Parameter url: A `.xcdatamodel` or `.mom`, an `.xcdatamodeld` or `.momd`, whose current version counts, or a
  ///   store.
  package init(_ url: URL) { self.url = url }

  /// The model's name: that of the file or directory.
  package var name: String {
    let place = url.lastPathComponent == "contents" ? url.deletingLastPathComponent() : url
    return place.deletingPathExtension().lastPathComponent
  }

  /// The model that a store is to be migrated to.
  /// - Throws: `model.invalid` where it is no model, `migration.noSource` where a store has no copy, and
  ///   `migration.cannotInfer` where the model has what is not understood.
  package func model() throws -> ManagedObjectModel {
    let stored = try content()
    guard stored.open.isEmpty else {
      throw CauldronError(
        .migrationCannotInfer,
        "Cannot migrate to \"\(path)\": what is not understood is in"
          + " \(stored.open.sorted().joined(separator: ", ")).",
        hint: "Migrate with the program that has this model.")
    }
    return try stored.model(name: name)
  }

  /// The descriptions of a model, without what is not understood.
  /// - Throws: `model.invalid` where it is no model, and `migration.noSource` where a store has no copy.
  package func descriptions() throws -> Descriptions {
    let stored = try content()
    var entities = stored.entities
    for index in entities.indices where stored.open.contains(entities[index].name) {
      entities[index].isPartial = true
    }
    return Descriptions(
      entities: entities, versionIdentifiers: stored.versionIdentifiers,
      fetchRequestTemplates: stored.fetchRequestTemplates, configurations: stored.configurations,
      source: stored.original)
  }

  /// What a model is made of.
  package struct Descriptions {
    package let entities: [EntityDescription]
    package let versionIdentifiers: [String]
    package let fetchRequestTemplates: [FetchRequestTemplate]
    package let configurations: [String: [String]]
    package let source: [UInt8]?

    /// The XML that was read, or else that of the descriptions.
    package var xml: [UInt8] {
      if let source { return source }
      var model = StoredModel(entities: entities, versionIdentifiers: versionIdentifiers)
      model.fetchRequestTemplates = fetchRequestTemplates
      model.configurations = configurations
      return Array(model.source().utf8)
    }
  }

  private func content() throws -> StoredModel {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw error("there is no such file.", hint: "Check the path.")
    }
    if isDirectory.boolValue { return try directory() }
    let head = try head(of: url, most: 16)
    if head == Array("SQLite format 3\0".utf8) { return try copyOfStore() }
    // Behind a mark of the byte order and space.
    let text = head.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    return text.first == UInt8(ascii: "<") ? try source(url) : try archive(url)
  }

  private func directory() throws -> StoredModel {
    let versions = SourceVersions(url)
    if versions.isSource { return try source(url.appending(path: "contents")) }
    if let names = versions.names {
      guard let current = versions.current(among: names) else {
        let mistake = versions.mistake(among: names)
        throw error("\(mistake.reason).", hint: mistake.remedy)
      }
      return try source(url.appending(path: current).appending(path: "contents"))
    }
    guard !url.pathExtension.hasPrefix("xcdatamodel") else {
      throw error(
        "it has no contents in XML.", hint: "Save it with Xcode, or give the compiled model.")
    }
    return try archive(try currentVersion())
  }

  /// Where the versions of a directory are, the oldest first, up to the one that counts; names tell the order,
  /// as Xcode gives them.
  /// - Throws: `model.invalid` where the directory has none, or names none.
  package func versions() throws -> [URL] {
    let versions = SourceVersions(url)
    guard ["xcdatamodeld", "momd"].contains(url.pathExtension),
      FileManager.default.fileExists(atPath: path)
    else {
      throw error("it is no directory of versions.", hint: "Give an .xcdatamodeld or .momd.")
    }
    let current: String
    if let names = versions.names {
      guard let name = versions.current(among: names) else {
        let mistake = versions.mistake(among: names)
        throw error("\(mistake.reason).", hint: mistake.remedy)
      }
      current = name
    } else {
      current = try currentVersion().lastPathComponent
    }
    let ending = current.hasSuffix(".mom") ? ".mom" : ".xcdatamodel"
    let all = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let names = SourceVersions.inOrder(all.filter { $0.hasSuffix(ending) })
    guard let place = names.firstIndex(of: current) else {
      throw error("it has no \(current).", hint: "Correct its current version.")
    }
    return names[...place].map { url.appending(path: $0) }
  }

  private func source(_ url: URL) throws -> StoredModel {
    do {
      let bytes = try bytes(url)
      var model = try StoredModel(source: bytes)
      model.original = bytes
      return model
    } catch let failure as XMLFailure {
      throw error(
        "line \(failure.line): \(failure.reason).",
        hint: "Give an .xcdatamodel, .xcdatamodeld, .mom or .momd, or a store.")
    }
  }

  /// The model that a store has a copy of.
  private func copyOfStore() throws -> StoredModel {
    try StoreExamination(url).reading { connection, metadata, _ in
      let kept = try KeptModel(connection)
      if let content = kept.content, kept.differences(from: metadata).isEmpty { return content }
      throw CauldronError(
        .migrationNoSource,
        "Cannot read a model from \"\(path)\": the store has no copy of its model, or one of another"
          + " version.", hint: "Give the compiled model, a .mom file."
      ).with { $0.path = path }
    }
  }

  /// The file of the version that a directory names as the current one.
  private func currentVersion() throws -> URL {
    let info = url.appending(path: "VersionInfo.plist")
    guard var reader = try? PropertyListReader(bytes(info)),
      let member = try? reader.members(of: reader.top)["NSManagedObjectModel_CurrentVersionName"],
      case .text(let name)? = try? reader.object(member), !name.contains("/"), !name.isEmpty
    else {
      throw error(
        "its VersionInfo.plist names no current version.", hint: "Give one of the .mom files in it."
      )
    }
    return url.appending(path: "\(name).mom")
  }

  private func archive(_ url: URL) throws -> StoredModel {
    do {
      return try StoredModel(archive: bytes(url))
    } catch let failure as ArchiveFailure {
      var reason = ""
      if case .archive(let text) = failure { reason = " (\(text))" }
      throw error(
        "it is no compiled model\(reason), and no store.",
        hint: "Give an .xcdatamodel, .xcdatamodeld, .mom or .momd, or a store.")
    }
  }

  private func bytes(_ url: URL) throws -> [UInt8] {
    let bytes = try head(of: url, most: Self.longest + 1)
    guard bytes.count <= Self.longest else {
      throw error(
        "\(url.lastPathComponent) is longer than \(Self.longest >> 20) MB.", hint: "Check the path."
      )
    }
    return bytes
  }

  private func head(of url: URL, most: Int) throws -> [UInt8] {
    // A pipe would be waited for.
    var status = stat()
    if stat(url.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw error("\(url.lastPathComponent) is no file.", hint: "Check the path.")
    }
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      return [UInt8](try file.read(upToCount: most) ?? Data())
    } catch let problem {
      let text = StoreFile.reason(of: problem)
      throw error("\(url.lastPathComponent) cannot be read (\(text)).", hint: "Check the path.")
    }
  }

  private func error(_ what: String, hint: String) -> CauldronError {
    CauldronError(.modelInvalid, "Cannot read a model from \"\(path)\": \(what)", hint: hint)
      .with { $0.path = path }
  }
}
