/// Turns descriptions into layouts: checks them, numbers them, and ties the relationships.
struct ModelBuilder {
  let descriptions: [String: EntityDescription]
  let children: [String: [String]]
  let inverses: InverseTable
  private let hiddenEnds: HiddenEnds

  init(entities: [EntityDescription]) throws {
    var byName: [String: EntityDescription] = [:]
    if let base = entities.first(where: \.isBase) {
      throw CauldronError.modelInvalid("\(base.name) is the base of entities, and no entity").with {
        $0.hint = "Name the classes that derive from it."
      }
    }
    for entity in entities where byName.updateValue(entity, forKey: entity.name) != nil {
      throw CauldronError.modelInvalid("two entities are named \"\(entity.name)\"").with {
        $0.hint = "Name the classes that are meant, as in ManagedObjectModel(\(entity.name).self)."
      }
    }
    var children: [String: [String]] = [:]
    for entity in entities {
      guard let parent = entity.superentity else { continue }
      guard byName[parent] != nil else {
        throw CauldronError.modelInvalid(
          "\(entity.name): its superentity \"\(parent)\" is not in the model")
      }
      children[parent, default: []].append(entity.name)
    }
    descriptions = byName
    self.children = children
    inverses = try InverseTable(entities: byName)
    hiddenEnds = HiddenEnds(of: byName, below: children)
  }

  func build() throws -> [EntityLayout] {
    var layouts: [EntityLayout] = []
    let roots = descriptions.values.filter { $0.superentity == nil }.map(\.name)
    for root in CaselessOrder.sorted(roots) { try append(root, parent: nil, to: &layouts) }
    guard layouts.count == descriptions.count else {
      let left = Set(descriptions.keys).subtracting(layouts.map(\.name)).sorted()
      throw CauldronError.modelInvalid(
        "\(left.joined(separator: ", ")): the superentities form a circle")
    }
    try tie(layouts)
    var check = ModelCheck()
    for layout in layouts { check.add(layout) }
    try check.finish()
    VersionHash.fill(layouts)
    return layouts + joins(of: layouts)
  }

  /// Adds an entity and, below it, its subentities in the order of Core Data.
  private func append(
    _ name: String, parent: EntityLayout?, to layouts: inout [EntityLayout]
  ) throws {
    guard let description = descriptions[name] else { return }
    let position = layouts.count
    let layout = EntityLayout(
      description: description, number: Int32(position + 1),
      properties: try properties(
        of: description, number: Int32(position + 1), parent: parent), superentity: parent)
    layouts.append(layout)
    for child in CaselessOrder.sorted(children[name] ?? []) {
      try append(child, parent: layout, to: &layouts)
    }
    layout.family = layouts[position...].map(EntityLayout.Unowned.init)
  }
}

extension ModelBuilder {
  /// The inherited properties and then the own ones, numbered.
  func properties(
    of description: EntityDescription, number: Int32, parent: EntityLayout?
  ) throws -> [PropertyLayout] {
    var properties = parent?.properties.filter { !$0.isHidden } ?? []
    var names = Set(properties.map(\.name))
    for property in description.allProperties {
      guard names.insert(property.name).inserted else {
        throw CauldronError.modelInvalid(
          "\(description.name).\(property.name): the property is declared twice")
      }
      properties.append(
        try layout(of: property, index: properties.count, in: description, number: number))
    }
    properties += hiddenEnds.properties(
      of: description.name, number: number, behind: properties.count,
      inherited: parent?.properties.filter(\.isHidden) ?? [])
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
    guard case .constant(let scalar) = attribute.defaultValue, attribute.hasColumn else {
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

  /// Gives each attribute that counts objects the relationship that leads to them.
  private func tieDerived(_ layout: EntityLayout) {
    for index in layout.properties.indices {
      guard case .attribute(let attribute) = layout.properties[index].description,
        let name = attribute.countedRelationship
      else { continue }
      layout.properties[index].counted = layout.index(of: name)
    }
  }

  private func layout(
    of property: PropertyDescription, index: Int, in entity: EntityDescription, number: Int32
  ) throws -> PropertyLayout {
    switch property {
    case .attribute(let attribute):
      try checkDefault(of: attribute, in: entity)
      return PropertyLayout(
        name: attribute.name, index: index, description: property,
        kind: attribute.hasColumn ? .attribute(attribute.type) : .transient,
        isRequired: !attribute.isOptional && !attribute.isInOptional && attribute.hasColumn
          && !attribute.isKeptByStore,
        declaring: number)
    case .relationship(let relationship) where relationship.isTransient:
      return PropertyLayout(
        name: relationship.name, index: index, description: property, kind: .transient,
        isRequired: false, declaring: number)
    case .relationship(var relationship):
      let inverse = try inverses.inverse(of: relationship, in: entity.name)
      relationship.inverse = inverse
      return PropertyLayout(
        name: relationship.name, index: index, description: .relationship(relationship),
        kind: relationship.isToMany ? .toMany : .toOne,
        isRequired: !relationship.isOptional && !relationship.isToMany, declaring: number)
    }
  }

  /// Gives each relationship the layout at its other end, once all layouts exist.
  func tie(_ layouts: [EntityLayout]) throws {
    let byName = Dictionary(uniqueKeysWithValues: layouts.map { ($0.name, $0) })
    for layout in layouts {
      for index in layout.properties.indices {
        guard case .relationship(let relationship) = layout.properties[index].description,
          layout.properties[index].kind != .transient,
          let destination = byName[relationship.destination],
          let inverse = destination.index(of: HiddenEnds.inverse(of: relationship, in: layout))
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

extension ModelBuilder {
  /// Makes the joins of many-to-many relationships, numbered after the entities, and tells the
  /// relationships of them.
  ///
  /// A join is a row with a reference to either end: so links are pushed, merged, returned and laid
  /// over what the store answers as all rows are.
  func joins(of layouts: [EntityLayout]) -> [EntityLayout] {
    var joins: [EntityLayout] = []
    for layout in layouts {
      for index in layout.ownProperties.map(\.index) {
        // A join that was made from the other end is tied already.
        let property = layout.properties[index]
        guard property.join == nil, let ends = JoinEnds(of: property, in: layout) else { continue }
        let join = ends.join(number: Int32(layouts.count + joins.count + 1))
        join.family = [EntityLayout.Unowned(entity: join)]
        ends.tie(join, among: layouts)
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
  init?(of property: PropertyLayout, in entity: EntityLayout) {
    guard property.kind == .toMany, let destination = property.destination,
      destination.entity.properties[destination.inverse].kind == .toMany
    else { return nil }
    let inverse = destination.entity.properties[destination.inverse]
    let owner = destination.entity.owner(of: inverse)
    let ends = [End(entity: entity, property: property), End(entity: owner, property: inverse)]
    // Of two in one entity either may give the table its name.
    let isFirst =
      entity === owner
      ? inverse.isHidden || !property.isHidden && property.name < inverse.name
      : entity.number < owner.number
    first = isFirst ? ends[0] : ends[1]
    second = isFirst ? ends[1] : ends[0]
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
        kind: .toOne, isRequired: false, declaring: number)
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
  func tie(_ join: EntityLayout, among layouts: [EntityLayout]) {
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
