import CauldronModel
import CauldronStore

extension PushCheck {
  /// Deletions that a policy has cancelled, and all that the same layer has deleted with them: a
  /// cascade comes back as a whole.
  /// - Complexity: O(deletions).
  func withCascades(_ cancelled: Set<ManagedObjectID>, _ layer: Layer) -> Set<ManagedObjectID> {
    let neighbours = cascades(layer)
    var result = cancelled
    var rest = Array(cancelled)
    while let id = rest.popLast() {
      for other in neighbours[id] ?? [] where result.insert(other).inserted { rest.append(other) }
    }
    return result
  }

  /// The deleted objects of a layer, by the deleted object at the other end of a cascading
  /// relationship.
  private func cascades(_ layer: Layer) -> [ManagedObjectID: [ManagedObjectID]] {
    var neighbours: [ManagedObjectID: [ManagedObjectID]] = [:]
    for set in layer.changes.entities where !set.deleted.isEmpty {
      // A link stands between two objects of which one may have taken the other along.
      let isBridge =
        set.entity.isJoin && set.entity.digest.toOnes.contains { $0.ruleOfTarget == .cascade }
      for property in set.entity.digest.toOnes
      where isBridge || property.deleteRule == .cascade || property.ruleOfTarget == .cascade {
        for deletion in set.deleted where !deletion.base.isNull(property.index) {
          let key = deletion.base.slot(property.index)
          guard let other = deleted(key, property, layer) else { continue }
          neighbours[id(deletion.key, set.entity), default: []].append(other)
          neighbours[other, default: []].append(id(deletion.key, set.entity))
        }
      }
    }
    return neighbours
  }

  private func deleted(
    _ key: Int64, _ property: PropertyLayout, _ layer: Layer
  ) -> ManagedObjectID? {
    property.destination?.entity.family.lazy.map { id(key, $0.entity) }.first {
      layer.changes.change($0)?.kind == .deletion
    }
  }
}
