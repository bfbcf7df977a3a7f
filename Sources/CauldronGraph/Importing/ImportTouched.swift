import CauldronLedger
package import CauldronModel
package import CauldronStore

/// What a record of an import has changed.
package struct ImportTouched {
  /// The objects, deleted ones among them; links are none.
  package private(set) var objects: [ManagedObject] = []
  /// Those that are new, or of which attributes were set.
  package private(set) var edited: Set<ManagedObjectID> = []
  package let changes: [ChangeSet]

  init(_ changes: [ChangeSet], _ core: ContextCore) {
    self.changes = changes
    var seen: Set<ObjectIdentifier> = []
    for set in changes.lazy.flatMap(\.entities) where !set.entity.isJoin {
      let attributes = set.entity.digest.attributes
      func note(_ key: Int64, isEdited: Bool) {
        guard let object = core.keys.registeredObject(core.coordinator.id(key, of: set.entity))
        else {
          return
        }
        if isEdited { edited.insert(object.registeredID) }
        if seen.insert(ObjectIdentifier(object)).inserted { objects.append(object) }
      }
      for row in set.inserted { note(row.key, isEdited: true) }
      for update in set.updated {
        note(update.row.key, isEdited: !update.changed.intersection(attributes).isEmpty)
      }
      for deletion in set.deleted { note(deletion.base.key, isEdited: false) }
    }
  }
}

extension ManagedObjectContext {
  /// What was changed since the open undo group began.
  /// - Complexity: O(changed rows).
  package func importTouched() -> ImportTouched {
    core.publisher.publish()
    core.keys.followExchanges()
    let steps = core.undoManager?.open.first?.steps ?? []
    return ImportTouched(steps.map { core.coordinator.ledger.followed($0.changes) }, core)
  }
}
