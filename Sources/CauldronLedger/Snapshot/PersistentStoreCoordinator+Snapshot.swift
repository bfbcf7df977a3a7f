import CauldronModel
import CauldronStore

extension PersistentStoreCoordinator {
  /// Reads from the store together with the layers above it, both as of one instant.
  ///
  /// A short read runs first and asks afterwards whether a commit has begun meanwhile; only if so,
  /// or for a read that would be dear to repeat, is the reader's view pinned.
  /// - Parameter includesOwn: Whether the layers that wait in the context itself are seen.
  package func read<R>(
    _ node: LedgerNode?, isShort: Bool = false, includesOwn: Bool = true,
    _ body: (Snapshot) throws -> R
  ) throws -> (R, LayerChain) {
    let reader = try store.reader()
    reader.cancellation = node?.cancellation
    defer { reader.finish() }
    if isShort {
      let (chain, _) = ledger.cut(of: node, includesOwn: includesOwn)
      if !chain.overlapsCommit {
        let result = try body(Snapshot(chain: chain, reader: reader))
        if ledger.isCurrent(chain) { return (result, chain) }
      }
    }
    let snapshot = try pin(reader, node, includesOwn)
    return (try body(snapshot), snapshot.chain)
  }

  /// Fixes a reader's view and takes the layers that belong to it.
  ///
  /// The view is fixed outside the ledger's lock. Where two commits in a row have passed meanwhile,
  /// the beginning of the next one waits for the reader; no reader waits for a commit.
  private func pin(
    _ reader: any StoreReader, _ node: LedgerNode?, _ includesOwn: Bool
  ) throws -> Snapshot {
    for _ in 0..<2 {
      if let snapshot = try pinOnce(reader, node, includesOwn) { return snapshot }
    }
    return try ledger.holdingCommits {
      while true {
        // At most the commit in flight can end once.
        if let snapshot = try pinOnce(reader, node, includesOwn) { return snapshot }
      }
    }
  }

  /// - Returns: Nil where a commit has passed, so that nobody knows which side of it the view is on.
  private func pinOnce(
    _ reader: any StoreReader, _ node: LedgerNode?, _ includesOwn: Bool
  ) throws -> Snapshot? {
    let before = ledger.mark
    try reader.pin()
    var (chain, flying) = ledger.cut(of: node, includesOwn: includesOwn)
    // What others have written may have become known after the view was fixed without it.
    guard before.leads(to: chain.mark), before.foreign == chain.mark.foreign else { return nil }
    // The layers of another root's commit are not in the chain, which is right on both sides.
    if chain.mark.isInFlight, chain.contains(anyOf: flying), try shows(flying, reader) {
      chain = chain.without(flying)
    }
    chain.overlapsCommit = false
    return Snapshot(chain: chain, reader: reader)
  }

  /// Whether a pinned view has the commit that is bringing layers to the store. The commit is
  /// atomic, so one row tells.
  private func shows(_ flying: [Layer], _ reader: any StoreReader) throws -> Bool {
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
