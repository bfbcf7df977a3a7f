import CauldronModel
import CauldronStore

extension Identity {
  /// The registered objects, but for faults, that a change set touches.
  /// - Complexity: O(min(registered objects, changed rows)).
  func objects(
    touchedBy changes: EntityChanges
  ) -> [(object: ManagedObject, kind: RowChange.Kind)] {
    var result: [(object: ManagedObject, kind: RowChange.Kind)] = []
    func add(_ object: ManagedObject?, _ kind: RowChange.Kind) {
      if let object, !object.isFault { result.append((object, kind)) }
    }
    let root = changes.entity.rootNumber
    if map.count < changes.count {
      for object in map.objects() where object.layout === changes.entity {
        if let change = changes.change(object.key) { add(object, change.kind) }
      }
    } else {
      for row in changes.inserted { add(map.object(row.key, root: root), .insertion) }
      for update in changes.updated {
        add(map.object(update.row.key, root: root), .update)
      }
      for deletion in changes.deleted {
        add(map.object(deletion.key, root: root), .deletion)
      }
    }
    return result
  }
}
