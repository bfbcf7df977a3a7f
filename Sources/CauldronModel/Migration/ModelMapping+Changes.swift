/// What is different, in words, and what it means for the data.
extension ModelMapping {
  /// Every difference that a store shows, additions and changes by entity, then what is gone.
  package var changes: [ModelChange] {
    destination.entityLayouts.flatMap(changes) + removals
  }

  private func changes(of layout: EntityLayout) -> [ModelChange] {
    guard let old = source(of: layout) else {
      return [ModelChange(entity: layout.name, kind: .added)]
    }
    var list: [ModelChange] = []
    if old.name != layout.name {
      list.append(ModelChange(entity: layout.name, kind: .renamed(from: old.name)))
    }
    if old.isAbstract != layout.isAbstract {
      let words = layout.isAbstract ? ("concrete", "abstract") : ("abstract", "concrete")
      list.append(ModelChange(entity: layout.name, kind: .changed(from: words.0, to: words.1)))
    }
    if parent(old) != layout.superentity?.name {
      let kind = ModelChange.Kind.changed(
        from: "below \(old.superentity?.name ?? "nothing")",
        to: "below \(layout.superentity?.name ?? "nothing")")
      list.append(ModelChange(entity: layout.name, kind: kind))
    }
    list += layout.ownProperties.filter(\.isStored).flatMap {
      changes(of: $0, in: layout)
    }
    return list + constraints(layout, old)
  }

  /// The name that the parent of an entity of the source has now.
  private func parent(_ old: EntityLayout) -> String? {
    old.superentity.map { destination(of: $0)?.name ?? $0.name }
  }

  private func changes(of property: PropertyLayout, in layout: EntityLayout) -> [ModelChange] {
    guard let old = source(of: property, in: layout) else {
      return [ModelChange(entity: layout.name, property: property.name, kind: .added)]
    }
    var list: [ModelChange] = []
    func add(_ kind: ModelChange.Kind) {
      list.append(ModelChange(entity: layout.name, property: property.name, kind: kind))
    }
    if old.name != property.name { add(.renamed(from: old.name)) }
    let before = typeName(of: old)
    if before != property.typeName {
      add(.changed(from: before, to: property.typeName))
    }
    if old.isRequired != property.isRequired {
      add(
        property.isRequired
          ? .changed(from: "optional", to: "required") : .changed(from: "required", to: "optional"))
    }
    if old.derivation != property.derivation {
      add(.changed(from: old.derivation ?? "set", to: property.derivation ?? "set"))
    }
    if old.isOrdered != property.isOrdered {
      add(
        property.isOrdered
          ? .changed(from: "unordered", to: "ordered") : .changed(from: "ordered", to: "unordered"))
    }
    return list
  }

  /// The type of a property of the source, with the name that the destination of it has now.
  private func typeName(of old: PropertyLayout) -> String {
    guard let entity = old.destination?.entity, let new = destination(of: entity) else {
      return old.typeName
    }
    return old.kind == .toMany ? "[\(new.name)]" : new.name
  }

  /// Unique keys that came.
  private func constraints(_ layout: EntityLayout, _ old: EntityLayout) -> [ModelChange] {
    let before = Set(
      old.description.uniquenessConstraints.map { names in
        names.compactMap { name in
          old.index(of: name).flatMap { destination(of: old.properties[$0], in: old)?.name }
        }
      })
    return layout.description.uniquenessConstraints.filter { !before.contains($0) }.map { names in
      ModelChange(
        entity: layout.name, property: names.joined(separator: ", "),
        kind: .changed(from: "any", to: "unique"))
    }
  }

  private var removals: [ModelChange] {
    var list: [ModelChange] = []
    var told: Set<ModelChange> = []
    for layout in source.entityLayouts {
      guard destination(of: layout) != nil else {
        // An abstract entity has no objects.
        list.append(
          ModelChange(
            entity: layout.name, kind: .removed, loss: layout.isAbstract ? nil : layout.name))
        continue
      }
      list += lost(layout).filter { told.insert($0).inserted }
    }
    return list
  }

  /// The properties that an entity's objects have no more, by the entities that declared them.
  private func lost(_ layout: EntityLayout) -> [ModelChange] {
    layout.properties.compactMap { property in
      guard property.isStored, !layout.isAbstract,
        destination(of: property, in: layout) == nil
      else { return nil }
      let owner = layout.owner(of: property)
      return ModelChange(
        entity: destination(of: owner)?.name ?? owner.name, property: property.name,
        kind: .removed, loss: property.holdsValues ? "\(property.name): \(property.typeName)" : nil)
    }
  }
}

extension EntityLayout {
  /// The entity that declares a property: itself, or one above.
  package func owner(of property: PropertyLayout) -> EntityLayout {
    guard let parent = superentity, property.index < parent.properties.count else { return self }
    return parent.owner(of: property)
  }
}

extension PropertyLayout {
  /// The type in a class, as the permission to lose values names it: `String`, `Company`, `[Tag]`.
  package var typeName: String {
    if let type = attributeType { return type.swiftName }
    guard case .relationship(let relationship) = description else { return "" }
    return relationship.isToMany ? "[\(relationship.destination)]" : relationship.destination
  }

  /// Whether a store keeps values for the property itself: a to-many whose inverse is to one has none.
  var holdsValues: Bool {
    if derivation != nil { return false }
    guard kind == .toMany else { return true }
    // Of a join table, the side whose entity comes first speaks for both.
    return join.map { $0.near == 0 } ?? false
  }

  /// Whether a new object, and so a row that is filled, has a value.
  package var hasDefault: Bool {
    guard case .attribute(let attribute) = description else { return false }
    if attribute.derivation != nil { return true }
    switch attribute.defaultValue {
    case .none, .constant(.null): return false
    case .constant, .computed: return true
    }
  }
}

extension AttributeType {
  /// The type's name in Swift.
  package var swiftName: String {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binary: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .transformable: "Transformable"
    }
  }
}
