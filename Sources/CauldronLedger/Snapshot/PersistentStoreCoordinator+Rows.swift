package import CauldronModel
package import CauldronStore

extension PersistentStoreCoordinator {
  /// Reads from the store together with the layers above it, both as of one instant.
  ///
  /// A short read runs first and asks afterwards whether a commit has begun meanwhile; only if so,
  /// or for a read that would be dear to repeat, is the reader's view pinned.
  /// - Parameter includesOwn: Whether the layers that wait in the context itself are seen.
  package func read<R>(
    for node: LedgerNode?, isShort: Bool = false, includesOwn: Bool = true,
    body: (Snapshot) throws -> R
  ) throws -> (R, LayerChain) {
    let reader = try store.reader()
    reader.cancellation = node?.cancellation
    defer { reader.finish() }
    if isShort {
      let (chain, _) = ledger.cut(of: node, includesOwn: includesOwn)
      if !chain.instant.overlapsCommit {
        let result = try body(Snapshot(chain: chain, reader: reader))
        if ledger.isCurrent(chain) { return (result, chain) }
      }
    }
    let snapshot = try pin(reader, for: node, includesOwn: includesOwn)
    return (try body(snapshot), snapshot.chain)
  }

  /// Fixes a reader's view and takes the layers that belong to it.
  ///
  /// The view is fixed outside the ledger's lock. Where two commits in a row have passed meanwhile,
  /// the beginning of the next one waits for the reader; no reader waits for a commit.
  private func pin(
    _ reader: any StoreReader, for node: LedgerNode?, includesOwn: Bool
  ) throws -> Snapshot {
    for _ in 0..<2 {
      if let snapshot = try pinOnce(reader, for: node, includesOwn: includesOwn) { return snapshot }
    }
    return try ledger.holdingCommits {
      while true {
        // At most the commit in flight can end once.
        if let snapshot = try pinOnce(reader, for: node, includesOwn: includesOwn) {
          return snapshot
        }
      }
    }
  }

  /// - Returns: Nil where a commit has passed, so that nobody knows which side of it the view is on.
  private func pinOnce(
    _ reader: any StoreReader, for node: LedgerNode?, includesOwn: Bool
  ) throws -> Snapshot? {
    let before = ledger.mark
    try reader.pin()
    var (chain, flying) = ledger.cut(of: node, includesOwn: includesOwn)
    // What others have written may have become known after the view was fixed without it.
    guard before.leads(to: chain.instant.mark), before.foreign == chain.instant.mark.foreign else {
      return nil
    }
    // The layers of another root's commit are not in the chain, which is right on both sides.
    if chain.instant.mark.isInFlight, chain.contains(anyOf: flying), try shows(flying, in: reader) {
      chain = chain.without(flying)
    }
    chain.instant.overlapsCommit = false
    return Snapshot(chain: chain, reader: reader)
  }

  /// Whether a pinned view has the commit that is bringing layers to the store. The commit is
  /// atomic, so one row tells.
  private func shows(_ flying: [Layer], in reader: any StoreReader) throws -> Bool {
    var unreadable: (any Error)?
    var isLinked = false
    for probe in CommitProbe.candidates(flying, most: 8) {
      do {
        let isPassed = try probe.isPassed(by: reader)
        // Others may have made or taken away the same link.
        if !isPassed || !probe.entity.isJoin { return isPassed }
        isLinked = true
      } catch {
        unreadable = error
      }
    }
    if isLinked { return true }
    if let unreadable { throw unreadable }
    // The commit changes no row: both sides are equal.
    return false
  }
}

extension PersistentStoreCoordinator {
  /// Whether an update of an object that a policy has brought back puts a row where none is.
  /// - Parameter chain: The layers below the update.
  package func bringsBack(
    _ update: RowUpdate, of entity: EntityLayout, over chain: LayerChain
  ) -> Bool {
    guard update.isRestored else { return false }
    if let newest = chain.newest(id(update.row.key, of: entity)) { return newest.kind == .deletion }
    guard let known = cache.known(update.row.key, root: entity.rootNumber) else {
      return keys.isUncommitted(update.row.key, root: entity.rootNumber)
    }
    return known == nil
  }

