import CauldronModel
import CauldronStore

/// Has both ends of one-to-one links follow what was decided about one of them.
///
/// A one-to-one relationship is two columns, and each may be in conflict by itself; but it is one
/// link: the decision about one end holds for the other. The references of a row that a policy restores, or
/// writes as a whole, were not edited by the save, and their partners have to lead back.
struct PairRule: PushRule {
  let draft: PushDraft

  /// Has both ends of one-to-one links follow a policy's decision about one of them.
  func withWholeLinks(_ sets: [EntityChanges]) -> [EntityChanges] {
    var edits = LinkEdits()
    for resolution in draft.resolutions {
      guard let end = LinkEnd(resolution, coordinator) else { continue }
      switch resolution.outcome {
      case .tookTheirs, .droppedEdit:
        // The partner that was chosen here does not get the link.
        edits.drop(end.key(resolution.mine), at: end)
      case .keptMine:
        // The partner that was chosen there loses it.
        let last = draft.lastChange(of: end)
        if let theirs = end.key(resolution.theirs), theirs != end.key(resolution.mine),
          last?.partner != .some(theirs)
        {
          edits.unlink(theirs, at: end)
        }
        // Where a later layer leads the end on, that one makes the link.
        if last != nil { continue }
        guard let mine = end.key(resolution.mine) else { continue }
        // The partner may have no edit: the reference is written with the whole row, or the partner was set
        // back to where it led at first. Or it has one, and the reference alone has none.
        if !isEdited(end), leadsElsewhere(mine, at: end, among: sets) {
          let theirs = end.key(resolution.theirs)
          let isFree = theirs.map { leadsElsewhere($0, at: end, among: sets) } ?? false
          if isFree { edits.clear(end) } else { edits.drop(nil, at: end) }
        } else {
          edits.link(mine, at: end, takes: true)
        }
      case .insertedAgain, .deletedTheirs, .keptTheirs, .deletedAlready, .becameExisting: continue
      }
    }
    for link in draft.decidedLinks.becoming {
      guard let end = LinkEnd(link.object, link.property, coordinator) else { continue }
      if link.isWritten {
        if let theirs = link.theirs { edits.unlink(theirs, at: end) }
      } else if let mine = link.mine {
        edits.drop(mine, at: end)
      }
    }
    for link in draft.decidedLinks.restored where !coordinator.has(.halfRestored) {
      guard let end = LinkEnd(link.object, link.property, coordinator) else { continue }
      if leadsElsewhere(link.mine, at: end, among: sets) {
        edits.drop(nil, at: end)
      } else {
        edits.link(link.mine, at: end, takes: policy == .overwrite)
      }
    }
    decide(about: LonelyEnd.all(of: sets, in: draft), &edits)
    if edits.isEmpty { return sets }
    linkAgain(&edits, among: sets)
    if !coordinator.has(.lostThirds) { edits.dropUnits(of: draft.layer.changes) }
    return apply(edits, to: sets)
  }

  /// A partner that an end is led away from follows the edit. One that leads elsewhere does where the layer wins;
  /// where the receiver does, the layer's ends go.
  private func decide(about lonely: [LonelyEnd], _ edits: inout LinkEdits) {
    for lonely in lonely {
      switch (lonely.kind, policy) {
      case (.left, _):
        edits.unlink(lonely.partner, at: lonely.end)
        draft.freed[lonely.end.place(ofPartner: lonely.partner)] = lonely.end.object.key
      case (.taken, .mergeByPropertyObjectTrump), (.taken, .overwrite):
        edits.link(lonely.partner, at: lonely.end, takes: true)
      case (.taken, _): edits.drop(lonely.mine, at: lonely.end)
      }
    }
  }

