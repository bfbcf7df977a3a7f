import CauldronModel

// A one-to-one relationship is two columns, and each may be in conflict by itself; but it is one
// link, so that what is decided about one end holds for the other.
extension PushCheck {
  /// Has both ends of one-to-one links follow what a policy has decided about one of them.
  mutating func withWholeLinks(_ sets: [EntityChanges]) -> [EntityChanges] {
    var edits = LinkEdits()
    for resolution in resolutions {
      guard let end = LinkEnd(resolution, coordinator) else { continue }
      switch resolution.outcome {
      case .tookTheirs, .droppedEdit:
        // The partner that was chosen here does not get the link.
        if let mine = end.key(resolution.mine) { edits.drop(mine, end) }
      case .keptMine:
        // The partner that was chosen there loses it.
        if let theirs = end.key(resolution.theirs), theirs != end.key(resolution.mine) {
          edits.unlink(theirs, end)
        }
      case .insertedAgain, .deletedTheirs, .keptTheirs, .deletedAlready, .becameExisting: continue
      }
    }
    for link in becomingLinks {
      guard let end = LinkEnd(link.object, link.property, coordinator) else { continue }
      if link.isWritten {
        if let theirs = link.theirs { edits.unlink(theirs, end) }
      } else if let mine = link.mine {
        edits.drop(mine, end)
      }
    }
    return edits.isEmpty ? sets : apply(edits, to: sets)
  }

  private mutating func apply(_ edits: LinkEdits, to sets: [EntityChanges]) -> [EntityChanges] {
    var result = sets.map { dropping(edits, $0) }
    for (key, end) in edits.unlinked where !isTouched(key, end, sets) {
      guard let update = unlinked(key, end) else { continue }
      let number = update.row.entityNumber
      guard let entity = coordinator.managedObjectModel.layout(number: number) else { continue }
      if let index = result.firstIndex(where: { $0.entity === entity }) {
        let set = result[index]
        var updated = set.updated
        if let position = updated.firstIndex(where: { $0.row.key == key }) {
          updated[position] = joined(updated[position], update, end.inverse, entity)
        } else {
          updated.append(update)
        }
        result[index] = EntityChanges(
          entity: entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
      } else {
        result.append(
          EntityChanges(entity: entity, inserted: [], updated: [update], deleted: []))
      }
    }
    return result
  }

  /// One update for two of the same row, the second of which takes a reference away.
  private mutating func joined(
    _ update: RowUpdate, _ unlinked: RowUpdate, _ inverse: Int, _ entity: EntityLayout
  ) -> RowUpdate {
    let reference = PropertySet(CollectionOfOne(inverse))
    let row = builder.merge(reference, from: unlinked.row, onto: update.row, entity)
    row.setVersion(update.row.version)
    row.setMaker(maker())
    let base = builder.merge(reference, from: unlinked.base, onto: update.base, entity)
    return RowUpdate(
      row: row, base: base, changed: update.changed.union(reference), first: update.first,
      nullified: update.nullified, alone: update.alone)
  }

  /// Takes references out of the layer that the policy has not let stand at their other end.
  private mutating func dropping(_ edits: LinkEdits, _ set: EntityChanges) -> EntityChanges {
    var isSame = true
    let updated = set.updated.compactMap { update -> RowUpdate? in
      let dropped = edits.dropped(update.row, set.entity, among: update.changed)
      if dropped.isEmpty { return update }
      isSame = false
      return without(dropped, update, set.entity)
    }
    let inserted = set.inserted.map { row -> RowPointer in
      let dropped = edits.dropped(row, set.entity, among: nil)
      if dropped.isEmpty { return row }
      isSame = false
      let copy = builder.copy(row, set.entity)
      builder.close()
      for index in dropped { copy.setNull(index) }
      copy.setMaker(maker())
      return copy
    }
    if isSame { return set }
    return EntityChanges(
      entity: set.entity, inserted: inserted, updated: updated, deleted: set.deleted)
  }

  /// An update without some of its properties; nil if nothing is left.
  mutating func without(
    _ properties: [Int], _ update: RowUpdate, _ entity: EntityLayout
  ) -> RowUpdate? {
    let dropped = PropertySet(properties)
    let changed = update.changed.subtracting(dropped)
    if changed.isEmpty { return nil }
    let row = builder.merge(changed, from: update.row, onto: update.base, entity)
    row.setVersion(update.row.version)
    row.setMaker(maker())
    return RowUpdate(
      row: row, base: update.base, changed: changed, first: update.first,
      nullified: update.nullified.subtracting(dropped), alone: update.alone)
  }

  /// Whether the layer itself says what becomes of the partner's reference.
  private func isTouched(_ key: Int64, _ end: LinkEnd, _ sets: [EntityChanges]) -> Bool {
    sets.contains { set in
      guard set.entity.rootNumber == end.partner.rootNumber, let change = set.change(key) else {
        return false
      }
      if case .updated(let update) = change { return update.changed.contains(end.inverse) }
      return true
    }
  }

  /// The update that takes a partner's reference away, if it still leads to the object.
  private mutating func unlinked(_ key: Int64, _ end: LinkEnd) -> RowUpdate? {
    for entity in end.partner.family.map(\.entity) {
      guard let row = receiver(id(key, entity), entity), row.entityNumber == entity.number,
        !row.isNull(end.inverse), row.slot(end.inverse) == end.object.key
      else { continue }
      let new = builder.copy(row, entity)
      builder.close()
      new.setNull(end.inverse)
      for slot in entity.properties[end.inverse].companions { new.setCompanion(0, at: slot) }
      new.setVersion(row.nextVersion)
      new.setMaker(maker())
      return RowUpdate(row: new, base: row, changed: PropertySet(CollectionOfOne(end.inverse)))
    }
    return nil
  }
}

/// The end of a one-to-one link that a policy has decided about.
private struct LinkEnd {
  let object: ManagedObjectID
  /// The entity at the other end.
  let partner: EntityLayout
  /// The property there.
  let inverse: Int

  init?(_ resolution: SaveResolution, _ coordinator: PersistentStoreCoordinator) {
    guard let name = resolution.property, let entity = coordinator.layout(resolution.objectID),
      let index = entity.index(of: name)
    else { return nil }
    self.init(resolution.objectID, index, coordinator)
  }

  init?(_ id: ManagedObjectID, _ index: Int, _ coordinator: PersistentStoreCoordinator) {
    guard let property = coordinator.layout(id)?.properties[index], property.isOneToOne,
      let destination = property.destination
    else { return nil }
    object = id
    partner = destination.entity
    inverse = destination.inverse
  }

  func key(_ value: AttributeScalar?) -> Int64? {
    if case .integer(let key) = value { key } else { nil }
  }
}

/// What has to be done at the other ends.
private struct LinkEdits {
  private(set) var unlinked: [(Int64, LinkEnd)] = []
  private var dropped: [(Int64, LinkEnd)] = []

  var isEmpty: Bool { unlinked.isEmpty && dropped.isEmpty }

  mutating func drop(_ key: Int64, _ end: LinkEnd) { dropped.append((key, end)) }
  mutating func unlink(_ key: Int64, _ end: LinkEnd) { unlinked.append((key, end)) }

  /// The properties of a row whose references do not stand.
  func dropped(_ row: RowPointer, _ entity: EntityLayout, among set: PropertySet?) -> [Int] {
    dropped.filter { key, end in
      key == row.key && entity.isKind(of: end.partner) && set?.contains(end.inverse) != false
        && !row.isNull(end.inverse) && row.slot(end.inverse) == end.object.key
    }.map(\.1.inverse)
  }
}
