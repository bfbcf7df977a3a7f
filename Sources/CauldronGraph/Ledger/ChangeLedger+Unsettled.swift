// Layers of which nobody knows whether a commit has written them lie at the start of a root's list,
// and no commit goes on before that is known.
extension ChangeLedger {
  /// Keeps what may be written at the start of the list, for the next commit to find out; what the
  /// store has refused before waits behind it.
  /// - Parameter flying: The places of the layers that the commit was writing.
  func suspend(_ node: LedgerNode, _ flights: [Flight], flying: [Int]) {
    let unsettled = flying.map { flights[$0] }
    let others = flights.indices.filter { !flying.contains($0) }.map { flights[$0].saved }
    withLock {
      uncheckedDoubt(unsettled.map(\.layer) + others)
      replaceFlight(node, flights.count, with: unsettled.map(\.layer) + others.map { followed($0) })
      node.unsettled = unsettled
      node.inFlight = 0
    }
  }

  /// Takes over to find out about the layers that may be written, but for those that were discarded
  /// meanwhile.
  func takeUnsettled(_ node: LedgerNode) -> [Flight] {
    withLock {
      defer { node.unsettled = [] }
      let waiting = Set(node.layers.map(ObjectIdentifier.init))
      return node.unsettled.filter { waiting.contains(ObjectIdentifier($0.layer)) }
    }
  }

  /// They are written.
  func settle(_ node: LedgerNode, written flights: [Flight]) {
    withLock { node.replaceFirst(flights.count, with: []) }
  }

  /// They are not written: they wait as they were saved.
  func settle(_ node: LedgerNode, notWritten flights: [Flight]) {
    withLock { replaceFlight(node, flights.count, with: flights.map(\.saved)) }
  }

  /// Nobody knows yet, so that nothing can be written: what a save has brought goes back to where it
  /// was made.
  /// - Returns: What went back.
  func giveBack(_ node: LedgerNode, where isBrought: (Layer) -> Bool) -> [Layer] {
    withLock {
      let unsettled = Set(node.unsettled.map { ObjectIdentifier($0.layer) })
      let brought = node.layers.filter {
        !unsettled.contains(ObjectIdentifier($0)) && $0.origin !== node && isBrought($0)
      }
      node.replaceWaiting { layer in brought.contains { $0 === layer } ? nil : layer }
      for layer in brought { uncheckedReturn(layer) }
      return brought
    }
  }

  /// Nobody knows yet.
  func leaveUnsettled(_ node: LedgerNode, _ flights: [Flight]) {
    withLock { node.unsettled = flights }
  }
}
