import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronStore

// What stands for unique values that are not in the store yet.
extension Finder {
  /// What the values are claimed for; nil for another entity of the hierarchy.
  func claim(_ value: UniqueValues, for keyed: KeyedValues) -> UniqueClaims.Claim? {
    coordinator.claims.claim(value, of: keyed.entity) {
      let number = core.keys.take(for: keyed.entity, batch: 16)
      if begins(keyed.entity, reader: UniqueValue(keyed.key)) { return (number, nil) }
      return (number, origin(keyed, number: number))
    }
  }

  /// Has nothing be forgotten of what is claimed from now on, until layers insert it. Comes with a later
  /// ``claimIsUsed()``.
  /// - Complexity: One lock for an event that claims.
  @inline(__always)
  func beginClaim() {
    event.claimsInHand += 1
    if event.isClaiming { return }
    event.isClaiming = true
    coordinator.claims.begin(ObjectIdentifier(core))
  }

  /// What was claimed is an object of the event by now, or nobody has use for it.
  @inline(__always)
  func claimIsUsed() {
    event.claimsInHand -= 1
    if event.claimsInHand == 0, event.isEmpty { endClaiming() }
  }

  /// What was claimed is in layers, or nobody inserts it.
  func endClaiming() {
    guard event.isClaiming else { return }
    event.isClaiming = false
    coordinator.claims.end(ObjectIdentifier(core))
  }

  /// Whether all that is claimed begins with nothing but the defaults and the values.
  func begins(_ entity: EntityLayout, reader: UniqueValue) -> Bool {
    reader.isExact && entity.computedDefaults.isEmpty
  }

  /// Whether the context knows what became of an object that no commit has written.
  func sees(_ key: Int64, of entity: EntityLayout) -> Bool {
    core.keys.followExchanges()
    let number = coordinator.ledger.provisional.final(key, entity: entity.number)
    if let object = registry.object(number, root: entity.rootNumber),
      !object.isGone, !isUnseen(object)
    {
      return true
    }
    return coordinator.ledger.view(of: node).newest(coordinator.id(number, of: entity)) != nil
  }

  /// Whether an object is a fault of which the context knows the ID alone: one created by another context, say,
  /// and not saved to a level that this context reads.
  func isUnseen(_ object: ManagedObject) -> Bool {
    object.isFault && !object.isGone && object.isClean
  }

  /// The row without what only this context knows: it may never save that.
  func shared(_ row: RowPointer, of entity: EntityLayout) -> HeldRow {
    let own = entity.digest.toOnes.filter { property in
      guard !row.isNull(property.index), let target = property.destination?.entity else {
        return false
      }
      return coordinator.keys.isUncommitted(row.slot(property.index), root: target.rootNumber)
    }
    if own.isEmpty { return row.held }
    core.drafts.builder.close()
    let copy = core.drafts.builder.copy(row, entity)
    core.drafts.builder.close()
    for property in own {
      copy.setNull(property.index)
      for slot in property.companions { copy.setCompanion(0, at: slot) }
    }
    return copy.held
  }

  /// A row with the defaults and the values.
  func origin(_ keyed: KeyedValues, number: Int64) -> HeldRow {
    let row = began(keyed, number: number)
    core.drafts.builder.close()
    return row.held
  }

  /// A row with the defaults and the values, for a new object.
  func began(_ keyed: KeyedValues, number: Int64) -> RowPointer {
    let entity = keyed.entity
    core.drafts.builder.close()
    var row = core.drafts.builder.begin(entity, key: number)
    for computed in entity.computedDefaults {
      row = core.drafts.builder.set(computed.index, computed.make(), of: row, entity)
    }
    for (property, scalar) in zip(keyed.key.properties, keyed.scalars) {
      row = core.drafts.builder.set(property.index, scalar, of: row, entity)
    }
    return row
  }
}
