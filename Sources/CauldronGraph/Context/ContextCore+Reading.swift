import CauldronModel

extension ContextCore {
  /// An object's row as the context sees it now; nil where it is gone, or of another entity than the
  /// object, whose class would not fit.
  /// - Complexity: No statement where the row is cached or pending, else one.
  func row(of object: ManagedObject) throws -> HeldRow? {
    if pending.hasDropped(object.registeredID), let row = try rowWithoutOwn(object) {
      return fitting(row, object)
    }
    let row = try withSettledKeys {
      try coordinator.row(object.registeredID, object.layout, in: node, &builder)
    }
    return fitting(row, object)
  }

  /// The row of an object whose unsaved changes a refresh has dropped, which the layers still have;
  /// nil where it is gone or where they have them no more.
  private func rowWithoutOwn(_ object: ManagedObject) throws -> HeldRow? {
    let chain = withSettledKeys { coordinator.ledger.view(withoutUnsavedOf: node) }
    let row = try coordinator.row(object.registeredID, object.layout, chain, node, &builder)
    // A newer one would have been read with all layers.
    if coordinator.ledger.isCurrent(chain), row != nil { return row }
    settleRefreshes()
    return nil
  }

  /// An object's row as of a chain, or a newer one where a commit came after the chain.
  func row(of object: ManagedObject, _ chain: LayerChain) throws -> HeldRow? {
    let row = try coordinator.row(object.registeredID, object.layout, chain, node, &builder)
    // Where keys were exchanged after the chain was taken it is about others than the objects.
    if chain.exchangeCount != keys.followedCount || keys.isBehind {
      return try self.row(of: object)
    }
    return fitting(row, object)
  }

  /// An object's row without what the context itself has not handed on.
  func row(below object: ManagedObject) throws -> HeldRow? {
    let row = try withSettledKeys {
      let chain = coordinator.ledger.view(below: node)
      return try coordinator.row(
        object.registeredID, object.layout, chain, node, includesOwn: false, &builder)
    }
    return fitting(row, object)
  }

  private func fitting(_ row: HeldRow?, _ object: ManagedObject) -> HeldRow? {
    guard let row, row.row.entityNumber != object.entityNumber else { return row }
    forgetMisfit(object)
    return nil
  }
}
