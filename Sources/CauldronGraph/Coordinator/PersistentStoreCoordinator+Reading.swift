package import CauldronModel

extension PersistentStoreCoordinator {
  /// Reads from the store together with the layers above it, both as of one instant.
  ///
  /// A short read runs first and asks afterwards whether a commit has begun meanwhile; only if so,
  /// or for a read that would be dear to repeat, is the reader's snapshot pinned under the lock.
  package func read<R>(
    _ node: LedgerNode?, isShort: Bool = false,
    _ body: (any StoreReader, LayerChain) throws -> R
  ) throws -> (R, LayerChain) {
    let reader = try store.reader()
    defer { reader.finish() }
    if isShort {
      let chain = ledger.withLock { ledger.uncheckedView(of: node) }
      if !chain.overlapsCommit {
        let result = try body(reader, chain)
        if ledger.isCurrent(chain) { return (result, chain) }
      }
    }
    var chain = LayerChain()
    try ledger.withLock {
      chain = ledger.uncheckedView(of: node)
      try reader.pin()
    }
    return (try body(reader, chain), chain)
  }

  /// The committed row of an object, from the cache or the store.
  /// - Complexity: No statement if the row is cached, else one.
  /// - Parameter mark: The last commit as of a moment before, if none was being written.
  func storedRow(
    _ id: ManagedObjectID, _ entity: EntityLayout, _ mark: CommitMark? = nil
  ) throws -> HeldRow? {
    if let row = cache.row(id.key, root: entity.rootNumber) { return row }
    return try uncachedRow(id, entity, mark ?? ledger.settledMark)
  }

  /// The committed row of an object from the store; the cache has it from now on.
  /// - Complexity: One statement.
  /// - Parameter mark: The last commit as of a moment before, if none was being written.
  func uncachedRow(
    _ id: ManagedObjectID, _ entity: EntityLayout, _ mark: CommitMark?
  ) throws -> HeldRow? {
    let reader = try store.reader()
    defer { reader.finish() }
    if let mark {
      let row = try reader.row(id.key, of: entity)
      if keep(row, entity, ifStill: mark) { return row }
    }
    var pinned: CommitMark?
    try ledger.withLock {
      pinned = ledger.uncheckedSettledMark
      try reader.pin()
    }
    let row = try reader.row(id.key, of: entity)
    if let pinned { _ = keep(row, entity, ifStill: pinned) }
    return row
  }

  /// Puts a row into the cache if no commit has begun since it was read.
  /// - Returns: Whether none has.
  private func keep(_ row: HeldRow?, _ entity: EntityLayout, ifStill mark: CommitMark) -> Bool {
    ledger.withLock {
      guard ledger.uncheckedSettledMark == mark else { return false }
      if let row { cache.insert(row, root: entity.rootNumber) }
      return true
    }
  }
}

extension ChangeLedger {
  /// Called with the lock held.
  func uncheckedIsCurrent(_ chain: LayerChain) -> Bool {
    chain.mark == uncheckedSettledMark && !chain.overlapsCommit
  }
}
