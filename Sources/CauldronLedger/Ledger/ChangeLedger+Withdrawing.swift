package import CauldronModel
package import CauldronStore

// What a context drops of its own unsaved changes leaves its layers.
extension ChangeLedger {
  /// Takes a context's own unsaved changes to objects out of its layers.
  /// - Parameter deletionsOnly: Whether other changes than deletions stay.
  package func withdraw(
    _ ids: Set<ManagedObjectID>, from node: LedgerNode, deletionsOnly: Bool = false
  ) {
    withLock {
      node.dropped.subtract(ids)
      let ended = uncheckedWithdraw(from: node) {
        $0.without(ids, deletionsOnly: deletionsOnly, number: changeSetID())
      }
      followers.tell(ofEnded: ids, of: ended, by: node)
    }
  }

  /// Takes changes out of a context's own unsaved layers. Called with the lock held.
  /// - Parameters:
  ///   - endsReturns: Whether policies have brought nothing back any more over deletions that go.
  ///   - rest: What is left of a change set; the set itself where all of it is.
  /// - Returns: The layers that had some of them.
  @discardableResult
  private func uncheckedWithdraw(
    from node: LedgerNode, endsReturns: Bool = true, leaving rest: (ChangeSet) -> ChangeSet
  ) -> [Layer] {
    let layers = node.layers
    var touched: [Layer] = []
    node.replaceWaiting { layer in
      guard layer.isUnsaved(of: node) else { return layer }
      let rest = rest(layer.changes)
      if rest === layer.changes { return layer }
      touched.append(layer)
      return rest.count > 0 ? layer.with(changes: rest) : nil
    }
    uncheckedDoubt(touched)
    if endsReturns { uncheckedEndReturns(over: touched, in: node, among: layers) }
    return touched
  }

  /// Has a context's own unsaved changes to an object count for nothing from now on, for its children, too.
  /// They leave the layers when somebody looks at these, those of many objects at once.
  package func drop(_ id: ManagedObjectID, in node: LedgerNode) {
    withLock { _ = node.dropped.insert(id) }
  }

  /// Takes what was dropped out of the layers of a context and of those above it. Called with the lock
  /// held.
  func uncheckedSettle(to node: LedgerNode) {
    for ancestor in node.ancestors where !ancestor.dropped.isEmpty {
      uncheckedWithdrawDropped(from: ancestor)
    }
    if !node.dropped.isEmpty { uncheckedWithdrawDropped(from: node) }
  }

  func uncheckedWithdrawDropped(from node: LedgerNode) {
    let ids = node.dropped
    node.dropped = []
    let ended = uncheckedWithdraw(from: node) { $0.without(ids, number: changeSetID()) }
    followers.tell(ofEnded: ids, of: ended, by: node)
  }
}

// What policies have brought back is there as a whole only as long as a deletion lies below it.
extension ChangeLedger {
  /// Has a context's own deletions give way to what children have brought back over them.
  /// - Returns: The ends of one-to-one links that the deletions had cleared and a child has led elsewhere.
  package func end(
    _ deletions: EndedDeletions, in node: LedgerNode
  ) -> [ManagedObjectID: PropertySet] {
    let edits = deletions.edits
    var builder = RowBuilder()
    return withLock {
      // First, as what a child has brought back is told by the deletion that it lies on.
      node.replaceWaiting { layer in
        guard layer.changes.restores(anyOf: edits.keys) else { return layer }
        let changes = layer.changes.withoutRelinks(to: edits, &builder)
        return changes === layer.changes ? layer : layer.with(changes: changes)
      }
      let waiting = Array(node.layers.dropFirst(node.inFlight))
      let ended = EndedEnds(
        clearedFor: deletions.entailed.union(edits.keys), in: waiting, of: node)
      uncheckedWithdraw(from: node, endsReturns: false) {
        $0.without(edits, number: changeSetID())
      }
      uncheckedEndReturns(of: Set(edits.keys).subtracting(deletions.gone), in: node)
      var deletions = deletions
      if !deletions.lost.isEmpty {
        node.replaceWaiting { deletions.rebased($0, in: node) }
      }
      return withExtendedLifetime(waiting) { uncheckedEnd(ended, in: node, builder: &builder) }
    }
  }

  /// Has a context's own layers edit ends of one-to-one links no more, where a child has led them elsewhere.
  /// - Returns: Those ends: what they lead to is what the child has made of them.
  package func endEdits(
    _ ends: [ManagedObjectID: PropertySet], in node: LedgerNode
  ) -> [ManagedObjectID: PropertySet] {
    let ends = Dictionary(uniqueKeysWithValues: ends.map { ($0.ofAnyStore, $1) })
    var builder = RowBuilder()
    return withLock {
      let waiting = Array(node.layers.dropFirst(node.inFlight))
      return uncheckedEnd(
        EndedEnds(edited: ends, in: waiting, of: node), in: node, builder: &builder)
    }
  }

