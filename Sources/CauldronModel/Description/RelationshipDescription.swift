/// Describes one relationship of an entity: its destination, its inverse and its delete rule.
///
/// ```swift
/// RelationshipDescription(name: "employer", destination: "Company", inverse: "employees", isToMany: false)
/// ```
public struct RelationshipDescription: Sendable, Hashable {
  /// What happens to the destinations when the source is deleted.
  public enum DeleteRule: Int, Sendable {
    /// The destinations' inverse is set to nil.
    case nullify = 1
  }

  /// The property's name.
  public var name: String
  /// The name of the entity at the other end.
  public var destination: String
  /// The name of the relationship that leads back; nil until the model completes it from the other
  /// side's declaration.
  public var inverse: String?
  /// Whether the relationship leads to any number of objects.
  public var isToMany: Bool
  /// Whether none is allowed at save.
  public var isOptional: Bool
  /// What happens to the destinations when the source is deleted.
  public var deleteRule: DeleteRule
  /// Forces another version hash where the definition alone does not change.
  public var versionHashModifier: String?

  /// The smallest number of destinations, as in Core Data's model editor.
  public var minCount: Int { 0 }
  /// The largest number of destinations: 1 for a to-one relationship, 0 for any number.
  public var maxCount: Int { isToMany ? 0 : 1 }

  /// Describes a relationship; it is optional and nullifies, as in Core Data's model editor.
  public init(
    name: String, destination: String, inverse: String? = nil, isToMany: Bool,
    isOptional: Bool = true, deleteRule: DeleteRule = .nullify, versionHashModifier: String? = nil
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.isToMany = isToMany
    self.isOptional = isOptional
    self.deleteRule = deleteRule
    self.versionHashModifier = versionHashModifier
  }
}
