/// Finds the inverse of each relationship, also where only the other side names it.
struct InverseTable {
  private let entities: [String: EntityDescription]
  /// The relationships of each entity alone, by their names.
  private var named: [String: [String: [RelationshipDescription]]] = [:]
  /// The same, by the names of their inverses.
  private var naming: [String: [String: [RelationshipDescription]]] = [:]

  init(entities: [String: EntityDescription]) throws {
    self.entities = entities
    for entity in entities.values {
      for case .relationship(let relationship) in entity.properties
      where entities[relationship.destination] == nil {
        throw CauldronError.modelInvalid(
          "\(entity.name).\(relationship.name): its destination"
            + " \"\(relationship.destination)\" is not in the model")
      }
      for case .relationship(let relationship) in entity.properties
      where !relationship.isTransient {
        named[entity.name, default: [:]][relationship.name, default: []].append(relationship)
        guard let inverse = relationship.inverse else { continue }
        naming[entity.name, default: [:]][inverse, default: []].append(relationship)
      }
    }
  }

  /// The name of the relationship at the other end; nil where none leads back.
  /// - Complexity: O(entities above).
  func inverse(of relationship: RelationshipDescription, in entity: String) throws -> String? {
    func back(_ name: String, in table: [String: [String: [RelationshipDescription]]])
      -> [RelationshipDescription]
    {
      find(name, of: relationship.destination, in: table).filter {
        isKind(entity, of: $0.destination) || isAlways($0.destination, entity)
      }
    }
    if relationship.isOneWay {
      guard let name = relationship.inverse ?? back(relationship.name, in: naming).first?.name
      else {
        return nil
      }
      throw CauldronError.modelInvalid(
        "\(entity).\(relationship.name): it is one-way, and has the inverse"
          + " \(relationship.destination).\(name)")
    }
    if let name = relationship.inverse {
      guard let other = back(name, in: named).first else {
        throw CauldronError.modelInvalid(
          "\(entity).\(relationship.name): " + missing(name, of: relationship.destination))
      }
      guard other.inverse == nil || other.inverse == relationship.name else {
        throw CauldronError.modelInvalid(
          "\(entity).\(relationship.name): \(relationship.destination).\(name) names"
            + " \"\(other.inverse ?? "")\" as its inverse")
      }
      return name
    }
    let naming = back(relationship.name, in: naming)
    guard let other = naming.first else {
      throw CauldronError.modelInvalid(
        "\(entity).\(relationship.name): no inverse; name it here or in \(relationship.destination),"
          + " or say isOneWay: true")
    }
    guard naming.count == 1 else {
      let names = naming.map { "\(relationship.destination).\($0.name)" }
      throw CauldronError.modelInvalid(
        "\(names.joined(separator: ", ")): all name \(entity).\(relationship.name) as their inverse;"
          + " only one may")
    }
    return other.name
  }

  /// Why a property cannot be the inverse that a relationship names.
  private func missing(_ name: String, of destination: String) -> String {
    if let other = find(name, of: destination, in: named).first {
      return "its inverse \(destination).\(name) leads to \(other.destination)"
    }
    let isAttribute = ancestors(of: destination).contains { entity in
      entity.properties.contains { $0.name == name }
    }
    let isTransient = ancestors(of: destination).flatMap(\.properties).contains { property in
      guard case .relationship(let relationship) = property else { return false }
      return relationship.name == name && relationship.isTransient
    }
    if isTransient {
      return "its inverse \(destination).\(name) is transient; make both so, or neither"
    }
    return isAttribute
      ? "its inverse \(destination).\(name) is an attribute; name a relationship"
      : "inverse \"\(name)\" not found in \(destination)"
  }

  /// Whether a relationship of an entity is ordered.
  func isOrdered(_ name: String?, of entity: String) -> Bool {
    name.map { find($0, of: entity, in: named).contains { $0.isOrdered && $0.isToMany } } ?? false
  }

  /// What a table has under a name of an entity and of those above it, the nearest first.
  private func find(
    _ name: String, of entity: String, in table: [String: [String: [RelationshipDescription]]]
  ) -> [RelationshipDescription] {
    ancestors(of: entity).flatMap { table[$0.name]?[name] ?? [] }
  }

  private func isKind(_ entity: String, of other: String) -> Bool {
    ancestors(of: entity).contains { $0.name == other }
  }

  /// Whether all objects of an entity are of one below it.
  private func isAlways(_ other: String, _ entity: String) -> Bool {
    let concrete = entities.values.filter { !$0.isAbstract && isKind($0.name, of: entity) }
    return !concrete.isEmpty && concrete.allSatisfy { isKind($0.name, of: other) }
  }

  /// An entity and those above it, the nearest first; none twice where they are in a circle.
  private func ancestors(of entity: String) -> [EntityDescription] {
    var result: [EntityDescription] = []
    var next: String? = entity
    var seen: Set<String> = []
    while let name = next, let description = entities[name], seen.insert(name).inserted {
      result.append(description)
      next = description.superentity
    }
    return result
  }
}