  /// Whether a save is known to have deleted a committed row.
  package func isKnownDeleted(_ key: Int64, of entity: EntityLayout) -> Bool {
    cache.known(key, root: entity.rootNumber).map { $0 == nil } ?? false
  }

  /// The row of an object as a context sees it: what is committed, and the layers on top.
  /// - Complexity: No statement where the row is cached or pending, else one.
  package func row(
    _ id: ManagedObjectID, of entity: EntityLayout, in node: LedgerNode,
    builder: inout RowBuilder
  ) throws -> HeldRow? {
    let state = ledger.state(to: node)
    if state.hasLayers {
      return try row(id, of: entity, over: ledger.view(of: node), in: node, builder: &builder)
    }
    if let row = cache.row(id.key, root: entity.rootNumber) {
      return row.isKind(of: entity) ? row : nil
    }
    return try uncachedRow(id, of: entity, mark: state.mark, in: node, builder: &builder)
  }

  /// The row of an object that the cache does not know, for a context without layers up to the
  /// store.
  /// - Complexity: One statement.
  /// - Parameter mark: The last commit as of a moment before, if none was being written.
  package func uncachedRow(
    _ id: ManagedObjectID, of entity: EntityLayout, mark: CommitMark?, in node: LedgerNode,
    builder: inout RowBuilder
  ) throws -> HeldRow? {
    if let mark {
      let row = try readRow(id.key, of: entity)
      if keep(row, of: entity, ifStill: mark) { return row }
    }
    return try read(for: node) { try $0.row(id.key, of: entity, builder: &builder) }.0
  }

  /// The row of an object as of a chain, or a newer one where a commit came after the chain.
  /// - Complexity: No statement where the row is cached or pending, else one.
  /// - Parameter includesOwn: Whether the chain has the layers that wait in the context itself.
  package func row(
    _ id: ManagedObjectID, of entity: EntityLayout, over chain: LayerChain, in node: LedgerNode,
    includesOwn: Bool = true, builder: inout RowBuilder
  ) throws -> HeldRow? {
    var isRight = true
    let row = try chain.compose(id.key, of: entity, builder: &builder) {
      if let known = cache.entry(id.key, root: entity.rootNumber) {
        isRight = ledger.cacheBelongs(to: chain)
        return known
      }
      let row = chain.instant.overlapsCommit ? nil : try readRow(id.key, of: entity)
      isRight = !chain.instant.overlapsCommit && keep(row, of: entity, ifStill: chain.instant.mark)
      return row
    }
    if isRight { return row }
    return try read(for: node, includesOwn: includesOwn) {
      try $0.row(id.key, of: entity, builder: &builder)
    }.0
  }

  /// The committed row of an object, from the cache or the store; nil where it is neither of the
  /// entity nor of a subentity, or is gone.
  /// - Complexity: No statement if the row is cached, else one.
  package func storedRow(_ id: ManagedObjectID, of entity: EntityLayout) throws -> HeldRow? {
    if let row = cache.row(id.key, root: entity.rootNumber) {
      return row.isKind(of: entity) ? row : nil
    }
    let mark = ledger.settledMark
    // A single row is of one moment, whatever is committed meanwhile; but it may be old by then.
    let row = try readRow(id.key, of: entity)
    if let mark { _ = keep(row, of: entity, ifStill: mark) }
    return row
  }

  /// The committed rows of objects from the store, those that exist; the cache has them from now on.
  /// - Complexity: One statement for each few hundred keys.
  package func storedRows(_ keys: [Int64], of entity: EntityLayout) throws -> [HeldRow] {
    let mark = ledger.settledMark
    let reader = try store.reader()
    defer { reader.finish() }
    let rows = try reader.rows(keys, of: entity).map(\.held)
    ledger.withLock {
      guard let mark, ledger.uncheckedSettledMark == mark else { return }
      // Links have no version by which a newer one could be told.
      for row in rows where !entity.isJoin { cache.insert(row, root: entity.rootNumber) }
    }
    return rows
  }

