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

  package var path: String
  package var bytes: Int
  /// The bytes of the write-ahead log, if there is one.
  package var logBytes: Int
  package var pageSize: Int
  package var pages: Int
  package var freePages: Int
  package var identifier: String
  package var versionIdentifiers: [String]
  /// The checksum of the model, as Xcode shows it.
  package var checksum: String
  /// The version of the framework that wrote the metadata.
  package var frameworkVersion: Int?
  package var modelCopy: ModelCopy
  /// The custom steps that migrations have recorded.
  package var steps: [String]
  /// What else the metadata hold, by their keys.
  package var otherMetadata: [String]
  package var hasHistory: Bool
  package var isMirrored: Bool
  package var entities: [Entity]
  package var links: [Links]
}
