import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Clubs and players, any number with any number, under a delete rule of the test's choice.
struct Guild: Sendable, CustomTestStringConvertible {
  /// What becomes of the players of a club that is deleted.
  let rule: RelationshipDescription.DeleteRule
  /// What becomes of the clubs of a player that is deleted.
  var back = RelationshipDescription.DeleteRule.nullify
  /// Whether a club keeps its players in an order.
  var isOrdered = false

  var testDescription: String { "\(rule)\(isOrdered ? ", ordered" : "")" }

  /// Each rule, without an order and with one.
  static func all(_ rules: RelationshipDescription.DeleteRule...) -> [Guild] {
    rules.flatMap { [Guild(rule: $0), Guild(rule: $0, isOrdered: true)] }
  }

  func model() throws -> ManagedObjectModel {
    let name = PropertyDescription.attribute(AttributeDescription(name: "name", type: .string))
    let players = RelationshipDescription(
      name: "players", destination: "Player", inverse: "clubs", isToMany: true, deleteRule: rule,
      isOrdered: isOrdered)
    let clubs = RelationshipDescription(
      name: "clubs", destination: "Club", inverse: "players", isToMany: true, deleteRule: back)
    return try ManagedObjectModel(entities: [
      EntityDescription(name: "Club", properties: [name, .relationship(players)]),
      EntityDescription(name: "Player", properties: [name, .relationship(clubs)]),
      EntityDescription(name: "Goalkeeper", superentity: "Player", properties: []),
    ])
  }

  /// Makes clubs "x", with the players a and b, and "y", with b and the goalkeeper c.
  static func found(in context: ManagedObjectContext) throws {
    let (a, b) = try (context.new("Player", "a"), context.new("Player", "b"))
    let c = try context.new("Goalkeeper", "c")
    try context.new("Club", "x").setValue([a, b], forKey: "players")
    try context.new("Club", "y").setValue([b, c], forKey: "players")
  }
}

extension ManagedObjectContext {
  /// The object of an entity with a name.
  func one(_ entity: String, _ name: String) throws -> ManagedObject? {
    try all(entity).first { $0.value(forKey: "name") as? String == name }
  }

  /// The names of the players of a club, in the order of the club; nil where there is none.
  func players(_ club: String) throws -> [String]? {
    try one("Club", club)?.names("players")
  }
}

extension ManagedObject {
  /// The objects that a to-many relationship leads to.
  func many(_ key: String) -> [ManagedObject] { value(forKey: key) as? [ManagedObject] ?? [] }

  /// Their names.
  func names(_ key: String) -> [String] {
    many(key).map { $0.value(forKey: "name") as? String ?? "" }
  }

  func add(_ object: ManagedObject, to key: String) throws {
    try setValue(many(key) + [object], forKey: key)
  }
}

extension Bench {
  /// How many rows the join table of a guild has; nil in memory.
  var links: Int64? {
    guard let url = stack.coordinator.storeURL else { return nil }
    return OtherConnection(url).integers("SELECT count(*) FROM Z_1PLAYERS").first
  }
}
