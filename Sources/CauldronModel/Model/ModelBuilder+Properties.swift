extension ModelBuilder {
  /// The inherited properties and then the own ones, numbered.
  func properties(
    of description: EntityDescription, parent: EntityLayout?
  ) throws -> [PropertyLayout] {
    var properties = parent?.properties ?? []
    var names = Set(properties.map(\.name))
    for property in description.properties {
      guard names.insert(property.name).inserted else {
        throw CauldronError.modelInvalid(
          "\(description.name).\(property.name): the property is declared twice")
      }
      properties.append(try layout(of: property, index: properties.count, in: description))
    }
    var slot = properties.count
    for index in properties.indices {
      (properties[index].entitySlot, properties[index].orderSlot) = (nil, nil)
      guard properties[index].kind == .toOne,
        case .relationship(let relationship) = properties[index].description
      else { continue }
      if children[relationship.destination] != nil {
        properties[index].entitySlot = slot
        slot += 1
      }
      if inverses.isOrdered(relationship.inverse, of: relationship.destination) {
        properties[index].orderSlot = slot
        slot += 1
      }
    }
    return properties
  }

  /// Refuses a default that the attribute's slot cannot hold; a transient one has none.
  private func checkDefault(
    of attribute: AttributeDescription, in entity: EntityDescription
  ) throws {
    guard case .constant(let scalar) = attribute.defaultValue, !attribute.isTransient else {
      return
    }
    switch (scalar, attribute.type.storageClass) {
    case (.null, _), (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob):
      return
    default:
      throw CauldronError.modelInvalid(
        "\(entity.name).\(attribute.name): its default is not of type"
          + " \(attribute.type.displayName)")
    }
  }

  /// Gives each derived attribute what it is derived from, where that can be; `ModelCheck` refuses the
  /// others.
  private func tieDerived(_ layout: EntityLayout) {
    for index in layout.properties.indices {
      guard case .attribute(let attribute) = layout.properties[index].description,
        let name = attribute.countedRelationship
      else { continue }
      layout.properties[index].counted = layout.index(of: name)
    }
  }

  private func layout(
    of property: PropertyDescription, index: Int, in entity: EntityDescription
  ) throws -> PropertyLayout {
    switch property {
    case .attribute(let attribute):
      try checkDefault(of: attribute, in: entity)
      return PropertyLayout(
        name: attribute.name, index: index, description: property,
        kind: attribute.isTransient ? .transient : .attribute(attribute.type),
        isRequired: !attribute.isOptional && !attribute.isTransient)
    case .relationship(var relationship):
      let inverse = try inverses.inverse(of: relationship, in: entity.name)
      relationship.inverse = inverse
      return PropertyLayout(
        name: relationship.name, index: index, description: .relationship(relationship),
        kind: relationship.isToMany ? .toMany : .toOne,
        isRequired: !relationship.isOptional && !relationship.isToMany)
    }
  }

  /// Gives each relationship the layout at its other end, once all layouts exist.
  func tie(_ layouts: [EntityLayout]) throws {
    let byName = Dictionary(uniqueKeysWithValues: layouts.map { ($0.name, $0) })
    for layout in layouts {
      for index in layout.properties.indices {
        guard case .relationship(let relationship) = layout.properties[index].description,
          let destination = byName[relationship.destination],
          let name = relationship.inverse, let inverse = destination.index(of: name)
        else { continue }
        layout.properties[index].destination = .init(entity: destination, inverse: inverse)
      }
      tieDerived(layout)
      layout.digest = LayoutDigest(layout.properties)
    }
    for root in layouts where root.superentity == nil {
      EntityLayout.distributeUniqueKeys(below: root)
    }
  }
}
