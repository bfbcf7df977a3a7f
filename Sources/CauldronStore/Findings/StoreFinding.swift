import CauldronModel

/// A peculiarity of a store, in one sentence: most often something that is wrong.
///
/// ```swift
/// for finding in try await Stack.default.verify() where finding.standing == .wrong {
///   print(finding)
/// }
/// ```
public struct StoreFinding: Sendable, Hashable, Codable {
  /// What was found.
  public let kind: Kind
  /// Whether the store is wrong, or nothing has to be done.
  public package(set) var standing: Standing
  /// The sentence that says what is wrong with which thing; it shows no values.
  public let message: String
  /// The entity concerned.
  public let entity: String?
  /// The property concerned.
  public let property: String?
  /// How many rows are concerned; 0 where it is not about rows.
  public let count: Int
  /// The keys of the first ten rows.
  public let keys: [Int64]

  package init(
    _ kind: Kind, _ message: String, entity: String? = nil, property: String? = nil,
    count: Int = 0, keys: [Int64] = [], standing: Standing = .wrong
  ) {
    self.kind = kind
    self.standing = standing
    // Names may come from a damaged file.
    self.message = message.inOneLine
    self.entity = entity
    self.property = property
    self.count = count
    self.keys = keys
  }
}

extension StoreFinding {
  /// What a finding means for a store.
  public enum Standing: String, Sendable, Hashable, Codable {
    /// Something is damaged, lost, or contradicts itself.
    case wrong
    /// This library does not know it: the rest of the store can be used, and nothing is known to be wrong.
    case unsupported
    /// Core Data does not prevent it, as its own healthy stores show; found only in stores that it wrote.
    case leftByCoreData
  }

  /// The same finding in a store that Core Data wrote.
  package var inStoreOfCoreData: StoreFinding {
    guard standing == .wrong, kind.isLeftByCoreData else { return self }
    var copy = self
    copy.standing = .leftByCoreData
    return copy
  }
}

extension StoreFinding: CustomStringConvertible {
  /// The sentence.
  public var description: String { message }
}

extension StoreFinding {
  /// The stable names of everything that can be wrong with a store.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// SQLite finds the file itself damaged.
    case fileDamaged = "file.damaged"
    /// The texts of the file are in another encoding than UTF-8.
    case fileEncoding = "file.encoding"
    /// The store's identifier is no text.
    case metadataIdentifier = "metadata.identifier"
    /// The metadata contradict themselves.
    case metadataDigest = "metadata.digest"
    /// The store's copy of its model cannot be read.
    case modelUnreadable = "model.unreadable"
    /// The hash of an entity is not that of the store's copy of the model.
    case modelHash = "model.hash"
    /// An entity has a property, or a table a form, that this library does not know.
    case modelUnsupported = "model.unsupported"
    /// An entity has another number, or another parent, than its model gives it.
    case entityNumber = "entity.number"
    /// The counter of an entity's keys is behind the keys that are there, or leaves none.
    case keyCounter = "key.counter"
    /// A table of the model is not there.
    case tableMissing = "table.missing"
    /// A table is declared so that it cannot be used as one of objects.
    case tableForm = "table.form"
    /// A column of the model is not there.
    case columnMissing = "column.missing"
    /// A column is declared with a type that changes values.
    case columnType = "column.type"
    /// The texts of a column are compared otherwise than byte by byte.
    case columnCollation = "column.collation"
    /// An index of the model is not there.
    case indexMissing = "index.missing"
    /// A trigger that keeps a derived attribute is not there, or is another one.
    case triggerMissing = "trigger.missing"
    /// A row has the number of no entity that its table is for.
    case rowEntity = "row.entity"
    /// The key of a row is out of range, or another row has the same one.
    case rowKey = "row.key"
    /// A row has no version, or one that cannot be counted on from.
    case rowVersion = "row.version"
    /// A required property is nil.
    case valueMissing = "value.missing"
    /// A derived value is not what it is derived from.
    case valueDerived = "value.derived"
    /// A value is none of its attribute's type.
    case valueType = "value.type"
    /// A value is there twice that must be unique.
    case valueDuplicate = "value.duplicate"
    /// A value cannot be decoded as what the class says.
    case valueUndecodable = "value.undecodable"
    /// A value is no case of its enumeration any more.
    case valueUnknownCase = "value.unknownCase"
    /// A reference leads to no object.
    case linkDangling = "link.dangling"
    /// A reference leads to an object of an entity that it may not lead to, or says so.
    case linkEntity = "link.entity"
    /// Of two references that lead to one another only one does.
    case linkOneSided = "link.oneSided"
    /// Two objects are linked twice, or a link has one end only.
    case linkDoubled = "link.doubled"
    /// An object of an ordered relationship has no place in it.
    case orderMissing = "order.missing"
    /// An object of an ordered relationship has a place before the first one.
    case orderNegative = "order.negative"
    /// There are more findings than are told.
    case findingsMore = "findings.more"
  }
}

extension StoreFinding.Kind {
  /// Whether Core Data leaves such a state in stores that work.
  ///
  /// It writes both ends of a reference only where both objects are changed, asks for required values when it
  /// saves and not when a model changes, and computes derived values when an object is saved.
  fileprivate var isLeftByCoreData: Bool {
    switch self {
    case .valueMissing, .valueDerived, .linkDangling, .linkOneSided, .orderMissing: true
    default: false
    }
  }
}
