import CauldronModel
import CauldronStore

// A link is no object, but its ends have changed; and the owner of a to-one reference has.
extension ContextChange {
  /// The objects whose one-to-many relationships have changed, each once.
  /// - Complexity: O(changed references).
  var owners: [ManagedObjectID] {
    var seen: Set<ManagedObjectID> = []
    var result: [ManagedObjectID] = []
    forEachOwner { id, _ in if seen.insert(id).inserted { result.append(id) } }
    return result
  }

  /// The one-to-many relationships of an object that have changed.
  /// - Complexity: O(changed references).
  func ownedProperties(of id: ManagedObjectID) -> [String] {
    var names: Set<String> = []
    forEachOwner { owner, property in if owner == id { names.insert(property.name) } }
    return names.sorted()
  }

  private func forEachOwner(_ body: (ManagedObjectID, PropertyLayout) -> Void) {
    for set in sets.flatMap(\.entities) where !set.entity.isJoin {
      for reference in set.entity.digest.toOnes where reference.ownersRoot != nil {
        guard let destination = reference.destination else { continue }
        let inverse = destination.entity.properties[destination.inverse]
        set.forEachOwner(by: reference) { row in
          if let id = id(of: reference, in: row) { body(id, inverse) }
        }
      }
    }
  }

  /// The objects whose many-to-many relationships have changed, each once.
  /// - Complexity: O(links).
  var linkedObjects: [ManagedObjectID] {
    var seen: Set<ManagedObjectID> = []
    var result: [ManagedObjectID] = []
    forEachLink { link, join in
      for end in join.properties {
        if let id = id(of: end, in: link), seen.insert(id).inserted { result.append(id) }
      }
    }
    return result
  }

  /// The many-to-many relationships of an object that have changed.
  /// - Complexity: O(links).
  func linkedProperties(of id: ManagedObjectID) -> [String] {
    var names: Set<String> = []
    forEachLink { link, join in
      for end in join.properties where self.id(of: end, in: link) == id {
        guard let destination = end.destination else { continue }
        names.insert(destination.entity.properties[destination.inverse].name)
      }
    }
    return names.sorted()
  }

  private func forEachLink(_ body: (RowPointer, EntityLayout) -> Void) {
    for set in sets.flatMap(\.joins) {
      for link in set.inserted { body(link, set.entity) }
      for link in set.updated { body(link.row, set.entity) }
      for link in set.deleted { body(link.base, set.entity) }
    }
  }

  private func id(of end: PropertyLayout, in link: RowPointer) -> ManagedObjectID? {
    guard let entity = end.destination?.entity, !link.isNull(end.index) else { return nil }
    let number = end.entitySlot.map { Int32(truncatingIfNeeded: link.slot($0)) } ?? entity.number
    return ManagedObjectID(
      key: link.slot(end.index), entityNumber: number, storeNumber: storeNumber)
  }
}
