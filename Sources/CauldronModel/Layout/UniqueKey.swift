/// Properties of which no two rows of a hierarchy have the same values, all taken together.
package struct UniqueKey: Sendable {
  /// The number among those of the hierarchy.
  package let number: Int
  package let properties: [PropertyLayout]
  /// The properties as a set of indices.
  package let set: PropertySet

  init(number: Int, properties: [PropertyLayout]) {
    self.number = number
    self.properties = properties
    set = PropertySet(properties.map(\.index))
  }

  package var names: [String] { properties.map(\.name) }
}

extension EntityLayout {
  /// The properties that have a part in a unique key.
  package var uniqueProperties: PropertySet {
    uniqueKeys.reduce(PropertySet()) { $0.union($1.set) }
  }

  /// Gives each entity of a hierarchy the keys whose properties it has: a constraint holds for all who
  /// share its columns, whichever of them declares it.
  static func distributeUniqueKeys(below root: EntityLayout) {
    var number = 0
    for declaring in root.family.map(\.entity) {
      for names in declaring.description.uniquenessConstraints {
        let owners = names.compactMap(declaring.owner)
        // What is wrong with others is reported by the check of the model.
        guard owners.count == names.count, !names.isEmpty else { continue }
        for entity in root.family.map(\.entity) where owners.allSatisfy(entity.isKind) {
          let properties = names.compactMap(entity.index).map { entity.properties[$0] }
          entity.uniqueKeys.append(UniqueKey(number: number, properties: properties))
        }
        number += 1
      }
    }
  }

  /// The topmost entity that has a property.
  private func owner(_ name: String) -> EntityLayout? {
    guard let index = index(of: name), properties[index].hasColumn else { return nil }
    var owner = self
    while let parent = owner.superentity, parent.index(of: name) != nil { owner = parent }
    return owner
  }
}
