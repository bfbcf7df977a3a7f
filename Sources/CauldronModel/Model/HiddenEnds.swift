/// The ends at which no model has a relationship: of those that are one-way, or their own inverse.
///
/// So every relationship has an inverse, and no part of the engine asks whether there is one.
/// - What a one-way relationship to many objects leads to has a column with its owner; such an end is a
///   to-one relationship of its own.
/// - What one-way relationships to one object lead to is told nothing of them; one end without a column
///   serves for all.
/// - A relationship to many that is its own inverse has a twin, and each link is there twice, once from
///   either object.
struct HiddenEnds {
  /// The end of all one-way relationships to one object: no model has a property of such a name.
  private static let common = "(one-way)"

  /// The ends with columns or links by their entities, in the order of their names.
  private var ends: [String: [RelationshipDescription]] = [:]
  /// The entities that one-way relationships lead to one object of.
  private var reached: Set<String> = []
  /// The place of the first end in each entity of a hierarchy that has some: behind all that any of them declares,
  /// because generated code counts what is declared.
  private var starts: [String: Int] = [:]

  init(of entities: [String: EntityDescription], below children: [String: [String]]) {
    for entity in entities.values {
      for case .relationship(let relationship) in entity.properties
      where !relationship.isTransient {
        if relationship.isOneWay, !relationship.isToMany {
          reached.insert(relationship.destination)
        } else if relationship.isOneWay || relationship.isOwnInverse(in: entity.name) {
          ends[relationship.destination, default: []].append(Self.end(of: relationship, in: entity))
        }
      }
    }
    ends = ends.mapValues { $0.sorted { $0.name < $1.name } }
    for root in entities.values where root.superentity == nil {
      var (family, most) = ([root.name], 0)
      var open = [(root, root.allProperties.count)]
      while let (entity, count) = open.popLast() {
        most = max(most, count)
        for child in (children[entity.name] ?? []).compactMap({ entities[$0] }) {
          family.append(child.name)
          open.append((child, count + child.allProperties.count))
        }
      }
      for name in family { starts[name] = most }
    }
  }

  /// What stands behind the properties that an entity declares and inherits: the ends, and nothing in the places of
  /// those that other entities of the hierarchy have.
  /// - Parameters:
  ///   - number: The entity's number.
  ///   - count: The number of the declared properties.
  ///   - inherited: What stands behind those of the superentity.
  func properties(
    of entity: String, number: Int32, behind count: Int, inherited: [PropertyLayout]
  ) -> [PropertyLayout] {
    let taken = inherited.filter { $0.declaring != 0 }
    var own = ends[entity] ?? []
    if reached.contains(entity), !taken.contains(where: { $0.name == Self.common }) {
      own.append(
        RelationshipDescription(
          name: Self.common, destination: entity, isToMany: true, deleteRule: .noAction))
    }
    if own.isEmpty, taken.isEmpty { return [] }
    let start = max(count, starts[entity] ?? count)
    let nothing = (count..<start).map { Self.nothing(at: $0, in: entity) }
    let new = own.enumerated().map { offset, end in
      Self.property(end, at: start + taken.count + offset, declaring: number)
    }
    return nothing + taken + new
  }

  private static func property(
    _ end: RelationshipDescription, at index: Int, declaring number: Int32
  ) -> PropertyLayout {
    PropertyLayout(
      name: end.name, index: index, description: .relationship(end),
      kind: end.name == common ? .transient : end.isToMany ? .toMany : .toOne, isRequired: false,
      isHidden: true, declaring: number)
  }

  /// A gap: only a sibling entity, or an entity below, declares a property with this index.
  private static func nothing(at index: Int, in entity: String) -> PropertyLayout {
    let end = RelationshipDescription(
      name: "(\(index))", destination: entity, isToMany: true, deleteRule: .noAction)
    return PropertyLayout(
      name: end.name, index: index, description: .relationship(end), kind: .transient,
      isRequired: false, isHidden: true, declaring: 0)
  }

  /// The name of what is at the other end of a relationship.
  static func inverse(of relationship: RelationshipDescription, in layout: EntityLayout) -> String {
    let index = layout.index(of: relationship.name)
    let owner = index.map { layout.owner(of: layout.properties[$0]) }?.name ?? layout.name
    if let inverse = relationship.inverse, !relationship.isOwnInverse(in: owner) { return inverse }
    return relationship.isToMany ? name(of: relationship.name, in: owner) : common
  }

  private static func name(of relationship: String, in entity: String) -> String {
    "(\(relationship) of \(entity))"
  }

  private static func end(
    of relationship: RelationshipDescription, in entity: EntityDescription
  ) -> RelationshipDescription {
    var end = RelationshipDescription(
      name: name(of: relationship.name, in: entity.name), destination: entity.name,
      inverse: relationship.name, isToMany: !relationship.isOneWay)
    if !relationship.isOneWay, relationship.deleteRule != .cascade {
      end.deleteRule = relationship.deleteRule
    }
    let relationships = [relationship.name] + relationship.originalNames
    let entities = [entity.name] + entity.originalNames
    end.originalNames = relationships.flatMap { old in entities.map { name(of: old, in: $0) } }
    end.originalNames.removeAll { $0 == end.name }
    return end
  }
}

extension RelationshipDescription {
  /// Whether it leads to many objects of its own entity, from which it leads back.
  fileprivate func isOwnInverse(in entity: String) -> Bool {
    isToMany && inverse == name && destination == entity
  }
}
