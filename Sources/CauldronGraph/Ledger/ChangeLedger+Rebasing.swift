import CauldronModel

// Objects drop or rebase what their context has not saved.
extension ChangeLedger {
  /// Puts rebased layers in the place of what they were made from.
  func replace(_ replacements: [ObjectIdentifier: Layer], in node: LedgerNode) {
    withLock {
      uncheckedDoubt(node.layers.lazy.filter { replacements[ObjectIdentifier($0)] != nil })
      node.replaceWaiting { layer in
        guard let rebased = replacements[ObjectIdentifier(layer)] else { return layer }
        return rebased.changes.count > 0 ? followed(rebased) : nil
      }
    }
  }

  /// Takes a context's own unsaved changes to objects out of its layers.
  /// - Parameter deletionsOnly: Whether other changes than deletions stay.
  func withdraw(
    _ ids: Set<ManagedObjectID>, from node: LedgerNode, deletionsOnly: Bool = false
  ) {
    withLock {
      node.replaceWaiting { layer in
        guard layer.isUnsaved(of: node) else { return layer }
        let rest = layer.changes.without(ids, deletionsOnly, number: changeSetID())
        if rest === layer.changes { return layer }
        uncheckedDoubt([layer])
        return rest.count > 0 ? layer.with(changes: rest) : nil
      }
    }
  }
}

extension ChangeSet {
  /// The same without changes to some objects.
  func without(
    _ ids: Set<ManagedObjectID>, _ deletionsOnly: Bool = false, number: UInt64
  ) -> ChangeSet {
    let rest = entities.map { set in
      let keys = Set(ids.lazy.filter { $0.entityNumber == set.entity.number }.map(\.key))
      return set.without(keys, deletionsOnly)
    }
    if zip(rest, entities).allSatisfy({ $0 === $1 }) { return self }
    return ChangeSet(id: number, entities: rest.filter { $0.count > 0 })
  }
}

extension EntityChanges {
  fileprivate func without(_ keys: Set<Int64>, _ deletionsOnly: Bool) -> EntityChanges {
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
