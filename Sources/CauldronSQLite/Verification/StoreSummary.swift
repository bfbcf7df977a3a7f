import CauldronModel
import CauldronModelFile
import CauldronStore

/// What a store holds, for people and, as JSON, for programs.
package struct StoreSummary: Sendable, Codable {
  /// Where the copy of the model stands.
  package enum ModelCopy: String, Sendable, Codable {
    case none
    case unreadable
    /// It is there, and its hashes are not those of the metadata.
    case different
    /// It is there, and has what cannot be described here, such as derived attributes.
    case partly
    case complete
  }

  /// An entity, as the copy of the model has it; without one only its name, number and rows.
  package struct Entity: Sendable, Codable {
    package var name: String
    package var number: Int
    package var parent: String?
    package var isAbstract = false
    package var table: String?
    /// The rows of the entity itself, without those of subentities.
    package var rows = 0
    package var attributes: [Property] = []
    package var relationships: [Property] = []
    package var uniqueKeys: [[String]] = []
    package var indexes: [[String]] = []
  }

  /// An attribute or a relationship.
  package struct Property: Sendable, Codable {
    package var name: String
    /// `String`, `Company`, `[Tag]`.
    package var type: String
    package var isOptional: Bool
    package var inverse: String?
    package var isOrdered: Bool?
  }

  /// The links of a many-to-many relationship.
  package struct Links: Sendable, Codable {
    package var relationship: String
    package var table: String
    package var rows: Int
  }

  package let path: String
  package let bytes: Int
  /// The bytes of the write-ahead log, if there is one.
  package let logBytes: Int
  package let pageSize: Int
  package let pages: Int
  package let freePages: Int
  package let identifier: String
  package let versionIdentifiers: [String]
  /// The checksum of the model, as Xcode shows it.
  package let checksum: String
  /// The version of the framework that wrote the metadata.
  package let frameworkVersion: Int?
  package let modelCopy: ModelCopy
  /// The custom steps that migrations have recorded.
  package let steps: [String]
  /// What else the metadata hold, by their keys.
  package let otherMetadata: [String]
  package let hasHistory: Bool
  package let isMirrored: Bool
  package let entities: [Entity]
  package let links: [Links]
}

/// Gathers what a store holds.
struct SummaryReader {
  let connection: Connection
  let metadata: StoreMetadata
  let file: StoreFile
  let follower: StoreInspector.Follower?

  /// The keys of the metadata that every store has.
  private static let known: Set<String> = [
    "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion",
    "NSStoreModelVersionChecksumKey", "NSStoreModelVersionHashes",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionHashesVersion",
    "NSStoreModelVersionIdentifiers", "NSStoreType", "_NSAutoVacuumLevel", Self.steps,
  ]
  /// The key under which migrations record their steps.
  private static let steps = "CauldronMigrationSteps"

  func summary() throws -> StoreSummary {
    let kept = try KeptModel(connection)
    var list = try MetadataList(connection)
    return StoreSummary(
      path: file.path, bytes: file.size ?? 0, logBytes: file.logSize,
      pageSize: try number("PRAGMA page_size"), pages: try number("PRAGMA page_count"),
      freePages: try number("PRAGMA freelist_count"), identifier: metadata.identifier,
      versionIdentifiers: metadata.versionIdentifiers, checksum: metadata.checksum,
      frameworkVersion: list.integer("NSPersistenceFrameworkVersion"), modelCopy: copy(kept),
      steps: list.texts(Self.steps), otherMetadata: list.keys.filter { !Self.known.contains($0) },
      hasHistory: follower != nil, isMirrored: follower?.isCloud ?? false,
      entities: try entities(kept), links: try links(kept))
  }

  private func number(_ sql: String) throws -> Int { Int(try connection.integer(sql) ?? 0) }

