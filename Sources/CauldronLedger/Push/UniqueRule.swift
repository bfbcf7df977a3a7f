import CauldronModel
import CauldronQuery
import CauldronStore

/// Sees to it that no two objects have the same unique values.
///
/// Two contexts may each save an object with a value that there may be once only. Whoever comes second
/// meets the conflict, here and not first in the store.
struct UniqueRule: PushRule {
  let draft: PushDraft

  /// The changes with unique values; nil where they are as they were. What the policy does not decide is
  /// among the conflicts.
  /// - Complexity: O(rows with unique keys, and rows above that have some).
  func withUniqueValues(_ sets: [EntityChanges]) -> [EntityChanges]? {
    guard draft.conflicts.isEmpty, sets.contains(where: \.mayRepeatValues) else { return nil }
    var result: [EntityChanges]?
    // What becomes of one row may give another one values that are taken.
    for _ in 0..<4 {
      let pairs = twins(result ?? sets)
      if pairs.isEmpty || !draft.conflicts.isEmpty { return result }
      result = resolved(pairs, in: result ?? sets)
    }
    for pair in twins(result ?? sets) { refuse(pair) }
    return result
  }

  private func twins(_ sets: [EntityChanges]) -> [TwinSearch.Pair] {
    TwinSearch(sets, above: receiver.chain.runs, stored: receiver.storedTwins) { key, entity in
      switch receiver.pending(coordinator.id(key, of: entity), of: entity) {
      case .row(let row): row
      case .deleted, .missing, .unknown: nil
      case nil: receiver.storedTwins.row(coordinator.id(key, of: entity))
      }
    }.pairs
  }

  private func resolved(
    _ pairs: [TwinSearch.Pair], in sets: [EntityChanges]
  ) -> [EntityChanges] {
    var edits = UniqueEdits()
    let moving = Set(pairs.map(\.row))
    // What becomes of the other one comes first, and of this one in another round.
    for pair in pairs where !moving.contains(pair.other) {
      if mayBecomeOther(pair) {
        become(pair, among: sets, edits: &edits)
      } else if policy == .mergeByPropertyStoreTrump || policy == .rollback,
        case .updated(let update) = sets.change(pair.row),
        !update.changed.intersection(pair.key.set).isEmpty
      {
        draft.isNoticed = true
        edits.withdrawn[coordinator.id(pair.row)] = pair.key.set
        draft.note(
          .droppedEdit, of: pair.key.set.intersection(update.changed), in: update, over: update.base
        )
      } else {
        refuse(pair)
      }
    }
    return draft.conflicts.isEmpty ? applied(edits, to: sets) : sets
  }

  /// Whether the row is that of a new object which may become the other one.
  ///
  /// The key of what is in the store, or was, is never exchanged for another one: it is the object's own,
  /// also where the row is inserted again.
  private func mayBecomeOther(_ pair: TwinSearch.Pair) -> Bool {
    guard pair.isNew, pair.other.entityNumber == pair.row.entityNumber,
      coordinator.keys.isUncommitted(pair.row.key, root: pair.entity.rootNumber)
        || coordinator.has(.exchangedCommitted)
    else { return false }
    if policy != .error, policy != .strict,
      draft.joinable.map({ $0[pair.entity.rootNumber]?.contains(pair.key.number) == true }) ?? true
    {
      return true
    }
    let origin = coordinator.claims.origin(of: pair.row.key, root: pair.entity.rootNumber)
    // Who asks for an object by some values asks for no other values.
    return origin?.claimed?.number == pair.key.number
  }

  private func refuse(_ pair: TwinSearch.Pair) {
    let other = coordinator.managedObjectModel.layout(number: pair.other.entityNumber)
    draft.conflicts.append(
      .notUnique(
        draft.named(pair.row, of: pair.entity), pair.key.names,
        other: draft.named(pair.other, of: other ?? pair.entity)
      ))
  }

