import CauldronModel

/// The changes of one entity as they can be accepted.
struct Resolved {
  var inserted: [RowPointer]
  var updated: [RowUpdate] = []
  var deleted: [RowDeletion] = []
  /// Whether a policy has changed anything.
  var isAdapted = false
}

// The table of what each policy does stands in Apple's documentation of NSMergePolicy.
extension PushCheck {
  /// Accepts an update as it is, combines it with what came in meanwhile, or refuses it.
  mutating func resolve(
    _ update: RowUpdate, _ entity: EntityLayout, _ resolved: inout Resolved
  ) throws(CauldronError) {
    let id = id(update.row.key, entity)
    switch current(id, entity) {
    case .unknown: resolved.updated.append(update)
    case .missing: throw .dependency(entity, id)
    case .deleted: try resolveDeleted(update, id, entity, &resolved)
    case .row(let row):
      if row.isVersion(of: update.base, entity) {
        resolved.updated.append(update)
      } else {
        resolved.isAdapted = true
        if let merged = try merge(update, onto: row, id, entity) { resolved.updated.append(merged) }
      }
    }
  }

  /// The other side has deleted what was changed here.
  private func resolveDeleted(
    _ update: RowUpdate, _ id: ManagedObjectID, _ entity: EntityLayout, _ resolved: inout Resolved
  ) throws(CauldronError) {
    switch policy {
    case .error:
      throw .conflict(entity, id, "it was deleted", [])
        .conflicting(
          MergeConflict(
            objectID: id, entity: entity, base: update.base, cached: nil, persisted: nil))
    case .mergeByPropertyStoreTrump, .rollback: break
    case .mergeByPropertyObjectTrump, .overwrite: resolved.inserted.append(update.row)
    }
    resolved.isAdapted = true
  }

  private mutating func merge(
    _ update: RowUpdate, onto other: RowPointer, _ id: ManagedObjectID, _ entity: EntityLayout
  ) throws(CauldronError) -> RowUpdate? {
    let theirs = other.difference(from: update.base, entity)
    // Equal new values are a conflict, too: two withdrawals that leave the same balance are two.
    let both = theirs.intersection(update.changed)
    var changed = update.changed
    if !both.isEmpty || isStore {
      switch policy {
      case .error: throw conflict(update.base, other, isStore ? theirs : both, id, entity)
      case .mergeByPropertyStoreTrump:
        changed = PropertySet(changed.indices.filter { !theirs.contains($0) })
        if changed.isEmpty { return nil }
      case .mergeByPropertyObjectTrump: break
      case .overwrite: changed = update.row.difference(from: other, entity)
      case .rollback: return nil
      }
    }
    let row = builder.merge(changed, from: update.row, onto: other, entity)
    row.setVersion(other.version + 1)
    return RowUpdate(row: row, base: other, changed: changed)
  }

  /// Accepts a deletion, drops it, or refuses it where the object changed meanwhile.
  mutating func resolve(
    _ deletion: RowDeletion, _ entity: EntityLayout, _ resolved: inout Resolved
  ) throws(CauldronError) {
    let id = id(deletion.key, entity)
    switch current(id, entity) {
    case .unknown: resolved.deleted.append(deletion)
    case .deleted:
      // What else the layer does may rest on the object, as when its rest is paid out to another.
      if policy == .error {
        throw .conflict(entity, id, "it was deleted already", [])
          .conflicting(
            MergeConflict(
              objectID: id, entity: entity, base: deletion.base, cached: nil, persisted: nil))
      }
      resolved.isAdapted = true
    case .missing: throw .dependency(entity, id)
    case .row(let row):
      if row.isVersion(of: deletion.base, entity) {
        resolved.deleted.append(deletion)
        return
      }
      resolved.isAdapted = true
      let theirs = row.difference(from: deletion.base, entity)
      if theirs.isEmpty, !isStore {
        resolved.deleted.append(RowDeletion(base: row))
        return
      }
      switch policy {
      case .error: throw conflict(deletion.base, row, theirs, id, entity)
      case .mergeByPropertyStoreTrump, .rollback: break
      case .mergeByPropertyObjectTrump, .overwrite:
        resolved.deleted.append(RowDeletion(base: row))
      }
    }
  }

  private func conflict(
    _ base: RowPointer, _ other: RowPointer, _ fields: PropertySet, _ id: ManagedObjectID,
    _ entity: EntityLayout
  ) -> CauldronError {
    .conflict(
      entity, id, "changed since it was read (version \(base.version), now \(other.version))",
      fields.indices.map { entity.properties[$0].name }
    ).conflicting(
      MergeConflict(objectID: id, entity: entity, base: base, cached: other, persisted: nil))
  }
}

extension CauldronError {
  /// The same error with the two versions that conflict.
  func conflicting(_ conflict: MergeConflict) -> CauldronError {
    with { $0.conflicts = [conflict] }
  }
}
