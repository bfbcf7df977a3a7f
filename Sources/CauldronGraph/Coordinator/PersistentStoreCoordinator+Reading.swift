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
      let chain = ledger.withLock { ledger.uncheckedChain(to: node) }
      if !chain.overlapsCommit {
        let result = try body(reader, chain)
        if ledger.isCurrent(chain) { return (result, chain) }
      }
    }
    var chain = LayerChain(layers: [])
    try ledger.withLock {
      chain = ledger.uncheckedChain(to: node)
      try reader.pin()
    }
    return (try body(reader, chain), chain)
  }

  /// The committed row of an object, from the cache or the store.
  /// - Complexity: No statement if the row is cached, else one.
  func storedRow(_ id: ManagedObjectID, _ entity: EntityLayout) throws -> HeldRow? {
    let root = entity.root.number
    if let row = cache.row(id.key, root: root) { return row }
    let (rows, chain) = try read(nil, isShort: true) { reader, _ in
      try reader.rows([id.key], of: entity)
    }
    guard let row = rows.rows.first?.held else { return nil }
    ledger.withLock {
      if ledger.uncheckedIsCurrent(chain) { cache.insert(row, root: root) }
    }
    return row
  }
}

extension ChangeLedger {
  /// Called with the lock held.
  func uncheckedIsCurrent(_ chain: LayerChain) -> Bool {
    let now = uncheckedChain(to: nil)
    return now.mark == chain.mark && !chain.overlapsCommit && now.mark.begun == now.mark.ended
  }
}
