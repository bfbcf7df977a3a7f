public import CauldronLedger
public import CauldronModel

/// How an import is run.
///
/// ```swift
/// try await Stack.default.importJSON(contentsOf: url, as: Country.self, options: .init(mode: .lenient))
/// ```
public struct ImportOptions: Sendable {
  /// How names stand for properties that name none.
  public enum Names: Sendable {
    /// As they are written: `firstName`.
    case asWritten
    /// As they are written, or else in lower case with lines: `first_name`.
    case snakeCase
  }

  /// How exactly values must be what their properties keep; `.strict` by default.
  public var mode: ImportMode
  /// How the records stand in the text; `.list()` by default.
  public var records: ImportRecords
  /// What becomes of a property where an empty text stands, or white space alone: of all but plain texts, such
  /// as numbers, dates, enumerations and `Codable` values, and of relationships, whose objects no empty key
  /// finds then. Nil, the default, for a text as any other, which is no number. Texts say it by themselves.
  public var empty: ImportPolicy?
  /// How names stand for properties that name none; `.asWritten` by default.
  public var names: Names
  /// After how many records all that was imported is saved; nil, the default, for once at the end.
  public var commitEvery: Int?
  /// Whether the first record that is refused ends the import, of which nothing is saved then.
  public var stopsAtFirst: Bool
  /// What decides about conflicts with others' saves; by default what was imported wins, property by
  /// property.
  public var mergePolicy: MergePolicy
  /// What is imported otherwise than the model says, by name of the entity.
  public var mappings: [String: ImportMapping]
  /// How many records are left out at the start, such as those that were imported before an import ended.
  public var skipping: Int

  /// Describes how an import is run.
  public init(
    mode: ImportMode = .strict, records: ImportRecords = .list(), empty: ImportPolicy? = nil,
    names: Names = .asWritten, commitEvery: Int? = nil, stopsAtFirst: Bool = false,
    mergePolicy: MergePolicy = .mergeByPropertyObjectTrump,
    mappings: [String: ImportMapping] = [:], skipping: Int = 0
  ) {
    self.mode = mode
    self.records = records
    self.empty = empty
    self.names = names
    self.commitEvery = commitEvery
    self.stopsAtFirst = stopsAtFirst
    self.mergePolicy = mergePolicy
    self.mappings = mappings
    self.skipping = skipping
  }
}

/// How one entity is imported, where that is otherwise than its model says.
///
/// What is said of a property is added to what the model says of it: what is left out stays as it is. Names
/// take the place of the model's, and of its transform. To name a property is to import it, unless its mapping
/// excludes it. What is said of an entity counts for its subentities, which may say more.
public struct ImportMapping: Sendable {
  /// The attribute by which objects are found; nil for what the model says.
  public var key: String?
  /// Whether every record is a new object, whatever the model says of a key.
  public var alwaysInserts: Bool
  /// What in a record says of which subentity it is; nil where each is of the entity itself. It counts for this
  /// entity alone, in records and where a relationship leads to it.
  public var entities: ImportEntities?
  /// The attributes that are imported otherwise, by name.
  public var attributes: [String: AttributeImport]
  /// The relationships that are imported otherwise, by name.
  public var relationships: [String: RelationshipImport]

  /// Describes how an entity is imported.
  public init(
    key: String? = nil, alwaysInserts: Bool = false, entities: ImportEntities? = nil,
    attributes: [String: AttributeImport] = [:], relationships: [String: RelationshipImport] = [:]
  ) {
    self.key = key
    self.alwaysInserts = alwaysInserts
    self.entities = entities
    self.attributes = attributes
    self.relationships = relationships
  }
}

/// What in a record says of which entity it is.
///
/// ```swift
/// // {"kind": "car", "plate": "S-XY 1"}
/// let mapping = ImportMapping(entities: ImportEntities(by: "kind", ["car": "Car", "truck": "Truck"]))
/// ```
/// A record in which nothing says it is of the entity itself, or refused where that is abstract; one that says
/// something else is refused.
public struct ImportEntities: Sendable, Hashable {
  /// The names, or paths of names, that are tried in this order.
  public var from: [String]
  /// The names of the entities, by what the records say; where there are none, the records say the names.
  public var entities: [String: String]

  /// Describes what says of which entity a record is.
  public init(by from: String, _ entities: [String: String] = [:]) {
    self.from = [from]
    self.entities = entities
  }
}
