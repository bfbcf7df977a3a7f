/// Describes one relationship of an entity: its destination, its inverse and its delete rule.
///
/// ```swift
/// RelationshipDescription(name: "employer", destination: "Company", inverse: "employees", isToMany: false)
/// ```
public struct RelationshipDescription: Sendable, Hashable {
  /// What happens to the destinations when the source is deleted; the raw values are Core Data's.
  ///
  /// The rule is no part of an entity's version hash, so it may be changed at any time.
  public enum DeleteRule: Int, Sendable, CaseIterable {
    /// Nothing: the destinations' references stay, and lead to an object that is inaccessible.
    case noAction = 0
    /// The destinations' inverse is set to nil.
    case nullify = 1
    /// The destinations are deleted, too.
    case cascade = 2
    /// The deletion cannot be saved as long as there is a destination that is not deleted with it.
    case deny = 3
  }

  /// Whether a save asks for a destination.
  public enum Presence: Sendable {
    /// There may be none.
    case optional
    /// There must be one; of a to-many relationship at least one.
    case required

  }

  /// The property's name.
  public var name: String
  /// The name of the entity at the other end.
  public var destination: String
  /// The name of the relationship that leads back; nil until the model completes it from the other
  /// side's declaration.
  public var inverse: String?
  /// Whether no relationship leads back; false by default, where one of the two sides names the inverse.
  ///
  /// What a one-way relationship to one object leads to may be deleted, and the reference stays, as in Core
  /// Data; it leads to nothing then. An object is in the one-way relationship to many of one object at
  /// most.
  public var isOneWay = false
  /// Whether the relationship is kept in memory only, where it is what the program sets it to; it has no inverse
  /// and no column, and is no part of the version hash. False by default.
  public var isTransient = false
  /// Whether the relationship leads to any number of objects.
  public var isToMany: Bool
  /// Whether none is allowed at save.
  public var isOptional: Bool
  /// What happens to the destinations when the source is deleted.
  public var deleteRule: DeleteRule
  /// Whether a to-many keeps its objects in an order of their own; to one object it means nothing, but for the
  /// version hash.
  public var isOrdered: Bool
  /// Whether a to-many relationship may lead to nothing although it is not optional, as in Core Data where there is
  /// no least number: so are all that come from model files and stores. A class says `.required` for at least one.
  package var mayBeEmpty = false
  /// Forces another version hash where the definition alone does not change.
  public var versionHashModifier: String?
  /// The names that the relationship had before, the oldest last: the store finds it by them when the model
  /// has changed. The oldest is Core Data's renaming identifier; no part of the version hash.
  public var originalNames: [String] = []
  /// Where imports find the objects; no part of the version hash.
  public var importing = RelationshipImport()
  /// What a model editor has noted of the relationship: imports read MagicalRecord's keys in it. No part of
  /// the version hash.
  public var userInfo: [String: String] = [:]

  /// The smallest number of destinations, 0 by default; where the relationship is optional, none is
  /// allowed all the same.
  ///
  /// A save counts a to-many relationship of each new object, and where destinations came or went. The
  /// count is part of the version hash, as in Core Data, so that it must be that of the model which
  /// wrote a store.
  public var minCount: Int
  /// The largest number of destinations: 1 for a to-one relationship; for a to-many 0, the default,
  /// or -1 for any number. A save counts them. Part of the version hash.
  public var maxCount: Int

  /// Describes a relationship; it is optional and nullifies, as in Core Data's model editor.
  /// - Parameter maxCount: Nil for 1 or, for a to-many, any number.
  public init(
    name: String, destination: String, inverse: String? = nil, isToMany: Bool,
    isOptional: Bool = true, deleteRule: DeleteRule = .nullify, minCount: Int = 0,
    maxCount: Int? = nil, isOrdered: Bool = false, versionHashModifier: String? = nil
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOptional = isOptional
    self.deleteRule = deleteRule
    self.minCount = minCount
    self.maxCount = maxCount ?? (isToMany ? 0 : 1)
    self.isOrdered = isOrdered
    self.versionHashModifier = versionHashModifier
  }
}
