import Cauldron
import Foundation

/// A stack in memory whose model is described, and what imports make of it.
struct Desk {
  let stack: Stack

  init(_ entities: EntityDescription...) throws {
    stack = try Stack(storeURL: nil, model: ManagedObjectModel(entities: entities))
  }

  /// Imports as MagicalRecord took values.
  @discardableResult
  func load(
    _ json: String, as name: String, mode: ImportMode = .lenient,
    mappings: [String: ImportMapping] = [:]
  ) async throws -> ImportReport {
    try await stack.importJSON(
      Data(json.utf8), asEntityNamed: name,
      options: ImportOptions(mode: mode, mappings: mappings))
  }

  /// Adds objects whatever keys they have, or have not.
  func add(_ json: String, as name: String) async throws {
    try await load(json, as: name, mappings: [name: ImportMapping(alwaysInserts: true)])
  }

  /// The values of all objects of an entity, a line for each; lines and members are in the order of their
  /// texts, and `-` stands for nil.
  func rows(_ entity: String, _ paths: String...) async throws -> [String] {
    try await stack.save { context in
      try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).map { object in
        paths.map { Self.text(object, $0.split(separator: ".")[...]) }.joined(separator: " ")
      }.sorted()
    }
  }

  private static func text(_ value: Any?, _ path: ArraySlice<Substring>) -> String {
    switch value {
    case nil: return "-"
    case let object as ManagedObject:
      guard let name = path.first else { return object.entity.name }
      return text(object.value(forKey: String(name)), path.dropFirst())
    case let members as [ManagedObject]:
      return "[" + members.map { text($0, path) }.sorted().joined(separator: " ") + "]"
    case let date as Date: return "\(date.timeIntervalSince1970)"
    case let data as Data: return data.base64EncodedString()
    case let value?: return "\(value)"
    }
  }
}

extension ImportReport {
  /// What is wrong, with its places.
  var complaints: [String] { problems.map(\.description) }
}

/// The sentence of the error that a body throws; nil where it throws none.
func sentence(_ body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch { return "\(error)" }
}
