import Cauldron
import Foundation
import TestSupport

@Entity final class Land: ManagedObject {
  @Attribute(.unique, from: "alpha_2") var code: String
  @Attribute(.length(1...20), from: "name", "common_name") var name: String
  @Attribute(from: "statistics.area", absent: .setDefault) var area: Double = 1
  var population: Int?
  @Attribute(dateFormat: .iso8601) var updated: Date?
  @Relationship(from: "subdivisions", match: \Province.code, members: .replace)
  var parts: ToMany<Province>
  @Relationship(from: "speaks") var languages: OrderedToMany<Tongue>
  @Relationship(from: "capital") var capital: Town?
}

@Entity final class Province: ManagedObject {
  @Attribute(.unique) var code: String
  var name: String?
  @Relationship(inverse: \Land.parts) var land: Land?
  @Relationship(inverse: "children") var parent: Province?
  @Relationship(inverse: "parent", imported: false) var children: ToMany<Province>
}

@Entity final class Tongue: ManagedObject {
  @Attribute(.unique) var code: String
  var name: String = "?"
  @Relationship(inverse: "languages", imported: false) var lands: ToMany<Land>
}

@Entity final class Town: ManagedObject {
  @Attribute(.unique) var name: String
  var mayor: String
  @Relationship(inverse: "capital", imported: false) var land: Land?
}

@Entity final class Note: ManagedObject {
  var text: String?
  var kind: String?
}

/// A stack with lands, in memory or in a file.
struct Atlas {
  let stack: Stack
  let directory: TemporaryDirectory?

  init(inFile: Bool = false) throws {
    directory = inFile ? try TemporaryDirectory() : nil
    stack = try Stack(
      storeURL: directory?.file("atlas.sqlite"),
      model: ManagedObjectModel(
        Land.self, Province.self, Tongue.self, Town.self, Note.self, Watched.self))
  }

  @discardableResult
  func load<Entity: ManagedEntity>(
    _ json: String, as type: Entity.Type = Land.self, root: String? = nil,
    _ options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport {
    try await stack.importJSON(Data(json.utf8), as: type, root: root, options: options)
  }

  /// What a block makes of the objects in the store.
  func read<Value: Sendable>(
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    try await stack.save { try block($0) }
  }

  func land(_ code: String) async throws -> String? {
    try await read { context in
      try Land.findFirst(\.code, code, in: context).map { land in
        let parts = land.parts.map(\.code).sorted().joined(separator: " ")
        let languages = land.languages.map(\.code).joined(separator: " ")
        return "\(land.name) \(land.area) [\(parts)] (\(languages)) \(land.capital?.name ?? "-")"
      }
    }
  }

  func count<Entity: ManagedEntity>(_ type: Entity.Type) async throws -> Int {
    try await read { try Entity.count(in: $0) }
  }
}
