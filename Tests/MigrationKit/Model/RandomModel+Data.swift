import CauldronModel

extension RandomModel {
  /// Adds an object of a random entity, with random values and links to earlier ones.
  mutating func addObject(_ key: Int) {
    guard let entity = pick(entities.filter { !$0.isAbstract }) else { return }
    var object = DataObject(entity: entity.name)
    for case .attribute(let attribute) in properties(of: entity.name) where attribute.name != "uid"
    {
      let isThere = !attribute.isOptional || pick(3) > 0
      object.values[attribute.name] = isThere ? scalar(attribute.type) : nil
    }
    let relationships = properties(of: entity.name).compactMap { property in
      if case .relationship(let found) = property { found } else { nil }
    }
    for found in relationships where found.isToMany { object.lists[found.name] = [] }
    objects[key] = object
    for found in relationships where isLeading(found) { link(key, found) }
  }

  /// Whether a relationship is set from this end: of two the one that has an order, else a to-one, else
  /// the one whose name comes first.
  func isLeading(_ found: RelationshipDescription) -> Bool {
    guard let inverse = found.inverse.flatMap(relationship) else { return true }
    if found.isOrdered || inverse.isOrdered { return found.isOrdered }
    if found.isToMany != inverse.isToMany { return !found.isToMany }
    return found.name < inverse.name
  }

  private mutating func link(_ key: Int, _ found: RelationshipDescription) {
    let inverse = found.inverse.flatMap(relationship)
    var others = keys(found.destination).filter { $0 != key }
    if let inverse, !inverse.isToMany {
      others.removeAll { objects[$0]?.references[inverse.name] != nil }
    }
    if inverse == nil, found.isToMany {
      // An object is in such a relationship of one object at most.
      let taken = Set(objects.values.flatMap { $0.lists[found.name] ?? [] })
      others.removeAll(where: taken.contains)
    }
    let most = found.isToMany ? 3 : 1
    var chosen: [Int] = []
    for _ in 0..<pick(most + 1) where !others.isEmpty {
      chosen.append(others.remove(at: pick(others.count)))
    }
    if !found.isToMany {
      objects[key]?.references[found.name] = chosen.first
    } else {
      objects[key]?.lists[found.name] = found.isOrdered ? chosen : chosen.sorted()
    }
    guard let inverse else { return }
    for other in chosen {
      if inverse.isToMany {
        objects[other]?.lists[inverse.name, default: []].append(key)
      } else {
        objects[other]?.references[inverse.name] = key
      }
    }
  }
}
