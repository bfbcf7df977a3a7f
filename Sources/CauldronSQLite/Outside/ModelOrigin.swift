package import CauldronModel
import CauldronModelFile
package import Foundation

/// Where a model is taken from that no program has: a compiled model of Core Data, or a store.
package struct ModelOrigin {
  private let url: URL
  private var path: String { StoreFile(url).path }

  /// The longest file that is read.
  private static let longest = 1 << 24

  /// - Parameter url: A `.mom` file, a `.momd` directory, whose current version counts, or a store.
  package init(_ url: URL) { self.url = url }

  /// - Throws: `model.invalid` where it is no model, `migration.noSource` where a store has no copy, and
  ///   `migration.cannotInfer` where the model has what is not understood.
  package func model() throws -> ManagedObjectModel {
    let stored = try content()
    guard stored.open.isEmpty else {
      throw CauldronError(
        .migrationCannotInfer,
        "Cannot migrate to \"\(path)\": what is not understood, such as derived or composite attributes, is"
          + " in \(stored.open.sorted().joined(separator: ", ")).",
        hint: "Migrate with the program that has this model.")
    }
    return try stored.model(name: url.deletingPathExtension().lastPathComponent)
  }

  private func content() throws -> StoredModel {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw error("there is no such file.", hint: "Check the path.")
    }
    if isDirectory.boolValue { return try archive(try currentVersion()) }
    if try head(of: url, most: 16) == Array("SQLite format 3\0".utf8) { return try copyOfStore() }
    return try archive(url)
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
    } catch let failure as StoredModelFailure {
      var reason = ""
      if case .archive(let text) = failure { reason = " (\(text))" }
      throw error(
        "it is no compiled model\(reason), and no store.",
        hint: "Give a .mom file, a .momd directory, or a store.")
    }
  }

  private func bytes(_ url: URL) throws -> [UInt8] { try head(of: url, most: Self.longest) }

  private func head(of url: URL, most: Int) throws -> [UInt8] {
    do {
      let file = try FileHandle(forReadingFrom: url)
      defer { try? file.close() }
      return [UInt8](try file.read(upToCount: most) ?? Data())
    } catch let problem {
      let reason = (problem as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let text = reason.map { StoreFile.text(Int32(clamping: $0.code)) } ?? "no reason given"
      throw error("\(url.lastPathComponent) cannot be read (\(text)).", hint: "Check the path.")
    }
  }

  private func error(_ what: String, hint: String) -> CauldronError {
    CauldronError(.modelInvalid, "Cannot read a model from \"\(path)\": \(what)", hint: hint)
      .with { $0.path = path }
  }
}
