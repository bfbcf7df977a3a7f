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
    let matching = NameMatching(new.map(\.formerName), old.map(\.formerName))
    for (index, layout) in new.enumerated() {
      guard let match = matching.old[index] else { continue }
      if matching.doubtful.contains(index) { ambiguities.append(layout.name) }
      entities[layout.number] = old[match].number
      pairProperties(layout, old[match])
    }
  }

  private mutating func pairProperties(_ new: EntityLayout, _ old: EntityLayout) {
    let matching = NameMatching(
      new.properties.map(\.formerName), old.properties.map(\.formerName))
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
      if property.index >= parent.properties.count { return true }
      if source(of: property, in: parent) != nil { return false }
      return source(of: property, in: layout) != nil || source(of: parent) == nil
    }
  }
}
