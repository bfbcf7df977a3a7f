package import CauldronModel
import CauldronQuery
package import CauldronStore

/// A change set on its way to the store, with what has to be known when it arrives or fails.
package final class Layer: Sendable {
  package let changes: ChangeSet
  /// The context that made the changes, and gets them back if they cannot be written.
  package let origin: LedgerNode
  /// How far the changes have come.
  package let life: Life
  /// The objects that the changes make to-one relationships lead to.
  package let targets: Targets
  private let past: Past
  /// The number of the changes as they were first made, whatever was made of them since: what comes
  /// back lies in this order.
  package var firstNumber: UInt64 { past.number }

  /// What the changes were before.
  private struct Past: Sendable {
    let number: UInt64
    /// The changes as they were saved, where a merge policy has decided otherwise since. If the save fails, its
    /// decisions have never been.
    var asSaved: ChangeSet?
  }

  /// What can become of a layer, but for its end. That a commit is writing it right now is told by
  /// its place, at the start of the root's list: whoever has it keeps it as it is.
  package enum Life: Sendable {
    /// A context's own edits, which nobody has saved yet.
    case own
    /// Part of a save that waits for its end, in this context or further up.
    case accepted(SaveTicket)
    /// Saved, refused further up, and given back: a context's own, unsaved edits again.
    case returned
  }

  package convenience init(changes: ChangeSet, origin: LedgerNode) {
    self.init(changes: changes, origin: origin, life: .own)
  }

  package convenience init(
    changes: ChangeSet, origin: LedgerNode, life: Life, firstNumber: UInt64? = nil
  ) {
    self.init(
      changes: changes, origin: origin, life: life,
      past: Past(number: firstNumber ?? changes.id))
  }

  private init(
    changes: ChangeSet, origin: LedgerNode, life: Life, targets: Targets? = nil, past: Past
  ) {
    self.past = past
    self.life = life
    self.changes = changes
    self.origin = origin
    self.targets = targets ?? Targets(of: changes)
  }

  /// The same changes as part of a save.
  package func accepted(_ ticket: SaveTicket) -> Layer {
    Layer(
      changes: changes, origin: origin, life: .accepted(ticket), targets: targets, past: past)
  }

  /// The same changes, back in the context that made them, or in one that inherits them.
  package func returned(to home: LedgerNode) -> Layer {
    Layer(
      changes: changes, origin: home, life: .returned, targets: targets,
      past: Past(number: firstNumber))
  }

  /// Tells the saves that wait for it what became of it; nil while nobody has saved it.
  package var ticket: SaveTicket? { if case .accepted(let ticket) = life { ticket } else { nil } }

  /// What decides about the changes' conflicts: what their save asked for, or else the context's own
  /// policy.
  package func mergePolicy(or policy: MergePolicy) -> MergePolicy { ticket?.mergePolicy ?? policy }

  /// What the layer succeeds or fails with: the other layers of the same save.
  package var unit: ObjectIdentifier { ticket.map(ObjectIdentifier.init) ?? ObjectIdentifier(self) }

  /// Whether these are a context's own edits, which nobody has saved yet.
  package func isUnsaved(of node: LedgerNode) -> Bool { ticket == nil && origin === node }

  /// Whether the changes were saved, refused further up, and given back.
  package var isReturned: Bool { if case .returned = life { true } else { false } }

  /// The same layer with other changes, after a merge policy has decided, others' changes were taken
  /// in, or keys were exchanged.
  package func with(changes: ChangeSet) -> Layer {
    Layer(changes: changes, origin: origin, life: life, past: past)
  }

  /// The same layer, which goes back as another one if its save fails.
  package func decided(about layer: Layer) -> Layer {
    Layer(
      changes: changes, origin: origin, life: life, targets: targets,
      past: Past(number: firstNumber, asSaved: layer.past.asSaved ?? layer.changes))
  }

  /// The layer as it was saved; nil where it is that.
  package var undecided: Layer? {
    past.asSaved.map { Layer(changes: $0, origin: origin, life: life, firstNumber: firstNumber) }
  }
}

extension Layer {
  /// The layers by which contexts learn that a merge policy or a delete rule has adapted this one: itself, as
  /// dropped changes must be looked at, and the changes to objects that it did not touch.
  /// - Complexity: O(rows).
  package func seen(as adapted: Layer) -> [Layer] {
    if adapted.changes === changes { return [self] }
    let added = adapted.changes.entities.map { set in
      guard let own = changes.changes(to: set.entity.number) else { return set }
      return set.without(Set(own.keys))
    }.filter { $0.count > 0 }
    if added.isEmpty { return [self] }
    let rest = ChangeSet(id: adapted.changes.id, entities: added, from: [adapted.changes])
    return [self, with(changes: rest)]
  }
}

extension Layer {
  /// The same layer, with other updates of objects that a policy has brought back.
  func withoutReturns(
    _ replacement: (RowUpdate, EntityLayout) -> RowUpdate
  ) -> Layer {
    guard changes.hasRestored else { return self }
    let sets = changes.entities.map { set in
      guard set.hasRestored else { return set }
      let updated = set.updated.map { $0.isRestored ? replacement($0, set.entity) : $0 }
      return EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
    }
    return with(changes: ChangeSet(id: changes.id, entities: sets, from: [changes]))
  }
}