  /// - Complexity: O(rows), and what the partners' rows take to be found.
  private func apply(_ edits: LinkEdits, to sets: [EntityChanges]) -> [EntityChanges] {
    var added: [Int32: [(update: RowUpdate, index: Int)]] = [:]
    for (key, end) in edits.unlinked where !sets.touch(key, at: end) && !edits.drops(end) {
      guard let update = unlinked(key, at: end) else { continue }
      added[update.row.entityNumber, default: []].append((update, end.inverse))
    }
    for (row, end) in edits.relinked {
      added[row.entityNumber, default: []].append((linked(row, at: end), end.inverse))
    }
    var result = sets.map { set in
      adding(added.removeValue(forKey: set.entity.number) ?? [], to: dropping(edits, from: set))
    }
    for (number, updates) in added.sorted(by: { $0.key < $1.key }) {
      guard let entity = coordinator.managedObjectModel.layout(number: number) else { continue }
      let empty = EntityChanges(entity: entity, inserted: [], updated: [], deleted: [])
      result.append(adding(updates, to: empty))
    }
    return result
  }

  /// Adds updates of one reference each.
  private func adding(
    _ added: [(update: RowUpdate, index: Int)], to set: EntityChanges
  ) -> EntityChanges {
    if added.isEmpty { return set }
    draft.isNoticed = true
    var updated = set.updated
    var places: [Int64: Int] = [:]
    for (place, update) in updated.enumerated() { places[update.row.key] = place }
    for (update, index) in added {
      if let place = places[update.row.key] {
        updated[place] = joined(updated[place], with: update, inverse: index, of: set.entity)
      } else {
        places[update.row.key] = updated.count
        updated.append(update)
      }
    }
    return EntityChanges(
      entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
  }

  /// One update for two of the same row, the second of which changes one reference.
  private func joined(
    _ update: RowUpdate, with other: RowUpdate, inverse: Int, of entity: EntityLayout
  ) -> RowUpdate {
    let reference = PropertySet(CollectionOfOne(inverse))
    let row = draft.builder.merge(reference, from: other.row, onto: update.row, entity)
    row.setVersion(update.row.version)
    row.setMaker(draft.maker())
    let base = draft.builder.merge(reference, from: other.base, onto: update.base, entity)
    return RowUpdate(
      row: row, base: base, changed: update.changed.union(reference), first: update.first,
      nullified: update.nullified, alone: update.alone, isRestored: update.isRestored)
  }

  /// Takes references out of the layer that the policy has not let stand at their other end.
  private func dropping(_ edits: LinkEdits, from set: EntityChanges) -> EntityChanges {
    var isSame = true
    let updated = set.updated.compactMap { update -> RowUpdate? in
      let free = edits.cleared(update.row, of: set.entity)
      // A reference that a delete rule has cleared is no edit.
      let edited = update.changed.subtracting(update.nullified)
      let all = edits.dropped(update.row, of: set.entity, among: update.isRestored ? nil : edited)
        .filter { !free.contains($0) }
      if free.isEmpty, all.isEmpty { return update }
      isSame = false
      let rest =
        free.isEmpty
        ? update : cleared(free, in: update, of: set.entity, isRestored: update.isRestored)
      if all.isEmpty { return rest }
      // A restored row that some references do not come back with, also where the row itself was never away.
      return rest.isRestored
        ? cleared(all, in: rest, of: set.entity, isRestored: true)
        : draft.without(all, in: rest, of: set.entity)
    }
    let inserted = set.inserted.map { row -> RowPointer in
      let dropped = edits.dropped(row, of: set.entity, among: nil)
      if dropped.isEmpty { return row }
      isSame = false
      return draft.cleared(row, properties: PropertySet(dropped), of: set.entity)
    }
    if isSame { return set }
    draft.isNoticed = true
    return EntityChanges(
      entity: set.entity, inserted: inserted, updated: updated, deleted: set.deleted)
  }

  private func cleared(
    _ properties: [Int], in update: RowUpdate, of entity: EntityLayout, isRestored: Bool
  ) -> RowUpdate {
    RowUpdate(
      row: draft.cleared(update.row, properties: PropertySet(properties), of: entity),
      base: update.base,
      changed: update.changed.union(PropertySet(properties)), first: update.first,
      nullified: update.nullified, alone: update.alone, isRestored: isRestored)
  }

  /// Whether the save itself has led an end somewhere.
  private func isEdited(_ end: LinkEnd) -> Bool {
    guard case .updated(let update)? = draft.layer.changes.change(end.object) else { return false }
    return update.changed.subtracting(update.nullified).contains(end.index)
  }

  /// Whether the layer itself leads a partner to another object.
  private func leadsElsewhere(_ key: Int64, at end: LinkEnd, among sets: [EntityChanges]) -> Bool {
    sets.contains { set in
      guard set.entity.rootNumber == end.partner.rootNumber,
        case .updated(let update)? = set.change(key),
        update.changed.subtracting(update.nullified).contains(end.inverse)
      else { return false }
      return update.row.isNull(end.inverse) || update.row.slot(end.inverse) != end.object.key
    }
  }

  /// The update that takes a partner's reference away, if it still leads to the object.
  private func unlinked(_ key: Int64, at end: LinkEnd) -> RowUpdate? {
    guard let row = receiver.partner(of: key, at: end), !row.isNull(end.inverse),
      row.slot(end.inverse) == end.object.key,
      let entity = coordinator.managedObjectModel.layout(number: row.entityNumber),
      // A required reference stays, and the save is refused.
      !entity.properties[end.inverse].isRequired
    else { return nil }
    let reference = PropertySet(CollectionOfOne(end.inverse))
    let new = draft.cleared(row, properties: reference, of: entity)
    new.setVersion(row.nextVersion)
    return RowUpdate(row: new, base: row, changed: reference)
  }

  /// Decides about the partners that have to lead back. A free partner does. A partner of another object is
  /// taken from it, or the link is not made.
  private func linkAgain(_ edits: inout LinkEdits, among sets: [EntityChanges]) {
    for (key, end, takes) in edits.linked where !sets.touch(key, at: end) {
      guard let row = receiver.partner(of: key, at: end) else { continue }
      let other = row.isNull(end.inverse) ? nil : row.slot(end.inverse)
      if other == end.object.key { continue }
      guard let entity = coordinator.managedObjectModel.layout(number: row.entityNumber),
        let far = LinkEnd(coordinator.id(key, of: entity), end.inverse, coordinator)
      else { continue }
      if let other {
        guard takes else {
          edits.drop(nil, at: end)
          continue
        }
        edits.unlink(other, at: far)
      }
      edits.relinked.append((row, end))
    }
  }

  /// The update that has a partner lead back to the object.
  private func linked(_ row: RowPointer, at end: LinkEnd) -> RowUpdate {
    let entity = coordinator.managedObjectModel.layout(number: row.entityNumber) ?? end.partner
    let new = draft.builder.copy(row, entity)
    draft.builder.close()
    new.setSlot(end.inverse, end.object.key)
    if let slot = entity.properties[end.inverse].entitySlot {
      new.setCompanion(Int64(end.object.entityNumber), at: slot)
    }
    new.setVersion(row.nextVersion)
    new.setMaker(draft.maker())
    return RowUpdate(row: new, base: row, changed: PropertySet(CollectionOfOne(end.inverse)))
  }
}

/// An edited or deleted end of a one-to-one link whose partner the layer does not edit, and which the layer alone
/// would leave half.
///
/// A context edits both ends of a link, and those of the former partners. It reads each object at a time of its
/// own, though: a former partner that showed a third object at the edit has been left alone, and a partner that
/// was set back to where it led at first has no edit.
struct LonelyEnd {
  enum Kind {
    /// The partner that the end is led to leads elsewhere.
    case taken
    /// The partner that the end is led away from leads to it still.
    case left
  }

