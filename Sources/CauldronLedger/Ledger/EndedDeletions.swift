package import CauldronModel
package import CauldronStore

/// Deletions of a context that have come to nothing, because children have brought the objects back.
package struct EndedDeletions {
  /// The objects, each with what the context has changed of it; nil where nothing of that is left.
  let edits: [ManagedObjectID: RowUpdate?]
  /// The references of the objects that the context has cleared when they came back.
  let lost: [ManagedObjectID: PropertySet]
  /// The objects with a second deletion further up: what has come back lies over that one still.
  let gone: Set<ManagedObjectID>
  /// The objects that were deleted with them, and come back with them.
  let entailed: Set<ManagedObjectID>
  /// By how much the rows of children are newer for what the context has cleared.
  private var shifts: [ManagedObjectID: Int32] = [:]
  private var builder = RowBuilder()

  package init(
    _ edits: [ManagedObjectID: RowUpdate?], losing lost: [ManagedObjectID: PropertySet],
    alsoGoneAbove gone: Set<ManagedObjectID>, takingAlong entailed: Set<ManagedObjectID>
  ) {
    self.edits = Dictionary(uniqueKeysWithValues: edits.map { ($0.ofAnyStore, $1) })
    self.lost = Dictionary(uniqueKeysWithValues: lost.map { ($0.ofAnyStore, $1) })
    self.gone = Set(gone.map(\.ofAnyStore))
    self.entailed = Set(entailed.map(\.ofAnyStore))
  }

  /// A child's layer as it lies on the references that the context has cleared: it was made from rows that had
  /// them. The layers come oldest first.
  /// - Returns: The layer itself where it has none of these objects.
  mutating func rebased(_ layer: Layer, in node: LedgerNode) -> Layer {
    if layer.isUnsaved(of: node) || !lost.keys.contains(where: { layer.changes.change($0) != nil })
    {
      return layer
    }
    let sets = layer.changes.entities.map { set in
      let updated = set.updated.map { update in
        let id = ManagedObjectID(update.row.key, set.entity)
        guard let own = edits[id] ?? nil, lost[id] != nil else { return update }
        let shift = shifts[id] ?? max(own.row.version &- update.base.version, 0)
        shifts[id] = shift
        return rebased(update, by: shift, of: set.entity, in: layer)
      }
      return EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
    }
    return layer.with(
      changes: ChangeSet(id: layer.changes.id, entities: sets, from: [layer.changes]))
  }

  private mutating func rebased(
    _ update: RowUpdate, by shift: Int32, of entity: EntityLayout, in layer: Layer
  ) -> RowUpdate {
    let references = lost[ManagedObjectID(update.row.key, entity)] ?? PropertySet()
    let kept = PropertySet(
      references.indices.filter { isKept($0, by: update, of: entity, in: layer) })
    let base = builder.cleared(update.base, references, of: entity)
    let row = builder.cleared(update.row, references.subtracting(kept), of: entity)
    builder.close()
    base.setVersion(update.base.version &+ shift)
    row.setVersion(update.row.version &+ shift)
    return RowUpdate(
      row: row, base: base, changed: update.changed.subtracting(references).union(kept),
      first: update.first == update.base ? nil : update.first,
      nullified: update.nullified.subtracting(references), alone: update.alone,
      isRestored: update.isRestored)
  }

  /// Whether a layer says itself where a reference leads, at one end of the link or the other.
  private func isKept(
    _ index: Int, by update: RowUpdate, of entity: EntityLayout, in layer: Layer
  ) -> Bool {
    if update.row.isNull(index) { return false }
    if update.changed.subtracting(update.nullified).contains(index) { return true }
    guard let destination = entity.properties[index].destination,
      entity.properties[index].isOneToOne
    else { return false }
    return destination.entity.family.contains { partner in
      let id = ManagedObjectID(update.row.slot(index), partner.entity)
      guard case .updated(let other)? = layer.changes.change(id) else { return false }
      return other.changed.contains(destination.inverse)
        && !other.row.isNull(destination.inverse)
        && other.row.slot(destination.inverse) == update.row.key
    }
  }
}
