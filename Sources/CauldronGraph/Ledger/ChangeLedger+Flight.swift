import CauldronModel

// A commit writes the layers at the start of a root's list. While it does, nobody else touches
// these: what comes in lies behind them, and what comes back, too.
extension ChangeLedger {
  /// Takes the layers of a context on the coordinator to be written, unless one of them inserts objects
  /// whose keys have to be exchanged first.
  /// - Parameter validated: The first numbers of the layers that were validated; others came in since,
  ///   and wait behind them for the next save. Nil for all layers.
  /// - Returns: The layers, or the ones that insert such objects.
  func beginFlight(
    _ node: LedgerNode, only validated: Set<UInt64>? = nil
  ) -> (layers: [Layer], provisional: [Layer]) {
    withLock {
      let (layers, late) = Self.parted(node.layers, validated)
      let provisional = layers.filter(\.insertsProvisionalKeys)
      if provisional.isEmpty {
        if !late.isEmpty { node.layers = layers + late }
        node.inFlight = layers.count
      }
      return (layers, provisional)
    }
  }

  /// Makes a context's own edits part of the save that writes them.
  /// - Parameter ticket: Called for each of them, with the lock held.
  func board(_ node: LedgerNode, _ ticket: () -> SaveTicket) -> [Flight] {
    withLock {
      let layers = node.layers.prefix(node.inFlight).map { layer in
        layer.isUnsaved(of: node) ? layer.accepted(ticket()) : layer
      }
      node.replaceFirst(layers.count, with: layers)
      return layers.map { Flight($0) }
    }
  }

  /// Has the commit go on with those layers that can be written, as they are now; the others go back.
  /// - Parameters:
  ///   - count: How many layers there were.
  ///   - exchanges: New objects that turned out to be others.
  func goOn(
    _ node: LedgerNode, with accepted: [Flight], insteadOf count: Int, returning refused: [Layer],
    _ exchanges: [ProvisionalKeys.Exchange] = []
  ) {
    withLock {
      replaceFlight(node, count, with: accepted.map(\.layer))
      node.inFlight = accepted.count
      for layer in refused { uncheckedReturn(layer) }
      uncheckedExchange(exchanges)
    }
  }

  /// The store has what a commit wrote: that leaves the ledger in the moment in which the commit ends.
  /// - Parameter failed: What was not written; it stays where it is, to be looked at again.
  func land(_ node: LedgerNode, count: Int, failed: [Layer]) {
    withLock {
      node.replaceFirst(count, with: failed)
      node.inFlight = failed.count
      uncheckedCommitEnds()
    }
  }

  /// The store as a whole has refused: some layers go back as they were saved, others wait on.
  ///
  /// What was made here stays where it lies, for it may be built on what children have brought.
  func giveUp(_ node: LedgerNode, _ flights: [Flight], returning isReturned: (Layer) -> Bool) {
    withLock {
      let saved = flights.map { ($0.saved, isReturned($0.saved)) }
      let waiting = saved.compactMap { layer, goesBack -> Layer? in
        if !goesBack { return followed(layer) }
        return layer.origin === node ? followed(layer).returned(to: node) : nil
      }
      replaceFlight(node, flights.count, with: waiting)
      node.inFlight = 0
      for (layer, goesBack) in saved where goesBack && layer.origin !== node {
        uncheckedReturn(layer)
      }
    }
  }

  /// Puts others in the place of layers that were to be written. Whoever has read those that go may
  /// push what he has built on them, so that they are in doubt from the same moment.
  ///
  /// Called with the lock held.
  func replaceFlight(_ node: LedgerNode, _ count: Int, with others: [Layer]) {
    let kept = Set(others.map(ObjectIdentifier.init))
    uncheckedDoubt(
      node.layers.prefix(count).filter { !kept.contains(ObjectIdentifier($0)) })
    node.replaceFirst(count, with: others)
  }

  /// Nothing is being written any more.
  func endFlight(_ node: LedgerNode) { withLock { node.inFlight = 0 } }
}
