import Cauldron
import CauldronModel

/// A small model whose stores are damaged, and what its next version changes.
enum StoreSpecies: String, CaseIterable {
  /// Attributes of all types, a unique one and indexes.
  case values
  /// Subentities below an abstract one, with a to-one relationship and one to itself.
  case family
  /// Ordered, many-to-many and required relationships, and a count.
  case links

  func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities, name: "Stores")
  }

  /// The next version: something is added, renamed, widened, required and given up.
  func nextModel() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: entities.map(next), name: "Stores")
  }

  /// What the next version gives up.
  var discards: Set<String> {
    switch self {
    case .values: ["Thing.uri1: URL"]
    case .family: ["Animal.nick: String"]
    case .links: ["Book.blurb: String"]
    }
  }

  private var entities: [EntityDescription] {
    switch self {
    case .values: [Self.thing]
    case .family: [Self.animal] + Self.animals + [Self.owner]
    case .links: [Self.author, Self.book, Self.tag]
    }
  }

  private func next(_ entity: EntityDescription) -> EntityDescription {
    var entity = entity
    let given = ["uri1", "nick", "blurb"]
    entity.properties.removeAll { given.contains($0.name) }
    entity.properties = entity.properties.map { property in
      guard case .attribute(var attribute) = property else { return property }
      switch attribute.name {
      case "integer321", "legs": attribute.type = .integer64
      case "title", "name", "string1":
        attribute.originalNames = [attribute.name]
        attribute.name = "label"
      case "float1", "rank": attribute.isOptional = false
      default: break
      }
      if attribute.name == "float1" { attribute.defaultValue = .constant(.real(1)) }
      if attribute.name == "rank" { attribute.defaultValue = .constant(.integer(1)) }
      return .attribute(attribute)
    }
    if entity.superentity == nil {
      entity.properties.append(Self.attribute("added", .string, default: .constant(.text("new"))))
    }
    entity.indexes = []
    return entity
  }
}

extension StoreSpecies {
  private static func attribute(
    _ name: String, _ type: AttributeType, isOptional: Bool = true,
    default defaultValue: AttributeDescription.Default = .none
  ) -> PropertyDescription {
    .attribute(
      AttributeDescription(name: name, type: type, isOptional: isOptional, default: defaultValue))
  }

  private static func relationship(
    _ name: String, _ destination: String, _ inverse: String, isToMany: Bool = false,
    isOptional: Bool = true, deleteRule: RelationshipDescription.DeleteRule = .nullify,
    isOrdered: Bool = false
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, destination: destination, inverse: inverse, isToMany: isToMany,
        isOptional: isOptional, deleteRule: deleteRule, isOrdered: isOrdered))
  }

  private static let number = attribute(
    "number", .integer64, isOptional: false, default: .constant(.integer(0)))

  /// The name of an attribute tells its type, and whether it is the optional one of two.
  private static var thing: EntityDescription {
    let optional = AttributeType.allCases.map { attribute("\($0)1", $0) }
    let required: [PropertyDescription] = [
      attribute("string2", .string, isOptional: false, default: .constant(.text("x"))),
      attribute("integer162", .integer16, isOptional: false, default: .constant(.integer(1))),
      attribute("date2", .date, isOptional: false, default: .constant(.real(0))),
    ]
    return EntityDescription(
      name: "Thing", properties: [number] + optional + required,
      uniquenessConstraints: [["number"]],
      indexes: [
        IndexDescription(properties: ["string1"]),
        IndexDescription(properties: ["integer321", "date1"]),
      ])
  }

  private static var animal: EntityDescription {
    EntityDescription(
      name: "Animal", isAbstract: true,
      properties: [
        number, attribute("name", .string, isOptional: false, default: .constant(.text(""))),
        attribute("nick", .string),
        relationship("owner", "Owner", "pets"),
        relationship("parent", "Animal", "young"),
        relationship("young", "Animal", "parent", isToMany: true),
      ], indexes: [IndexDescription(properties: ["name"])])
  }

  private static var animals: [EntityDescription] {
    [
      EntityDescription(
        name: "Cat", superentity: "Animal", properties: [attribute("lives", .integer16)]),
      EntityDescription(
        name: "Dog", superentity: "Animal", properties: [attribute("legs", .integer32)]),
      EntityDescription(
        name: "Puppy", superentity: "Dog", properties: [attribute("born", .date)]),
    ]
  }

  private static var owner: EntityDescription {
    EntityDescription(
      name: "Owner",
      properties: [
        number, attribute("rank", .integer32),
        relationship("pets", "Animal", "owner", isToMany: true, deleteRule: .cascade),
      ], uniquenessConstraints: [["number"]])
  }

  private static var author: EntityDescription {
    var count = AttributeDescription(name: "bookCount", type: .integer64)
    count.derivation = "books.@count"
    return EntityDescription(
      name: "Author",
      properties: [
        number, attribute("title", .string), .attribute(count),
        relationship("books", "Book", "author", isToMany: true, isOrdered: true),
      ], uniquenessConstraints: [["number"]])
  }

  private static var book: EntityDescription {
    EntityDescription(
      name: "Book",
      properties: [
        number, attribute("price", .decimal), attribute("blurb", .string),
        attribute("cover", .binary),
        relationship("author", "Author", "books", isOptional: false),
        relationship("tags", "Tag", "books", isToMany: true),
      ], indexes: [IndexDescription(properties: ["price"])])
  }

  private static var tag: EntityDescription {
    EntityDescription(
      name: "Tag",
      properties: [
        number, attribute("rank", .integer32),
        relationship("books", "Book", "tags", isToMany: true),
      ])
  }
}
