import CauldronModel

/// Something doubtful in a model, with what to do about it.
package struct ModelFinding: Encodable, Hashable {
  /// What was found.
  package enum Kind: String, Encodable, CaseIterable {
    case oneWay = "relationship.oneWay"
    case inverse = "relationship.inverse"
    case destination = "relationship.destination"
    case denyBoth = "deleteRule.deny"
    case cascadeCircle = "deleteRule.cascade"
    case nullifyRequired = "deleteRule.nullify"
    case dangling = "deleteRule.noAction"
    case bounds = "attribute.bounds"
    case noDefault = "attribute.default"
    case nameTwice = "name.twice"
    case keyword = "name.keyword"
    case member = "name.member"
    case notSwift = "name.spelling"
    case optionalUnique = "unique.optional"
    case unusedEntity = "entity.unused"
    case notUnderstood = "entity.partial"
    case needlessIndex = "index.needless"
    case badIndex = "index.property"
    case fetchCondition = "fetch.condition"
    case fetchEntity = "fetch.entity"
    case invalid = "model.invalid"
  }

  package let kind: Kind
  package let entity: String?
  package let property: String?
  /// The sentence that says what is doubtful.
  package let message: String
  /// The sentence that says what to do.
  package let remedy: String
  /// Whether nothing has to be done.
  package var isNote = false

  package init(
    _ kind: Kind, _ place: Place, message: String, remedy: String
  ) {
    self.kind = kind
    (entity, property) = (place.entity, place.property)
    self.message = message
    self.remedy = remedy
  }

  /// The same as a note.
  var asNote: ModelFinding {
    var copy = self
    copy.isNote = true
    return copy
  }

  /// What a finding is about.
  package struct Place {
    let entity: String?
    let property: String?

    /// - Parameter entity: Nil for the model as a whole.
    package init(_ entity: String?, _ property: String? = nil) {
      (self.entity, self.property) = (entity, property)
    }
  }
}

/// The entities of a model by name, with what they inherit.
struct EntityTable {
  let entities: [EntityDescription]
  private let byName: [String: EntityDescription]
  private let children: [String: [String]]

  init(_ entities: [EntityDescription]) {
    self.entities = entities
    byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    children = Dictionary(grouping: entities.filter { $0.superentity != nil }) {
      $0.superentity ?? ""
    }.mapValues { $0.map(\.name) }
  }

  subscript(name: String) -> EntityDescription? { byName[name] }

  /// The names of the entities right below one.
  func children(of name: String) -> [String] { children[name] ?? [] }

  /// An entity and those above it, the nearest first; none twice where they are in a circle.
  func family(of name: String) -> [EntityDescription] {
    var result: [EntityDescription] = []
    var seen: Set<String> = []
    var next = byName[name]
    while let entity = next, seen.insert(entity.name).inserted {
      result.append(entity)
      next = entity.superentity.flatMap { byName[$0] }
    }
    return result
  }

  /// A property of an entity, inherited or an element of a composite one, too.
  func property(_ name: String, of entity: String) -> PropertyDescription? {
    for entity in family(of: entity) {
      if let property = entity.allProperties.first(where: { $0.name == name }) { return property }
    }
    return nil
  }

  /// A relationship of an entity, inherited ones too.
  func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    guard case .relationship(let relationship)? = property(name, of: entity) else { return nil }
    return relationship
  }

  /// A relationship with the entity that declares it.
  struct End {
    let entity: String
    let relationship: RelationshipDescription

    /// `Person.pets`.
    var name: String { "\(entity).\(relationship.name)" }
    var place: ModelFinding.Place { ModelFinding.Place(entity, relationship.name) }
  }

  /// The relationships that stores keep.
  var ends: [End] {
    entities.flatMap { entity in
      EntityParts(entity).relationships.filter { !$0.isTransient }
        .map { End(entity: entity.name, relationship: $0) }
    }
  }

  /// The relationship at the other end, with the entity that declares it; nil where there is none.
  func inverse(of end: End) -> End? {
    guard let name = end.relationship.inverse else { return nil }
    for entity in family(of: end.relationship.destination) {
      if let relationship = EntityParts(entity).relationships.first(where: { $0.name == name }) {
        return End(entity: entity.name, relationship: relationship)
      }
    }
    return nil
  }
}
