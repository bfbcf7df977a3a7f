import CauldronModel

extension ModelReader {
  /// What an attribute is derived from; nil for all but the count of a relationship.
  mutating func derivation(_ object: ArchivedObject) throws(StoredModelFailure) -> String? {
    guard let reference = object.reference("NSDerivationExpression"),
      object.reference("NSFilteringPredicate") == nil
    else { return nil }
    let function = try archive.object(reference)
    guard function.className == "NSFunctionExpression",
      try archive.text(function.reference("NSSelectorName")) == "count:",
      let path = try onlyArgument(function), path.className == "NSKeyPathExpression",
      let step = try onlyArgument(path),
      let name = try archive.text(step.reference("NSKeyPath")), !name.contains(".")
    else { return nil }
    return AttributeDescription.count(of: name)
  }

  private mutating func onlyArgument(
    _ expression: ArchivedObject
  ) throws(StoredModelFailure) -> ArchivedObject? {
    guard let reference = expression.reference("NSArguments") else { return nil }
    let arguments = try archive.elements(reference)
    return arguments.count == 1 ? try archive.object(arguments[0]) : nil
  }
}

extension StoredModel {
  /// Leaves out the derived attributes that no model here can have.
  mutating func dropUnsupportedCounts() {
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    for index in entities.indices {
      let entity = entities[index]
      let wrong = Set(
        entity.properties.filter { $0.isDerived && !$0.isCountable(in: entity, byName) }
          .map(\.name))
      if wrong.isEmpty { continue }
      entities[index].properties.removeAll { wrong.contains($0.name) }
      entities[index].indexes.removeAll { !wrong.isDisjoint(with: $0.properties) }
      entities[index].uniquenessConstraints.removeAll { !wrong.isDisjoint(with: $0) }
      for other in entities where other.line(byName).contains(entity.name) {
        open.insert(other.name)
      }
    }
  }
}

extension PropertyDescription {
  /// Whether it is an attribute that a store computes.
  var isDerived: Bool {
    if case .attribute(let attribute) = self { attribute.derivation != nil } else { false }
  }

  /// Whether a model can have it: a model is asked that has nothing else that could be wrong.
  fileprivate func isCountable(
    in entity: EntityDescription, _ entities: [String: EntityDescription]
  ) -> Bool {
    guard case .attribute(let attribute) = self, let name = attribute.countedRelationship,
      entity.superentity == nil,
      case .relationship(let relationship)? = entity.properties.first(where: { $0.name == name }),
      let destination = entities[relationship.destination],
      !destination.line(entities).contains(entity.name),
      case .relationship(let inverse)? = destination.properties.first(where: {
        $0.name == relationship.inverse
      })
    else { return false }
    let owner = EntityDescription(
      name: entity.name, properties: [self, .relationship(relationship)],
      uniquenessConstraints: entity.uniquenessConstraints.filter { $0 == [attribute.name] })
    let other = EntityDescription(name: destination.name, properties: [.relationship(inverse)])
    return (try? ManagedObjectModel(entities: [owner, other])) != nil
  }
}

extension EntityDescription {
  /// The entity's name and those of its superentities.
  fileprivate func line(_ entities: [String: EntityDescription]) -> [String] {
    var names = [name]
    var next = superentity
    while let name = next, !names.contains(name) {
      names.append(name)
      next = entities[name]?.superentity
    }
    return names
  }
}
