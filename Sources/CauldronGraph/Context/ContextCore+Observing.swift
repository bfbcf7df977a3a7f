import CauldronModel
import CauldronStore

extension ContextCore {
  /// Has the observation that runs now, if one does, be told of the next change of a property.
  func noteAccess(to index: Int, of object: ManagedObject) {
    // Nobody tells of what has become of a row that was never read.
    if object.isFault { fire(object) }
    let cells = identity.observed ?? ObservedCells()
    identity.observed = cells
    let isFirst = cells.access(object, index)
    if isFirst, cells.watch == nil, isMerging { cells.watch = StoreLookout(coordinator) }
  }

  /// Tells observers of what has changed, but not while deletions are carried on: they shall find all
  /// of it done.
  func tellObservers() {
    guard let observed = identity.observed, !event.isPropagating else { return }
    observed.tell()
  }
}

extension Identity {
  /// Has the observers of all to-many relationships told.
  func noteAllToMany() {
    for object in observed?.observed ?? [] { object.noteToMany() }
  }

  /// Has the observers of all objects told.
  func noteAllChanges() {
    for object in observed?.observed ?? [] { object.noteChanges() }
  }

  /// Has the observers of those to-many relationships told that changed references belong to.
  /// - Complexity: O(changed rows), at most some thousands, or O(observed objects).
  func noteReferences(_ changes: EntityChanges) {
    guard let observed, observed.count > 0 else { return }
    if !changes.deleted.isEmpty { noteLinked(changes.entity, observed) }
    for property in changes.entity.digest.toOnes {
      guard let end = property.destination,
        end.entity.properties[end.inverse].kind == .toMany
      else { continue }
      if changes.count > Self.reasonable {
        note(end, observed)
      } else {
        noteReferences(changes, property, end)
      }
    }
  }

  /// Of more rows nobody looks which objects they belong to.
  private static var reasonable: Int { 8_192 }

  private func noteReferences(
    _ changes: EntityChanges, _ property: PropertyLayout, _ end: PropertyLayout.Destination
  ) {
    let root = end.entity.rootNumber
    func note(_ row: RowPointer) {
      guard !row.isNull(property.index) else { return }
      map.object(row.slot(property.index), root: root)?.noteChange(of: end.inverse)
    }
    changes.inserted.forEach(note)
    // The place of a link is a change of one end, and the order of the relationship at the other.
    let isLink = changes.entity.isJoin
    for update in changes.updated where isLink || update.changed.contains(property.index) {
      note(update.base)
      note(update.row)
    }
    for deletion in changes.deleted { note(deletion.base) }
  }

  /// Deleted objects may have had links of which nobody tells.
  private func noteLinked(_ entity: EntityLayout, _ observed: ObservedCells) {
    for property in entity.digest.relationships where property.join != nil {
      if let end = property.destination { note(end, observed) }
    }
  }

  private func note(_ end: PropertyLayout.Destination, _ observed: ObservedCells) {
    for object in observed.observed where object.layout.isKind(of: end.entity) {
      object.noteChange(of: end.inverse)
    }
  }
}
