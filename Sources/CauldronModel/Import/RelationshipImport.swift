/// Where an import finds the objects of a relationship, and what it makes of them.
///
/// The arguments of `@Relationship` write it; a described model and a plan can set it themselves.
public struct RelationshipImport: Sendable, Hashable {
  /// The names, or paths of names with points, that are tried in this order; none for the property's own
  /// name.
  public var from: [String]
  /// The attribute of the destination by which its objects are found; nil for that entity's own key.
  public var match: String?
  /// What becomes of members that a record does not list; `.merge` by default.
  public var members: ImportMembers
  /// What becomes of a key that nothing has; `.stub` by default.
  public var unknown: ImportUnknown
  /// What becomes of the relationship where no name is there; `.keep` by default.
  public var absent: ImportPolicy
  /// What becomes of it where there is null; `.setNil` by default.
  public var null: ImportPolicy
  /// The entity of new objects, where that of the destination is abstract.
  public var subentity: String?
  /// Makes the value from the whole record: a key, a nested record, or an array of these.
  public var transform: ImportTransform?
  /// Whether imports leave the relationship alone.
  public var isExcluded: Bool

  /// Describes where the objects are found.
  public init(
    from: [String] = [], match: String? = nil, members: ImportMembers = .merge,
    unknown: ImportUnknown = .stub, absent: ImportPolicy = .keep, null: ImportPolicy = .setNil,
    subentity: String? = nil, transform: ImportTransform? = nil, isExcluded: Bool = false
  ) {
    self.from = from
    self.match = match
    self.members = members
    self.unknown = unknown
    self.absent = absent
    self.null = null
    self.subentity = subentity
    self.transform = transform
    self.isExcluded = isExcluded
  }
}
