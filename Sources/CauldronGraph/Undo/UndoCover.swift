package import CauldronModel
import CauldronStore

/// The changes that steps have made by themselves, to tell them from the changes that went with
/// them.
package struct UndoCover {
  /// The properties of the objects that were edited.
  package private(set) var edited: [ManagedObjectID: PropertySet] = [:]
  /// The objects and links that came or went.
  private var whole: Set<ManagedObjectID> = []
  private let storeNumber: Int32

  package init(storeNumber: Int32) { self.storeNumber = storeNumber }

  package mutating func add(_ id: ManagedObjectID, properties: PropertySet) {
    edited[id, default: PropertySet()].formUnion(properties)
  }

  package mutating func add(_ id: ManagedObjectID) { whole.insert(id) }

  /// All objects and links that were changed.
  package var ids: Set<ManagedObjectID> { whole.union(edited.keys) }

  /// What a change set has beside that; nil where it has nothing.
  func rest(of changes: ChangeSet) -> ChangeSet? {
    let entities = changes.entities.map { rest(of: $0) }.filter { $0.count > 0 }
    return entities.isEmpty ? nil : ChangeSet(id: changes.id, entities: entities)
  }

  private func rest(of changes: EntityChanges) -> EntityChanges {
    func isRest(_ key: Int64) -> Bool { !whole.contains(id(key, in: changes)) }
    let updated = changes.updated.compactMap { update -> RowUpdate? in
      let key = update.row.key
      let left = update.changed.subtracting(edited[id(key, in: changes)] ?? PropertySet())
      guard isRest(key), !left.isEmpty else { return nil }
      return RowUpdate(
        row: update.row, base: update.base, changed: left,
        nullified: update.nullified.intersection(left))
    }
    return EntityChanges(
      entity: changes.entity, inserted: changes.inserted.filter { isRest($0.key) },
      updated: updated, deleted: changes.deleted.filter { isRest($0.key) })
  }

  private func id(_ key: Int64, in changes: EntityChanges) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: changes.entity.number, storeNumber: storeNumber)
  }
}

/// The context whose changes an undo manager notes.
package protocol UndoTarget: AnyObject {
  /// Traps where the caller may not use the context.
  func proveUndo()

  /// Has the changes so far noted.
  func noteForUndo()

  /// Takes in changes from elsewhere, and has the changes so far noted.
  /// - Throws: Why nothing can be undone now.
  func prepareUndo(_ verb: String) throws

  /// Carries out steps, one after the other; all of them, or none.
  /// - Throws: `object.notFound` where an object is not there any more; what reading throws.
  /// - Returns: What the steps have changed.
  func carryOut(_ steps: [UndoStep], names: inout UndoNames) throws -> UndoCover

  /// Outside an event, what was processed is a step.
  func endUndoStep()
}
