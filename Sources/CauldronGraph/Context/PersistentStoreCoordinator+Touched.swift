import CauldronLedger
import CauldronModel
import CauldronStore

extension PersistentStoreCoordinator {
  /// Tells of rows that the store has changed in a save: the contexts on the coordinator, those that
  /// take in what others save, and those that the save came from or passed.
  func tell(_ keys: BatchKeys, of origins: [LedgerNode]) {
    for node in ledger.nodes.all {
      guard let core = node.core else { continue }
      if node.parent == nil || core.settings.isMerging
        || origins.contains(where: { $0.isBelow(node) })
      {
        core.catchUp.receive(keys)
      }
    }
  }

  /// Has everybody read the derived values anew that changes may have touched of which nobody knows, or
  /// did not know at first, whether they are written: no receipt tells of them.
  func outdateDerived(by layers: [Layer]) {
    let sets = layers.flatMap(\.changes.entities)
    let rows = (sets.compactMap(\.ownDerived) + sets.flatMap(\.counted)).filter { !$0.keys.isEmpty }
    if rows.isEmpty { return }
    outdate(rows)
    tell(BatchKeys(rows), of: layers.map(\.origin))
  }
}

extension EntityChanges {
  /// The new rows, whose derived values the store sets; nil where it derives none of them.
  fileprivate var ownDerived: (entity: EntityLayout, keys: [Int64])? {
    entity.digest.derived.isEmpty ? nil : (entity, inserted.map(\.key))
  }

  /// The rows of which a derived value counts what was changed, before or afterwards.
  fileprivate var counted: [(entity: EntityLayout, keys: [Int64])] {
    entity.digest.toOnes.compactMap { property in
      guard let destination = property.destination,
        destination.entity.properties.contains(where: { $0.counted == destination.inverse })
      else { return nil }
      let updates = updated.lazy.filter { $0.brings(property.index) }
      let rows = inserted.map { $0 } + updates.flatMap { [$0.base, $0.row] } + deleted.map(\.base)
      let keys = rows.lazy.filter { !$0.isNull(property.index) }.map { $0.slot(property.index) }
      return (destination.entity, Array(Set(keys)))
    }
  }
}
