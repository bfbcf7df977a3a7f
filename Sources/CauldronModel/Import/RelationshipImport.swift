/// Where an import finds the objects of a relationship, and what it makes of them.
///
/// The arguments of `@Relationship` write it; a described model and a plan can set it themselves.
public struct RelationshipImport: Sendable, Hashable {
  /// The names, or paths of names with points, that are tried in this order; none for the property's own
  /// name.
  public var from: [String]
  /// The attribute of the destination by which its objects are found; nil for that entity's own key.
  public var match: String?
  private var saidMembers: ImportMembers?
  private var saidUnknown: ImportUnknown?
  private var saidAbsent: ImportPolicy?
  private var saidNull: ImportPolicy?
  /// The effect of an empty text, or of white space alone; nil to follow the options of the import,
  /// by default as a key.
  public var empty: ImportPolicy?
  /// The entity of new objects, where that of the destination is abstract.
  public var subentity: String?
  /// Makes the value from the whole record: a key, a nested record, or an array of these.
  public var transform: ImportTransform?
  /// Whether imports leave the relationship alone.
  public var isExcluded: Bool

  /// Describes where the objects are found.
  public init(
    from: [String] = [], match: String? = nil, members: ImportMembers? = nil,
    unknown: ImportUnknown? = nil, absent: ImportPolicy? = nil, null: ImportPolicy? = nil,
    empty: ImportPolicy? = nil, subentity: String? = nil, transform: ImportTransform? = nil,
    isExcluded: Bool = false
  ) {
    self.from = from
    self.match = match
    saidMembers = members
    saidUnknown = unknown
    saidAbsent = absent
    saidNull = null
    self.empty = empty
    self.subentity = subentity
    self.transform = transform
    self.isExcluded = isExcluded
  }
}

extension RelationshipImport {
  /// What becomes of members that a record does not list; `.merge` by default.
  public var members: ImportMembers {
    get { saidMembers ?? .merge }
    set { saidMembers = newValue }
  }

  /// What becomes of a key that nothing has; `.stub` by default.
  public var unknown: ImportUnknown {
    get { saidUnknown ?? .stub }
    set { saidUnknown = newValue }
  }

  /// What becomes of the relationship where no name is there; `.keep` by default.
  public var absent: ImportPolicy {
    get { saidAbsent ?? .keep }
    set { saidAbsent = newValue }
  }

  /// What becomes of it where there is null; `.setNil` by default.
  public var null: ImportPolicy {
    get { saidNull ?? .setNil }
    set { saidNull = newValue }
  }

  /// The same, and what another says of all that this one says nothing of.
  ///
  /// Names come before the other's transform: they say where the objects are now. Whether the relationship is
  /// imported is said by naming it.
  package func over(_ other: RelationshipImport) -> RelationshipImport {
    var merged = self
    if from.isEmpty {
      merged.from = other.from
      merged.transform = transform ?? other.transform
    }
    merged.match = match ?? other.match
    merged.saidMembers = saidMembers ?? other.saidMembers
    merged.saidUnknown = saidUnknown ?? other.saidUnknown
    merged.saidAbsent = saidAbsent ?? other.saidAbsent
    merged.saidNull = saidNull ?? other.saidNull
    merged.empty = empty ?? other.empty
    merged.subentity = subentity ?? other.subentity
    return merged
  }
}

/// What becomes of a property that a record says nothing of, null, or an empty text.
public enum ImportPolicy: Sendable, Hashable {
  /// It stays as it is.
  case keep
  /// It is set to nil; a to-many relationship is emptied.
  case setNil
  /// It is set to its default.
  case setDefault
}

/// What becomes of the members of a to-many relationship that a record does not list.
public enum ImportMembers: Sendable, Hashable {
  /// They stay.
  case merge
  /// They are taken out of the relationship.
  case replace
  /// They are taken out, and deleted at the end of the import where no record has linked them. Of a to-one
  /// relationship it is the object that another one replaces.
  case replaceAndDelete
  /// They stay, and those that are listed are linked only: nothing of them is created or changed.
  case linkOnly
}

/// What becomes of a key that leads to an object which neither the store nor the import has.
public enum ImportUnknown: Sendable, Hashable {
  /// An object with the key and nothing else is created.
  case stub
  /// It is left out, and reported.
  case skip
  /// The record is refused.
  case refuse
}
