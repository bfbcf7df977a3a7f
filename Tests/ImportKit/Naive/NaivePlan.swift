import CauldronImport
import CauldronModel

/// Of what entity records are, and by what their objects are found.
struct NaivePlan: Hashable, Sendable {
  /// Of new objects.
  let entity: String
  /// Of those that are found.
  let family: String
  /// One attribute, or several that are unique together.
  let key: [String]?

  /// The only attribute by which objects are found; nil where there are several, or none.
  var only: String? { key?.count == 1 ? key?[0] : nil }
}

/// What a model and the options say, asked anew each time.
struct NaiveRules: Sendable {
  let shape: Shape
  let options: ImportOptions

  private func chosen(_ entity: String) -> ImportMapping? {
    shape.line(entity).reversed().compactMap { options.mappings[$0.name] }.first
  }

  func plan(_ entity: String) -> NaivePlan {
    NaivePlan(entity: entity, family: entity, key: key(entity))
  }

  /// By what objects of an entity are found that nobody has said more of.
  func key(_ entity: String) -> [String]? {
    if chosen(entity)?.alwaysInserts == true { return nil }
    if let key = shape.line(entity).reversed().compactMap(\.key).first { return [key] }
    let together = shape.together(entity)
    return together.isEmpty ? nil : together
  }

  /// What is at the other end of a relationship.
  func plan(_ relationship: Shape.Relationship, of entity: String) -> NaivePlan {
    let mapping = mapping(relationship, entity)
    let made = mapping.subentity ?? relationship.destination
    return NaivePlan(
      entity: made, family: relationship.destination, key: mapping.match.map { [$0] } ?? key(made))
  }

  func mapping(_ attribute: Shape.Attribute, _ entity: String) -> AttributeImport {
    let own = attribute.mapping
    guard var mapping = chosen(entity)?.attributes[attribute.name] else { return own }
    if mapping.from.isEmpty { mapping.from = own.from }
    if mapping.dateFormats.isEmpty { mapping.dateFormats = own.dateFormats }
    return mapping
  }

  func mapping(_ relationship: Shape.Relationship, _ entity: String) -> RelationshipImport {
    let own = relationship.mapping
    var mapping = own
    if let chosen = chosen(entity)?.relationships[relationship.name] {
      mapping = chosen
      if chosen.from.isEmpty { mapping.from = own.from }
      mapping.match = chosen.match ?? own.match
      mapping.subentity = chosen.subentity ?? own.subentity
    }
    // What cannot be created can be linked.
    if isLinkOnly(relationship, mapping) { (mapping.members, mapping.unknown) = (.linkOnly, .skip) }
    return mapping
  }

  func isLinkOnly(_ relationship: Shape.Relationship, _ mapping: RelationshipImport) -> Bool {
    mapping.subentity == nil && shape[relationship.destination]?.isAbstract == true
  }

  func attributes(_ entity: String) -> [Shape.Attribute] {
    shape.attributes(entity).filter { !mapping($0, entity).isExcluded }
  }

  func relationships(_ entity: String) -> [Shape.Relationship] {
    shape.relationships(entity).filter { !mapping($0, entity).isExcluded }
  }

  /// What a new object of a plan would miss that has nothing but its key.
  func misses(_ plan: NaivePlan) -> [String] {
    shape.attributes(plan.entity)
      .filter { $0.isRequired && $0.fallback == .null && plan.key?.contains($0.name) != true }
      .map(\.name)
  }

  /// Where a key is unique: among all objects that have the attribute, or in the family alone.
  func isUnique(_ plan: NaivePlan) -> Bool {
    plan.only.map { shape.isUnique($0, plan.entity) } ?? (plan.key != nil)
  }
}

/// What is wrong with a record.
struct Wrong: Hashable, Sendable {
  let pointer: String
  let code: CauldronError.Code
}

/// A record, coerced.
struct NaiveDraft: Sendable {
  let plan: NaivePlan
  let pointer: String
  /// The values of the attributes by which the object is found; none where there are none.
  var key: [AttributeScalar] = []
  var values: [Value] = []
  var links: [Link] = []

  struct Value: Sendable {
    let attribute: Shape.Attribute
    let scalar: AttributeScalar
    let pointer: String
  }

  struct Link: Sendable {
    let relationship: Shape.Relationship
    /// Nil where it is to be emptied.
    let children: [Child]?
  }

  enum Child: Sendable {
    case draft(NaiveDraft)
    case key([AttributeScalar], pointer: String)
  }
}