  /// Takes a context's part out of its layers. Called with the lock held.
  private func uncheckedEnd(
    _ ended: EndedEnds, in node: LedgerNode, builder: inout RowBuilder
  ) -> [ManagedObjectID: PropertySet] {
    if ended.all.isEmpty { return [:] }
    var ended = ended
    uncheckedDoubt(Array(node.layers.dropFirst(node.inFlight)))
    node.replaceWaiting { ended.rest(of: $0, in: node, &builder) }
    return ended.all
  }

  /// Deletions have left a context on another way than upwards. Called with the lock held.
  /// - Parameters:
  ///   - layers: The layers that had them.
  ///   - node: The context, if it was one: elsewhere only what its descendants have lay on these deletions.
  ///   - all: What the context had: the layers before the first of these lie below them.
  func uncheckedEndReturns(
    over layers: [Layer], in node: LedgerNode? = nil, among all: [Layer] = []
  ) {
    guard mayHaveReturns else { return }
    let ids = layers.reduce(into: Set<ManagedObjectID>()) { $0.formUnion($1.changes.deletedIDs) }
    if ids.isEmpty { return }
    uncheckedEndReturns(of: ids, in: node, after: all.prefix { $0 !== layers.first })
  }

  /// Deletions have come to nothing on their way up. Called with the lock held.
  /// - Parameters:
  ///   - remade: The layers that had them, and what they are now.
  ///   - node: Where they have come from: what lay on them is there, and further down.
  func uncheckedEndReturns(over remade: [(was: Layer, now: Layer)], from node: LedgerNode) {
    guard mayHaveReturns else { return }
    let ids = remade.reduce(into: Set<ManagedObjectID>()) {
      $0.formUnion($1.was.changes.deletedIDs.subtracting($1.now.changes.deletedIDs))
    }
    if !ids.isEmpty { uncheckedEndReturns(of: ids, in: node) }
  }

  /// Has what policies have brought back of objects be plain edits where no deletion lies below any more:
  /// about another deletion another policy decides. Called with the lock held.
  /// - Complexity: O(layers of all contexts) where something has come back; else O(1).
  private func uncheckedEndReturns(
    of ids: Set<ManagedObjectID>, in home: LedgerNode?, after first: ArraySlice<Layer> = []
  ) {
    let first = Set(first.map(ObjectIdentifier.init))
    mayHaveReturns = false
    for node in nodes.all {
      let restoring = node.runs.lazy.flatMap(\.layers).filter(\.changes.hasRestored)
      if restoring.isEmpty { continue }
      mayHaveReturns = true
      if let home, !node.isBelow(home) { continue }
      guard restoring.contains(where: { $0.changes.restores(anyOf: ids) }) else { continue }
      var below = uncheckedChain(to: node.parent)
      for layer in node.layers.prefix(node.inFlight) { below.append(layer) }
      node.replaceWaiting { layer in
        defer { below.append(layer) }
        if first.contains(ObjectIdentifier(layer)) || !layer.changes.restores(anyOf: ids) {
          return layer
        }
        return layer.withoutReturns { update, entity in
          let id = ManagedObjectID(update.row.key, entity)
          let isOver = !ids.contains(id) || below.newest(id)?.kind == .deletion
          return update.restoring(isOver)
        }
      }
    }
  }
}

extension ChangeSet {
  /// The objects that it deletes.
  fileprivate var deletedIDs: Set<ManagedObjectID> {
    var ids: Set<ManagedObjectID> = []
    for set in entities {
      for deletion in set.deleted { ids.insert(ManagedObjectID(deletion.key, set.entity)) }
    }
    return ids
  }

  /// Whether a policy has brought one of some objects back.
  fileprivate func restores(anyOf ids: some Collection<ManagedObjectID>) -> Bool {
    entities.contains { set in
      set.hasRestored
        && set.updated.contains {
          $0.isRestored && ids.contains(ManagedObjectID($0.row.key, set.entity))
        }
    }
  }

  /// The same without the one-to-one links that were made again with objects that came back: the context whose
  /// deletion had ended them makes them again itself.
  /// - Parameter objects: The objects.
  fileprivate func withoutRelinks(
    to objects: [ManagedObjectID: RowUpdate?], _ builder: inout RowBuilder
  ) -> ChangeSet {
    var ends: [ManagedObjectID: PropertySet] = [:]
    for set in entities where set.hasRestored && !set.entity.digest.oneToOnes.isEmpty {
      for update in set.updated where update.isRestored {
        if objects[ManagedObjectID(update.row.key, set.entity)] == nil { continue }
        for index in set.entity.digest.oneToOnes.subtracting(update.changed).indices {
          guard let destination = set.entity.properties[index].destination,
            !update.row.isNull(index)
          else { continue }
          for partner in destination.entity.family {
            ends[ManagedObjectID(update.row.slot(index), partner.entity), default: PropertySet()]
              .insert(destination.inverse)
          }
        }
      }
    }
    if ends.isEmpty { return self }
    let sets = entities.map { $0.withoutRelinks(ends, builder: &builder) }
    if zip(sets, entities).allSatisfy({ $0 === $1 }) { return self }
    return ChangeSet(id: id, entities: sets.filter { $0.count > 0 }, from: [self])
  }

