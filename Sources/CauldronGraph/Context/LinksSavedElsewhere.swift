import CauldronModel

/// Finds edited one-to-one links that another save has made, too.
///
/// A refresh that keeps edits has them count as made from the newest rows. A link that is there already is none
/// then, and neither of its ends may stay one: a later save would write one half.
struct LinksSavedElsewhere {
  private let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  /// Both ends of the edited links of refreshed objects that another save has made, too: they are no edits any
  /// more, at neither end.
  /// - Complexity: O(ends · own layers), and one row for each end.
  func ends(
    of objects: [ManagedObject]
  ) -> [(object: ManagedObject, properties: PropertySet)] {
    var ends: [ObjectIdentifier: (object: ManagedObject, properties: PropertySet)] = [:]
    func end(_ index: Int, of object: ManagedObject) {
      ends[ObjectIdentifier(object), default: (object, PropertySet())].properties.insert(index)
    }
    for object in objects where !object.layout.digest.oneToOnes.isEmpty {
      for (property, partner) in core.relations.editedPairs(of: object) {
        if core.relations.isBrought(object.registeredID, at: property.index) { continue }
        guard isAsBelow(object, at: property.index) else { continue }
        end(property.index, of: object)
        guard let inverse = property.destination?.inverse,
          let partner = partner.flatMap(core.keys.registeredObject),
          core.keys.reference(of: partner, partner.layout.properties[inverse]) == object.objectID,
          isAsBelow(partner, at: inverse)
        else { continue }
        end(inverse, of: partner)
      }
    }
    return Array(ends.values)
  }

  /// Whether an object shows a property as what lies below the context has it.
  private func isAsBelow(_ object: ManagedObject, at index: Int) -> Bool {
    guard !object.isFault, let below = try? core.reader.row(below: object) else { return false }
    return withExtendedLifetime(below) {
      !below.row.difference(from: RowPointer(object.row), object.layout).contains(index)
    }
  }
}