  private func copy(_ kept: KeptModel) -> StoreSummary.ModelCopy {
    guard kept.isThere else { return .none }
    guard let content = kept.content else { return .unreadable }
    if !kept.differences(from: metadata).isEmpty { return .different }
    return content.open.isEmpty && kept.model != nil ? .complete : .partly
  }

  private func entities(_ kept: KeptModel) throws -> [StoreSummary.Entity] {
    let lines = try EntityNumbers(connection).lines.filter { $0.number < 16001 }
    let names = Dictionary(lines.map { ($0.number, $0.name) }) { first, _ in first }
    let described = Dictionary((kept.content?.entities ?? []).map { ($0.name, $0) }) { first, _ in
      first
    }
    let tables = try RootTables(connection, lines)
    return try lines.map { line in
      var entity = StoreSummary.Entity(name: line.name, number: Int(line.number))
      entity.parent = names[line.parent]
      entity.table = tables.table(of: line)
      if let table = entity.table {
        entity.rows = try number(
          "SELECT count(*) FROM \(SQLIdentifier.quoted(table)) WHERE Z_ENT = \(line.number)")
      }
      if let description = described[line.name] { entity.describe(description) }
      return entity
    }
  }

  private func links(_ kept: KeptModel) throws -> [StoreSummary.Links] {
    guard let model = kept.model, let planned = try? StoreSchema(model: model) else { return [] }
    let found = try FoundSchema(connection, planned)
    return try found.present.filter(\.isJoin).map { table in
      let join = JoinVerification(connection: connection, found: found, table: table)
      return StoreSummary.Links(
        relationship: join.title, table: table.name,
        rows: try number("SELECT count(*) FROM \(table.sqlName)"))
    }
  }
}

/// The tables of entities: those of the entities at the top of their hierarchies.
private struct RootTables {
  /// The numbers of the parents, and the names, by numbers.
  private let parents: [Int64: Int64]
  private let names: [Int64: String]
  /// The tables of the file by their names in small letters, which are one to SQLite.
  private var tables: [String: String] = [:]

  init(_ connection: Connection, _ lines: [EntityNumbers.Line]) throws {
    parents = Dictionary(lines.map { ($0.number, $0.parent) }) { first, _ in first }
    names = Dictionary(lines.map { ($0.number, $0.name) }) { first, _ in first }
    let statement = try Statement(
      connection.handle, "SELECT name FROM sqlite_master WHERE type = 'table'")
    while try statement.step() {
      let name = statement.text(0)
      tables[name.withOrderedMarks.lowercased()] = name
    }
  }

  /// Nil where there is none, and where the parents go round in a circle or are too many.
  func table(of line: EntityNumbers.Line) -> String? {
    var (number, name) = (line.number, line.name)
    for _ in 0...ModelCheck.mostSuperentities {
      guard let parent = parents[number], parent != 0, let next = names[parent] else {
        return tables[SQLIdentifier.name(name).withOrderedMarks.lowercased()]
      }
      (number, name) = (parent, next)
    }
    return nil
  }
}

extension StoreSummary.Entity {
  fileprivate mutating func describe(_ description: EntityDescription) {
    isAbstract = description.isAbstract
    uniqueKeys = description.uniquenessConstraints
    indexes = description.indexes.map(\.properties)
    for property in description.allProperties {
      switch property {
      case .attribute(let attribute) where !attribute.hasColumn: break
      case .relationship(let relationship) where relationship.isTransient: break
      case .attribute(let attribute):
        attributes.append(
          StoreSummary.Property(
            name: attribute.name, type: attribute.type.swiftName, isOptional: attribute.isOptional))
      case .relationship(let relationship):
        let end = relationship.destination
        relationships.append(
          StoreSummary.Property(
            name: relationship.name, type: relationship.isToMany ? "[\(end)]" : end,
            isOptional: relationship.isOptional, inverse: relationship.inverse,
            isOrdered: relationship.isToMany ? relationship.isOrdered : nil))
      }
    }
  }
}
