import Cauldron
import CauldronModel
import CauldronQuery
import TestSupport

/// Houses with rooms, under a delete rule of the test's choice; a castle is a house.
struct Estate: Sendable {
  let rule: RelationshipDescription.DeleteRule
  var isRequired = false
  /// Whether a house keeps its rooms in an order.
  var isOrdered = false

  func model() throws -> ManagedObjectModel {
    let name = PropertyDescription.attribute(AttributeDescription(name: "name", type: .string))
    let rooms = RelationshipDescription(
      name: "rooms", destination: "Room", inverse: "house", isToMany: true, deleteRule: rule,
      isOrdered: isOrdered)
    let house = RelationshipDescription(
      name: "house", destination: "House", inverse: "rooms", isToMany: false,
      isOptional: !isRequired)
    return try ManagedObjectModel(entities: [
      EntityDescription(name: "House", properties: [name, .relationship(rooms)]),
      EntityDescription(name: "Castle", superentity: "House", properties: []),
      EntityDescription(name: "Room", properties: [name, .relationship(house)]),
    ])
  }
}

extension ManagedObjectContext {
  /// A new object of an entity, with a name.
  func new(_ entity: String, _ name: String, in house: ManagedObject? = nil) throws -> ManagedObject
  {
    let object = try insertNewObject(forEntityName: entity)
    try object.setValue(name, forKey: "name")
    if let house { try object.setValue(house, forKey: "house") }
    return object
  }

  /// The objects of an entity, by name.
  func all(_ entity: String) throws -> [ManagedObject] {
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.sortKeys = [SortKey("name")]
    return try fetch(request)
  }

  /// The names of the objects of an entity, in alphabetical order.
  func names(_ entity: String) throws -> [String] {
    try all(entity).map { $0.value(forKey: "name") as? String ?? "" }
  }
}

extension ManagedObject {
  /// The object that a to-one relationship leads to.
  func one(_ key: String) -> ManagedObject? { value(forKey: key) as? ManagedObject }
}

/// A branch goes with its trunk and with the one before it, and notes how it was told.
@Entity final class Branch: ManagedObject {
  var name: String = ""
  /// Whose notes they are; none are taken without.
  var garden: String = ""
  @Relationship(inverse: "branches") var trunk: Branch?
  @Relationship(inverse: "trunk", deleteRule: .cascade) var branches: ToMany<Branch>
  @Relationship(inverse: "before", deleteRule: .cascade) var next: Branch?
  @Relationship(inverse: "next") var before: Branch?

  static let notes = Locked<[String: [String]]>([:])

  override func prepareForDeletion() {
    guard !garden.isEmpty else { return }
    let names = branches.map(\.name).sorted().joined(separator: ",")
    let note = "\(name) of \(trunk?.name ?? "-"): \(names)"
    Self.notes.withLock { $0[garden, default: []].append(note) }
    // A branch that says so takes another one with it.
    guard let other = name.split(separator: "+").dropFirst().first else { return }
    guard let context = managedObjectContext else { return }
    for branch in (try? Self.findAll(in: context)) ?? [] where branch.name == other {
      branch.delete()
    }
  }

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [Branch._describeEntity()])
  }

  @discardableResult
  static func named(
    _ name: String, on trunk: Branch? = nil, after before: Branch? = nil,
    garden: String = "", in context: ManagedObjectContext
  ) -> Branch {
    let branch = create(in: context)
    branch.name = name
    branch.garden = garden
    if let trunk { branch.trunk = trunk }
    if let before { before.next = branch }
    return branch
  }

  static func names(in context: ManagedObjectContext) throws -> [String] {
    try findAll(sortedBy: \.name, in: context).map(\.name)
  }
}
