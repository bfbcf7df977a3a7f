import CauldronModel
import CauldronStore

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