  /// Has a new object become the one that has its values.
  private func become(
    _ pair: TwinSearch.Pair, among sets: [EntityChanges], edits: inout UniqueEdits
  ) {
    let update = ExistingObjectRule(draft: draft).joined(
      pair.row, with: pair.other, of: pair.entity)
    edits.dropped.insert(pair.row)
    draft.exchanges.append(
      .init(
        old: pair.row.key, new: pair.other.key, root: pair.entity.rootNumber, becomesOther: true))
    guard let update else { return }
    let id = coordinator.id(pair.other)
    if let known = edits.updates[id] {
      edits.updates[id] = combined(known, with: update, of: pair.entity)
    } else if case .updated(let own) = sets.change(pair.other) {
      edits.updates[id] = combined(own, with: update, of: pair.entity)
    } else {
      edits.updates[id] = update
    }
  }

  /// What two changes of one row make of it.
  private func combined(
    _ first: RowUpdate, with second: RowUpdate, of entity: EntityLayout
  ) -> RowUpdate {
    let row = draft.builder.merge(second.changed, from: second.row, onto: first.row, entity)
    row.setVersion(first.row.version)
    row.setMaker(draft.maker())
    return RowUpdate(
      row: row, base: first.base, changed: first.changed.union(second.changed), first: first.first,
      nullified: first.nullified.subtracting(second.changed), alone: first.alone ?? second.alone,
      isRestored: first.isRestored)
  }

  private func applied(
    _ edits: UniqueEdits, to sets: [EntityChanges]
  ) -> [EntityChanges] {
    var finals = FinalKeys()
    for exchange in draft.exchanges { finals.add(exchange) }
    var exchanger = KeyExchanger(finals)
    return sets.map { set in
      guard !set.entity.uniqueKeys.isEmpty else { return exchanger.exchanged(set) }
      return exchanger.exchanged(applied(edits, to: set))
    }
  }

  private func applied(_ edits: UniqueEdits, to set: EntityChanges) -> EntityChanges {
    let entity = set.entity
    var updates = edits.updates.filter { $0.key.entityNumber == entity.number }
    // A row of the layer that another one of it has become stays a new one.
    let inserted = set.inserted.filter { !edits.dropped.contains($0) }.map { row in
      guard let update = updates.removeValue(forKey: coordinator.id(row)) else { return row }
      update.row.setVersion(row.version)
      return update.row
    }
    var updated = set.updated.compactMap { update -> RowUpdate? in
      let id = coordinator.id(update.row)
      if let known = updates.removeValue(forKey: id) { return known }
      guard let taken = edits.withdrawn[id] else { return update }
      return draft.without(taken.indices.filter(update.changed.contains), in: update, of: entity)
    }
    updated += updates.values.sorted { $0.row.key < $1.row.key }
    return EntityChanges(
      entity: entity, inserted: inserted, updated: updated, deleted: set.deleted)
  }
}

/// What has to be done so that values are unique.
private struct UniqueEdits {
  /// New rows that others stand for.
  var dropped: Set<RowPointer> = []
  /// What becomes of those others.
  var updates: [ManagedObjectID: RowUpdate] = [:]
  /// Unique values that rows do not get.
  var withdrawn: [ManagedObjectID: PropertySet] = [:]
}

extension EntityChanges {
  /// Whether there are rows that may have the unique values of others.
  fileprivate var mayRepeatValues: Bool {
    if entity.uniqueKeys.isEmpty { return false }
    if !inserted.isEmpty { return true }
    let keys = entity.uniqueProperties
    return updated.contains { !$0.brought(among: keys).isEmpty }
  }
}

extension EntityChanges {
  /// Links of two objects that have become one may be one, too.
  var withoutRepeatedLinks: EntityChanges {
    var seen: Set<Int64> = []
    let links = inserted.filter { seen.insert($0.key).inserted }
    if links.count == inserted.count { return self }
    return EntityChanges(entity: entity, inserted: links, updated: updated, deleted: deleted)
  }
}

extension [EntityChanges] {
  /// What is done to a row.
  fileprivate func change(_ row: RowPointer) -> RowChange? {
    first { $0.entity.number == row.entityNumber }?.change(row.key)
  }
}