  /// Reads the rows that the cache does not know into it, many with one statement.
  ///
  /// Whoever asks for a row afterwards reads it by itself if this was in vain.
  /// - Parameters:
  ///   - keys: By the number of the root entity.
  ///   - few: So many are left to whoever asks for them.
  package func readAhead(_ keys: [Int32: [Int64]], few: Int = 1) {
    for (root, keys) in keys {
      guard let layout = managedObjectModel.layout(number: root) else { continue }
      let missing = zip(keys, cache.entries(keys, root: root)).filter { $1 == nil }.map(\.0)
      if missing.count > few { _ = try? storedRows(missing, of: layout) }
    }
  }

  private func readRow(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    let reader = try store.reader()
    defer { reader.finish() }
    return try reader.row(key, of: entity)
  }

  /// Puts a row into the cache if no commit has begun since it was read.
  /// - Returns: Whether none has.
  private func keep(_ row: HeldRow?, of entity: EntityLayout, ifStill mark: CommitMark) -> Bool {
    ledger.withLock {
      guard ledger.uncheckedSettledMark == mark else { return false }
      if let row, !entity.isJoin { cache.insert(row, root: entity.rootNumber) }
      return true
    }
  }
}

/// A row by which a view of the store tells on which side of an atomic commit it is.
struct CommitProbe {
  let key: Int64
  let entity: EntityLayout
  /// The row's version before the commit; nil where there was no row.
  let version: Int32?
  /// What a link is to be afterwards, which has no version.
  var after: RowPointer?

  /// Whether a reader's view has the commit: any state of the row but the old one is a later one.
  func isPassed(by reader: any StoreReader) throws -> Bool {
    let row = try reader.row(key, of: entity.root)
    if entity.isJoin {
      guard let row, let after else { return (row == nil) == (after == nil) }
      return withExtendedLifetime(row) { row.row.difference(from: after, entity).isEmpty }
    }
    return row?.row.version != version
  }

  /// Rows that a commit of these layers changes on the whole, best first: new ones can be read
  /// whatever others have written.
  static func candidates(_ layers: [Layer], most: Int) -> [CommitProbe] {
    var result: [CommitProbe] = []
    for (position, layer) in layers.enumerated() {
      let earlier = layers[..<position]
      let later = layers[(position + 1)...]
      for set in layer.changes.entities {
        for probe in probes(of: set) {
          if result.count == most { return result }
          let id = ManagedObjectID(probe.key, set.entity)
          if earlier.contains(where: { $0.changes.change(id) != nil }) { continue }
          if probe.version == nil, later.last(touching: id)?.isDeletion == true { continue }
          result.append(probe)
        }
      }
    }
    return result
  }

  private static func probes(of set: EntityChanges) -> some Sequence<CommitProbe> {
    let entity = set.entity
    let new = set.inserted.lazy.map {
      CommitProbe(key: $0.key, entity: entity, version: nil, after: $0)
    }
    let changed = set.updated.lazy.map {
      CommitProbe(
        key: $0.row.key, entity: entity, version: $0.base.version, after: $0.row)
    }
    let gone = set.deleted.lazy.map {
      CommitProbe(key: $0.key, entity: entity, version: $0.base.version)
    }
    return [AnySequence(new), AnySequence(changed), AnySequence(gone)].lazy.joined()
  }
}

extension ArraySlice<Layer> {
  fileprivate func last(touching id: ManagedObjectID) -> RowChange? {
    for layer in reversed() {
      if let change = layer.changes.change(id) { return change }
    }
    return nil
  }
}

extension RowChange {
  fileprivate var isDeletion: Bool { if case .deleted = self { true } else { false } }
}
