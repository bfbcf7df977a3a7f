import CauldronModel

/// A random model, and what its entities have as plain lists.
struct QuerySchema: Sendable {
  /// A property of an entity, inherited ones included.
  struct Property: Sendable {
    enum Kind: Sendable {
      case attribute(AttributeType)
      /// The entity at the other end, the name of the way back, and whether that is to-many.
      case toOne(String, inverse: String, isManyToOne: Bool)
      case toMany(String, inverse: String, isManyToMany: Bool)
    }

    let name: String
    let kind: Kind

    var type: AttributeType? { if case .attribute(let type) = kind { type } else { nil } }

    var destination: String? {
      switch kind {
      case .attribute: nil
      case .toOne(let name, _, _), .toMany(let name, _, _): name
      }
    }

    /// Whether an object does not know of what leads to it.
    var isOneWay: Bool {
      switch kind {
      case .attribute: false
      case .toOne(_, let inverse, _), .toMany(_, let inverse, _): inverse == "(\(name))"
      }
    }

    var isToOne: Bool { if case .toOne = kind { true } else { false } }
    var isToMany: Bool { if case .toMany = kind { true } else { false } }
  }

  let descriptions: [EntityDescription]
  /// By entity.
  let properties: [String: [Property]]
  /// An entity with all below it, by its name.
  let families: [String: Set<String>]
  let roots: [String: String]

  var names: [String] { descriptions.map(\.name) }
  var concrete: [String] { descriptions.filter { !$0.isAbstract }.map(\.name) }

  init(_ descriptions: [EntityDescription]) {
    self.descriptions = descriptions
    let byName = Dictionary(uniqueKeysWithValues: descriptions.map { ($0.name, $0) })
    var properties: [String: [Property]] = [:]
    var families: [String: Set<String>] = [:]
    var roots: [String: String] = [:]
    for entity in descriptions {
      var line = [entity]
      while let name = line[0].superentity, let above = byName[name] { line.insert(above, at: 0) }
      roots[entity.name] = line[0].name
      for ancestor in line { families[ancestor.name, default: []].insert(entity.name) }
      properties[entity.name] = line.flatMap(\.properties).map { Self.property($0, descriptions) }
    }
    self.properties = properties
    self.families = families
    self.roots = roots
  }

  func property(_ name: String, _ entity: String) -> Property? {
    properties[entity]?.first { $0.name == name }
  }

  private static func property(
    _ description: PropertyDescription, _ all: [EntityDescription]
  ) -> Property {
    switch description {
    case .attribute(let attribute):
      return Property(name: attribute.name, kind: .attribute(attribute.type))
    case .relationship(let found):
      // The end of a one-way relationship has no name: what leads to one object leads from many.
      let inverse = found.inverse ?? "(\(found.name))"
      let isLone = found.isOneWay && !found.isToMany
      let isMany =
        isLone
        || all.flatMap(\.properties).contains { other in
          guard case .relationship(let back) = other else { return false }
          return back.name == inverse && back.isToMany
        }
      return Property(
        name: found.name,
        kind: found.isToMany
          ? .toMany(found.destination, inverse: inverse, isManyToMany: isMany)
          : .toOne(found.destination, inverse: inverse, isManyToOne: isMany))
    }
  }
}
