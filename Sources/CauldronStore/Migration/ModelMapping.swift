package import CauldronModel

/// What each entity and property of a model goes on with in another one, which wrote a store.
///
/// A pure function of the two models.
package struct ModelMapping {
  /// The model that wrote the store.
  package let source: ManagedObjectModel
  /// The model that the store is to have.
  package let destination: ManagedObjectModel
  /// The number of the source's entity for each of the destination's.
  private var entities: [Int32: Int32] = [:]
  /// The index of the source's property, by the destination's entity and index.
  private var properties: [Int32: [Int?]] = [:]
  /// What might go on with more than one thing: no store can be migrated so.
  private(set) package var ambiguities: [String] = []

  package init(source: ManagedObjectModel, destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
    let (new, old) = (destination.entityLayouts, source.entityLayouts)
    let matching = NameMatching(new.map { FormerName($0) }, old.map { FormerName($0) })
    for (index, layout) in new.enumerated() {
      guard let match = matching.old[index] else { continue }
      if matching.doubtful.contains(index) { ambiguities.append(layout.name) }
      entities[layout.number] = old[match].number
      pairProperties(of: layout, with: old[match])
    }
    for layout in new { pairEnds(of: layout) }
  }

  /// A reference goes on where the relationship at its other end does, whether that has an inverse or had one.
  private mutating func pairEnds(of layout: EntityLayout) {
    guard let old = source(of: layout) else { return }
    for property in layout.properties where property.kind == .toOne {
      guard properties[layout.number]?[property.index] == nil, let end = property.destination,
        let former = source(of: end.entity.properties[end.inverse], in: end.entity),
        let back = former.destination, old.isKind(of: back.entity)
      else { continue }
      let reference = old.properties[back.inverse]
      let isTaken = properties[layout.number]?.contains(back.inverse) ?? true
      if reference.kind == .toOne, !isTaken, property.isHidden || reference.isHidden {
        properties[layout.number]?[property.index] = back.inverse
      }
    }
  }

  private mutating func pairProperties(of new: EntityLayout, with old: EntityLayout) {
    let matching = NameMatching(
      new.properties.map { FormerName($0) }, old.properties.map { FormerName($0) })
    properties[new.number] = new.properties.map { property in
      guard let index = matching.old[property.index] else { return nil }
      if matching.doubtful.contains(property.index) {
        ambiguities.append("\(new.name).\(property.name)")
      }
      let other = old.properties[index]
      let isSameKind =
        property.isStored && other.isStored && property.isRelationship == other.isRelationship
      return isSameKind ? index : nil
    }
  }

  /// The entity that one of the destination goes on with; nil for a new one.
  package func source(of layout: EntityLayout) -> EntityLayout? {
    entities[layout.number].flatMap(source.layout(number:))
  }

  /// The property that one of the destination goes on with; nil for a new one.
  package func source(of property: PropertyLayout, in layout: EntityLayout) -> PropertyLayout? {
    guard let entity = source(of: layout), let index = properties[layout.number]?[property.index]
    else { return nil }
    return entity.properties[index]
  }

  /// The entity of the destination that goes on with one of the source; nil for one that is gone.
  package func destination(of layout: EntityLayout) -> EntityLayout? {
    destination.entityLayouts.first { entities[$0.number] == layout.number }
  }

  /// The property of the destination that goes on with one of the source; nil for one that is gone.
  package func destination(of property: PropertyLayout, in layout: EntityLayout) -> PropertyLayout?
  {
    guard let new = destination(of: layout) else { return nil }
    return new.properties.first { properties[new.number]?[$0.index] == property.index }
  }

  /// The properties whose past is looked at with an entity: its own, and those that have come up to an
  /// entity above from this one.
  package func judged(_ layout: EntityLayout) -> [PropertyLayout] {
    guard let parent = layout.superentity else { return layout.properties }
    return layout.properties.filter { property in
      if layout.owner(of: property) === layout { return true }
      if source(of: property, in: parent) != nil { return false }
      return source(of: property, in: layout) != nil || source(of: parent) == nil
    }
  }
}

