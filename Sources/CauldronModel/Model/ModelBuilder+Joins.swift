extension ModelBuilder {
  /// Makes the joins of many-to-many relationships, numbered after the entities, and tells the
  /// relationships of them.
  ///
  /// A join is a row with a reference to either end: so links are pushed, merged, returned and laid
  /// over what the store answers as all rows are.
  func joins(of layouts: [EntityLayout]) throws -> [EntityLayout] {
    var joins: [EntityLayout] = []
    for layout in layouts {
      for index in layout.ownProperties.indices {
        // A join that was made from the other end is tied already.
        let property = layout.properties[index]
        guard property.join == nil, let ends = try JoinEnds(layout, property) else { continue }
        let join = ends.join(number: Int32(layouts.count + joins.count + 1))
        join.family = [EntityLayout.Unowned(entity: join)]
        ends.tie(join, layouts)
        joins.append(join)
      }
    }
    return joins
  }
}

/// The two relationships that share a join table.
private struct JoinEnds {
  /// That of the entity with the lower number, whose name the table has.
  private let first: End
  private let second: End

  private struct End {
    /// The entity that declares the relationship.
    let entity: EntityLayout
    let property: PropertyLayout
  }

  /// Nil where the relationship is not many-to-many.
  init?(_ entity: EntityLayout, _ property: PropertyLayout) throws {
    guard property.kind == .toMany, let destination = property.destination,
      destination.entity.properties[destination.inverse].kind == .toMany
    else { return nil }
    let inverse = destination.entity.properties[destination.inverse]
    let owner = Self.owner(of: inverse, destination.entity)
    let ends = [End(entity: entity, property: property), End(entity: owner, property: inverse)]
    if entity === owner, property.index == inverse.index {
      throw CauldronError.modelInvalid(
        "\(entity.name).\(property.name): a relationship that is its own inverse is not supported;"
          + " declare two, each the inverse of the other")
    }
    // Of two in one entity either may give the table its name.
    let isFirst =
      entity === owner ? property.name < inverse.name : entity.number < owner.number
    first = isFirst ? ends[0] : ends[1]
    second = isFirst ? ends[1] : ends[0]
  }

  /// The entity that declares a property, which may be a superentity.
  private static func owner(of property: PropertyLayout, _ entity: EntityLayout) -> EntityLayout {
    var owner = entity
    while let parent = owner.superentity, parent.properties.count > property.index {
      owner = parent
    }
    return owner
  }

  /// The join: a reference to an object of the first entity, and one to an object of the second.
  func join(number: Int32) -> EntityLayout {
    // The column of an end has the name of the relationship that leads there.
    let ends = [(first, second), (second, first)]
    let properties = ends.enumerated().map { index, end in
      let name = "\(end.0.entity.number)\(end.1.property.name)"
      return PropertyLayout(
        name: name, index: index,
        description: .relationship(
          RelationshipDescription(
            name: name, destination: end.0.entity.name, inverse: end.0.property.name,
            isToMany: false)),
        kind: .toOne, isRequired: false)
    }
    return EntityLayout(
      description: EntityDescription(
        name: "\(first.entity.name).\(first.property.name)",
        properties: properties.map(\.description)),
      number: number, properties: withCompanions(properties), superentity: nil, isJoin: true)
  }

  /// An end in a hierarchy has an entity number beside it, and one that an ordered relationship leads
  /// to has a place among its other objects.
  private func withCompanions(_ properties: [PropertyLayout]) -> [PropertyLayout] {
    var properties = properties
    var slot = properties.count
    for (index, (end, other)) in [(first, second), (second, first)].enumerated() {
      if end.entity.family.count > 1 {
        properties[index].entitySlot = slot
        slot += 1
      }
      if other.property.isOrdered {
        properties[index].orderSlot = slot
        slot += 1
      }
    }
    return properties
  }

  /// Has the join lead to its ends, and the relationships, inherited ones too, to the join.
  func tie(_ join: EntityLayout, _ layouts: [EntityLayout]) {
    for (near, end) in [first, second].enumerated() {
      join.properties[near].destination = .init(
        entity: end.entity, inverse: end.property.index)
      for layout in layouts where layout.isKind(of: end.entity) {
        layout.properties[end.property.index].join = .init(entity: join, near: near)
        layout.digest = LayoutDigest(layout.properties)
      }
    }
    join.digest = LayoutDigest(join.properties)
  }
}