/// The keys that new and changed to-one references lead to, by the number of the root entity.
package struct Targets: Sendable {
  package private(set) var keys: [Int32: Set<Int64>] = [:]

  package init(of changes: ChangeSet) {
    // Nothing depends on a link: it goes with its ends.
    for entity in changes.entities where !entity.entity.isJoin {
      for property in entity.entity.digest.toOnes {
        guard let root = property.destination?.entity.root.number else { continue }
        add(property.index, of: entity, root: root)
      }
    }
  }

  package func contains(_ key: Int64, root: Int32) -> Bool {
    keys[root]?.contains(key) ?? false
  }

  private mutating func add(_ index: Int, of changes: EntityChanges, root: Int32) {
    var set = keys[root] ?? []
    var last: Int64?
    changes.forEachRow(setting: index) { row in
      let key = row.slot(index)
      if key != last { set.insert(key) }
      last = key
    }
    keys[root] = set.isEmpty ? nil : set
  }
}

extension Layer {
  /// Whether it makes no difference which of two layers comes first, this one or the one that
  /// follows: they touch different rows, neither refers to the rows of the other one, and no unique
  /// value goes from one to the other.
  /// - Complexity: O(rows · log rows).
  func isIndependent(of next: Layer) -> Bool {
    let (small, large) = changes.count < next.changes.count ? (self, next) : (next, self)
    return small.forEachKey { key, entity in !large.changes.touches(key, of: entity) }
      && !refers(to: next) && !next.refers(to: self) && !next.takesValues(from: self)
  }

  /// Whether `body` is true for all rows that the layer touches.
  private func forEachKey(_ body: (Int64, EntityLayout) -> Bool) -> Bool {
    changes.entities.allSatisfy { set in
      set.inserted.allSatisfy { body($0.key, set.entity) }
        && set.changedKeys.allSatisfy { body($0, set.entity) }
    }
  }

  /// Whether a reference, new or given up, or a link leads to what another layer touches.
  private func refers(to other: Layer) -> Bool {
    let isReferred = !other.forEachKey { key, entity in
      entity.isJoin || !targets.contains(key, root: entity.rootNumber)
    }
    return isReferred
      || changes.entities.contains { set in
        if !set.entity.isJoin { return set.leaves { other.changes.touches($0, of: $1) } }
        return (set.inserted + set.deleted.map(\.base)).contains {
          other.ends(of: $0, in: set.entity)
        }
      }
  }

  /// Whether it touches an object at an end of a link.
  private func ends(of link: RowPointer, in join: EntityLayout) -> Bool {
    join.properties.contains { end in
      guard let entity = end.destination?.entity else { return false }
      return changes.touches(link.slot(end.index), of: entity)
    }
  }

  /// Whether unique values are given to rows that another layer has taken from others.
  private func takesValues(from other: Layer) -> Bool {
    let freed = other.uniqueValues { $0.freeing($1) }
    return !freed.isEmpty && !freed.isDisjoint(with: uniqueValues { $0.taking($1) })
  }

  private func uniqueValues(
    _ rows: (EntityChanges, UniqueKey) -> [RowPointer]
  ) -> Set<UniqueValues> {
    var values: Set<UniqueValues> = []
    for set in changes.entities where !set.entity.uniqueKeys.isEmpty {
      for key in set.entity.uniqueKeys {
        let value = UniqueValue(key)
        for row in rows(set, key) {
          guard let scalars = value.values(of: row) else { continue }
          values.insert(UniqueValues(scalars, of: key, in: set.entity))
        }
      }
    }
    return values
  }
}

extension EntityChanges {
  /// Whether a reference that is given up has led to an object for which `isMeant` is true.
  fileprivate func leaves(_ isMeant: (Int64, EntityLayout) -> Bool) -> Bool {
    entity.digest.toOnes.contains { property in
      guard let target = property.destination?.entity else { return false }
      func isLeft(_ base: RowPointer) -> Bool {
        !base.isNull(property.index) && isMeant(base.slot(property.index), target)
      }
      return deleted.contains { isLeft($0.base) }
        || updated.contains { $0.changed.contains(property.index) && isLeft($0.base) }
    }
  }

  /// The rows that have values of a key no more, as they were.
  fileprivate func freeing(_ key: UniqueKey) -> [RowPointer] {
    moving(key).map(\.base) + deleted.map(\.base)
  }

  /// The rows that get values of a key, as they are then.
  fileprivate func taking(_ key: UniqueKey) -> [RowPointer] {
    inserted + updated.filter { !$0.brought(among: key.set).isEmpty }.map(\.row)
  }

  private func moving(_ key: UniqueKey) -> [RowUpdate] {
    updated.filter { !$0.changed.intersection(key.set).isEmpty }
  }
}

extension ChangeSet {
  /// Whether something is done to a row of a hierarchy.
  fileprivate func touches(_ key: Int64, of entity: EntityLayout) -> Bool {
    entities.contains { $0.entity.rootNumber == entity.rootNumber && $0.change(key) != nil }
  }
}

extension [Layer] {
  /// The newest update of an object that changes a property.
  package func lastUpdate(of id: ManagedObjectID, changing index: Int) -> RowUpdate? {
    reversed().lazy.compactMap { layer -> RowUpdate? in
      guard case .updated(let update)? = layer.changes.change(id) else { return nil }
      return update.changed.contains(index) ? update : nil
    }.first
  }
}