/// What a thing of a model is called, and was called before.
struct FormerName {
  let name: String
  /// The names before, the oldest last.
  let originals: [String]

  /// The oldest name, which stays the same when the thing is renamed: Core Data's renaming identifier.
  var identity: String { originals.last ?? name }
}

/// Which old thing each new one goes on with.
struct NameMatching {
  /// The position of the old thing for each new one.
  private(set) var old: [Int?]
  /// The positions of new things that might go on with more than one old thing, or share one.
  private(set) var doubtful: Set<Int> = []

  /// Things are the same that have the same identity; then those that name the other, or are called like
  /// it and have no identity of their own.
  init(_ new: [FormerName], _ old: [FormerName]) {
    self.old = Array(repeating: nil, count: new.count)
    let names = Set(old.map(\.name))
    pair(new, with: old) { new, old in
      // A plain name is the identity of what was renamed only where nothing has that name itself.
      new.identity == old.identity
        && (!new.originals.isEmpty || new.name == old.name || !names.contains(new.name))
    }
    pair(new, with: old) { new, old in
      new.originals.contains(old.name) || (new.originals.isEmpty && new.name == old.name)
    }
  }

  private mutating func pair(
    _ new: [FormerName], with old: [FormerName], where isSame: (FormerName, FormerName) -> Bool
  ) {
    var taken = Set(self.old.compactMap { $0 })
    let free = old.indices.filter { !taken.contains($0) }
    for index in new.indices where self.old[index] == nil {
      let found = free.filter { isSame(new[index], old[$0]) }
      guard let first = found.first else { continue }
      if found.count > 1 || !taken.insert(first).inserted { doubtful.insert(index) }
      self.old[index] = first
    }
  }
}

extension FormerName {
  init(_ entity: EntityLayout) {
    self.init(name: entity.name, originals: entity.description.originalNames)
  }

  init(_ property: PropertyLayout) {
    self.init(name: property.name, originals: property.description.originalNames)
  }
}

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
    return list + constraints(of: layout, since: old)
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
  private func constraints(of layout: EntityLayout, since old: EntityLayout) -> [ModelChange] {
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

/// The entities in the model copy of a migrated store.
extension ModelMapping {
  /// The entities of the destination, with the identities that the source knows and the destination
  /// does not state any more: a name that was `label` once stays known by it, though the code does
  /// not say so; a later model may refer to either.
  package var describedEntities: [EntityDescription] {
    destination.entities.map { entity in
      guard let layout = destination.layout(named: entity.name), let old = source(of: layout) else {
        return entity
      }
      var entity = entity
      keep(FormerName(old), in: &entity.originalNames, for: entity.name)
      entity.properties = entity.properties.map { property in
        guard let index = layout.index(of: property.name),
          let old = source(of: layout.properties[index], in: layout)
        else { return property }
        return described(property, from: FormerName(old))
      }
      return entity
    }
  }

  private func described(
    _ property: PropertyDescription, from old: FormerName
  ) -> PropertyDescription {
    switch property {
    case .attribute(var attribute):
      keep(old, in: &attribute.originalNames, for: attribute.name)
      return .attribute(attribute)
    case .relationship(var relationship):
      keep(old, in: &relationship.originalNames, for: relationship.name)
      return .relationship(relationship)
    }
  }

  private func keep(_ old: FormerName, in originals: inout [String], for name: String) {
    if originals.isEmpty, old.identity != name { originals = [old.identity] }
  }
}

extension ManagedObjectModel {
  /// The entity of a name, or else the one that had it before.
  package func layout(namedNowOrBefore name: String) -> EntityLayout? {
    layout(named: name)
      ?? entityLayouts.first { $0.description.originalNames.contains(name) }
  }
}