  /// The same without changes to some objects, but for an update in the place of a deletion.
  fileprivate func without(
    _ edits: [ManagedObjectID: RowUpdate?], number: UInt64
  ) -> ChangeSet {
    let ids = Set(edits.keys)
    let rest = entities.map { set in
      let deleted = set.deleted.map { ManagedObjectID($0.key, set.entity) }
      let updates = deleted.compactMap { edits[$0] ?? nil }
      let rest = set.without(ids.keys(of: set.entity), deletionsOnly: false)
      if updates.isEmpty { return rest }
      return EntityChanges(
        entity: set.entity, inserted: rest.inserted, updated: rest.updated + updates,
        deleted: rest.deleted)
    }
    if zip(rest, entities).allSatisfy({ $0 === $1 }) { return self }
    return ChangeSet(id: number, entities: rest.filter { $0.count > 0 }, from: [self])
  }
}

extension EntityChanges {
  /// The same without the links that are made at some ends.
  fileprivate func withoutRelinks(
    _ ends: [ManagedObjectID: PropertySet], builder: inout RowBuilder
  ) -> EntityChanges {
    var isSame = true
    let updated = updated.compactMap { update -> RowUpdate? in
      guard let ends = ends[ManagedObjectID(update.row.key, entity)] else { return update }
      let made = PropertySet(
        ends.intersection(update.changed).indices.filter {
          update.base.isNull($0) && !update.row.isNull($0)
        })
      if made.isEmpty { return update }
      isSame = false
      let changed = update.changed.subtracting(made)
      if changed.isEmpty, !update.isRestored { return nil }
      let row = builder.merge(made, from: update.base, onto: update.row, entity)
      row.setVersion(update.row.version)
      return RowUpdate(
        row: row, base: update.base, changed: changed, first: update.first,
        nullified: update.nullified.subtracting(made), alone: update.alone,
        isRestored: update.isRestored)
    }
    if isSame { return self }
    return EntityChanges(entity: entity, inserted: inserted, updated: updated, deleted: deleted)
  }
}

extension ManagedObjectID {
  /// The ID as layers know it, which are of one store.
  var ofAnyStore: ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: entityNumber, storeNumber: 0)
  }
}

extension ChangeSet {
  /// The same without changes to some objects.
  package func without(
    _ ids: Set<ManagedObjectID>, deletionsOnly: Bool = false, number: UInt64
  ) -> ChangeSet {
    let rest = entities.map { $0.without(ids.keys(of: $0.entity), deletionsOnly: deletionsOnly) }
    if zip(rest, entities).allSatisfy({ $0 === $1 }) { return self }
    return ChangeSet(id: number, entities: rest.filter { $0.count > 0 })
  }

  /// The changes to some objects alone.
  func only(_ ids: Set<ManagedObjectID>) -> ChangeSet {
    let sets = entities.map { set in
      let keys = ids.keys(of: set.entity)
      return EntityChanges(
        entity: set.entity, inserted: set.inserted.filter { keys.contains($0.key) },
        updated: set.updated.filter { keys.contains($0.row.key) },
        deleted: set.deleted.filter { keys.contains($0.key) })
    }
    return ChangeSet(id: id, entities: sets.filter { $0.count > 0 }, from: [self])
  }
}

extension Set<ManagedObjectID> {
  /// The keys of those of an entity.
  fileprivate func keys(of entity: EntityLayout) -> Set<Int64> {
    Set<Int64>(lazy.filter { $0.entityNumber == entity.number }.map(\.key))
  }
}

extension EntityChanges {
  /// The same without changes to some rows; the set itself where it has none.
  package func without(_ keys: Set<Int64>, deletionsOnly: Bool = false) -> EntityChanges {
    guard
      keys.contains(where: { key in
        change(key).map { !deletionsOnly || $0.kind == .deletion } ?? false
      })
    else { return self }
    let others = deletionsOnly ? [] : keys
    return EntityChanges(
      entity: entity, inserted: inserted.filter { !others.contains($0.key) },
      updated: updated.filter { !others.contains($0.row.key) },
      deleted: deleted.filter { !keys.contains($0.key) })
  }
}
