import CauldronModel

extension RandomModel {
  /// A to-one relationship with an inverse to many.
  mutating func addToOne() {
    addRelationships(isToMany: false, isOrdered: false, inverseIsOrdered: pick(2) == 0)
  }

  mutating func addManyToMany() {
    // One end at most: where both have an order, it is open which comes first of what is added at once.
    addRelationships(isToMany: true, isOrdered: pick(2) == 0, inverseIsOrdered: false)
  }

  /// A relationship that is one-way, or to many and its own inverse.
  mutating func addLone() {
    let (a, b) = (pick(entities.count), pick(entities.count))
    let name = name("lone")
    touched.insert(name)
    let isOwn = pick(3) == 0
    var lone = RelationshipDescription(
      name: name, destination: entities[isOwn ? a : b].name, isToMany: isOwn || pick(2) == 0)
    lone.isOneWay = !isOwn
    lone.inverse = isOwn ? name : nil
    lone.isOrdered = lone.isToMany && !isOwn && pick(2) == 0
    entities[a].properties.append(.relationship(lone))
    if lone.isToMany { for key in keys(entities[a].name) { objects[key]?.lists[name] = [] } }
  }

  private mutating func addRelationships(isToMany: Bool, isOrdered: Bool, inverseIsOrdered: Bool) {
    let (a, b) = (pick(entities.count), pick(entities.count))
    let (there, back) = (name("there"), name("back"))
    touched.formUnion([there, back])
    entities[a].properties.append(
      .relationship(
        RelationshipDescription(
          name: there, destination: entities[b].name, inverse: back, isToMany: isToMany,
          isOrdered: isOrdered)))
    entities[b].properties.append(
      .relationship(
        RelationshipDescription(
          name: back, destination: entities[a].name, inverse: there, isToMany: true,
          isOrdered: inverseIsOrdered)))
    for key in keys(entities[b].name) { objects[key]?.lists[back] = [] }
    if isToMany { for key in keys(entities[a].name) { objects[key]?.lists[there] = [] } }
  }

  func relationship(_ name: String) -> RelationshipDescription? {
    for case .relationship(let found) in entities.flatMap(\.properties) where found.name == name {
      return found
    }
    return nil
  }

  /// A relationship of which neither end was changed yet, as one that is changed now.
  private mutating func takeRelationship(
    _ isMeant: (RandomModel, RelationshipDescription) -> Bool = { _, _ in true }
  ) -> RelationshipDescription? {
    let all = entities.flatMap(\.properties).compactMap { property in
      if case .relationship(let found) = property { found } else { nil }
    }
    let free = all.filter { isMeant(self, $0) && isFree($0) }
    guard let found = pick(free) else { return nil }
    touched.formUnion([found.name, found.inverse ?? ""])
    return found
  }

  private func isFree(_ found: RelationshipDescription) -> Bool {
    let inverse = found.inverse.flatMap(relationship)
    let names = PropertyDescription.relationship(found).allNames
    return touched.isDisjoint(
      with: names + (inverse.map { PropertyDescription.relationship($0).allNames } ?? []))
  }

  mutating func renameRelationship() {
    guard let old = takeRelationship() else { return }
    var new = old
    new.name = name(old.isToMany ? "back" : "there")
    new.originalNames = [old.name] + old.originalNames
    touched.insert(new.name)
    if old.inverse == old.name { new.inverse = new.name }
    replace(old.name, by: .relationship(new))
    if old.inverse != old.name, var inverse = old.inverse.flatMap(relationship) {
      inverse.inverse = new.name
      replace(inverse.name, by: .relationship(inverse))
    }
    for key in objects.keys {
      if let other = objects[key]?.references.removeValue(forKey: old.name) {
        objects[key]?.references[new.name] = other
      }
      if let list = objects[key]?.lists.removeValue(forKey: old.name) {
        objects[key]?.lists[new.name] = list
      }
    }
  }

  /// An order comes, which is that of the keys, or goes.
  mutating func order() {
    let orders = takeRelationship { model, found in
      found.isToMany && found.inverse != found.name
        && (found.isOrdered || model.inverse(of: found)?.isOrdered != true)
    }
    guard var found = orders else { return }
    found.isOrdered.toggle()
    replace(found.name, by: .relationship(found))
    for key in objects.keys { objects[key]?.lists[found.name]?.sort() }
  }

  private func inverse(of found: RelationshipDescription) -> RelationshipDescription? {
    found.inverse.flatMap(relationship)
  }

  /// A to-one relationship becomes one to many; its inverse has no order, or keeps what it has.
  mutating func makeToMany() {
    let found = takeRelationship { model, found in
      !found.isToMany && model.inverse(of: found)?.isOrdered == false
    }
    guard var found, let owner = owner(of: found.name) else { return }
    found.isToMany = true
    found.maxCount = 0
    replace(found.name, by: .relationship(found))
    for key in keys(owner) {
      let other = objects[key]?.references.removeValue(forKey: found.name)
      objects[key]?.lists[found.name] = other.map { [$0] } ?? []
    }
  }

  func owner(of property: String) -> String? {
    entities.first { $0.properties.contains { $0.name == property } }?.name
  }

  mutating func removeRelationship() {
    if let found = takeRelationship() { removeRelationship(found.name) }
  }

  /// Gives up a relationship and its inverse.
  mutating func removeRelationship(_ name: String) {
    guard let found = relationship(name) else { return }
    let other = found.inverse == found.name ? nil : inverse(of: found)
    for end in [found, other].compactMap({ $0 }) {
      guard let index = entities.firstIndex(where: { $0.name == owner(of: end.name) }) else {
        continue
      }
      entities[index].properties.removeAll { $0.name == end.name }
      entities[index].discards += losses(end)
      for key in objects.keys {
        objects[key]?.references[end.name] = nil
        objects[key]?.lists[end.name] = nil
      }
    }
  }

  /// The lines that give a relationship up, for each name that stores may have it and its type by.
  private func losses(_ end: RelationshipDescription) -> [String] {
    let destination = entities.first { $0.name == end.destination }
    let types = [end.destination] + (destination?.originalNames ?? [])
    return PropertyDescription.relationship(end).allNames.flatMap { name in
      types.map { "\(name): \(end.isToMany ? "[\($0)]" : $0)" }
    }
  }
}