  let end: LinkEnd
  let kind: Kind
  /// The key of the partner that has no edit.
  let partner: Int64
  /// The key that the layer leads the end to, if any.
  let mine: Int64?

  /// The lonely ends of a layer that are no conflict, or that its policy decides about.
  ///
  /// The former partner of an end was seen at that end, so that the loss of its link is no conflict. A new partner
  /// with another link by now is a conflict.
  /// - Parameter sets: The layer's changes, as far as they are decided.
  /// - Complexity: O(edited ends); a look at the receiver for each partner that the layer does not edit.
  static func all(of sets: [EntityChanges], in draft: PushDraft) -> [LonelyEnd] {
    let decides = draft.policy != .error && draft.policy != .strict
    let search = LonelyEndSearch(draft: draft, sets: sets, takes: decides)
    return sets.lazy.filter { !$0.entity.digest.oneToOnes.isEmpty }.flatMap { set in
      set.updated.flatMap { update in
        update.changed.subtracting(update.nullified).intersection(set.entity.digest.oneToOnes)
          .indices.flatMap { search.ends(at: $0, of: update, set.entity) }
      } + set.deleted.flatMap { search.ends(left: $0.base, of: set.entity) }
    }
  }
}

/// Looks at the partners of single ends.
private struct LonelyEndSearch {
  let draft: PushDraft
  let sets: [EntityChanges]
  /// Whether partners are looked for that lead elsewhere.
  let takes: Bool

  func ends(at index: Int, of update: RowUpdate, _ entity: EntityLayout) -> [LonelyEnd] {
    let coordinator = draft.receiver.coordinator
    guard let end = LinkEnd(coordinator.id(update.row.key, of: entity), index, coordinator) else {
      return []
    }
    let mine = update.row.isNull(index) ? nil : update.row.slot(index)
    let theirs = update.base.isNull(index) ? nil : update.base.slot(index)
    let last = draft.lastChange(of: end)
    let taken = mine.flatMap { partner in
      takes && last == nil && leadsBack(partner, to: end) == false
        ? LonelyEnd(end: end, kind: .taken, partner: partner, mine: mine) : nil
    }
    let left = theirs.flatMap { partner in
      partner != mine && last?.partner != .some(partner)
        && leadsBack(partner, to: end) == true
        ? LonelyEnd(end: end, kind: .left, partner: partner, mine: mine) : nil
    }
    return [taken, left].compactMap { $0 }
  }

  /// The ends of a deleted object whose partners still lead to it. The context has read the object beside another
  /// partner, or has refreshed it after the deletion.
  func ends(left row: RowPointer, of entity: EntityLayout) -> [LonelyEnd] {
    let coordinator = draft.receiver.coordinator
    return entity.digest.oneToOnes.indices.compactMap { index in
      guard entity.properties[index].deleteRule == .nullify, !row.isNull(index),
        let end = LinkEnd(coordinator.id(row.key, of: entity), index, coordinator),
        leadsBack(row.slot(index), to: end) == true
      else { return nil }
      return LonelyEnd(end: end, kind: .left, partner: row.slot(index), mine: nil)
    }
  }

  /// Whether a partner leads to an end in the receiver; nil where the save itself says where it leads.
  private func leadsBack(_ partner: Int64, to end: LinkEnd) -> Bool? {
    if sets.touch(partner, at: end) { return nil }
    let open = draft.later.last { later in
      later.unit == draft.layer.unit && later.changes.entities.touch(partner, at: end)
    }
    guard open == nil, let row = draft.receiver.partner(of: partner, at: end) else { return nil }
    return !row.isNull(end.inverse) && row.slot(end.inverse) == end.object.key
  }
}

extension [EntityChanges] {
  /// Whether changes themselves say what becomes of a partner's reference.
  func touch(_ key: Int64, at end: LinkEnd) -> Bool {
    contains { set in
      guard set.entity.rootNumber == end.partner.rootNumber, let change = set.change(key) else {
        return false
      }
      if case .updated(let update) = change { return update.brings(end.inverse) }
      return true
    }
  }
}
