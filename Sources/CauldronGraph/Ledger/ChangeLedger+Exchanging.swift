import CauldronModel

extension ChangeLedger {
  /// A layer as it may enter the ledger: with final keys, as far as they are known.
  /// - Complexity: O(1) as long as no provisional key was exchanged, else O(rows).
  func followed(_ layer: Layer) -> Layer {
    if provisional.exchangeCount == 0 { return layer }
    var exchanger = KeyExchanger(provisional.finals)
    return exchanger.exchanged(layer)
  }

  /// A change set with final keys, as far as they are known.
  func followed(_ changes: ChangeSet) -> ChangeSet {
    if provisional.exchangeCount == 0 { return changes }
    var exchanger = KeyExchanger(provisional.finals)
    return exchanger.exchanged(changes)
  }

  /// Puts final keys in the place of provisional ones, everywhere at one instant.
  ///
  /// The layers are made anew outside the lock; if some have come or gone meanwhile that is done
  /// again, the last time with the lock held.
  /// - Returns: The contexts, whose objects have to follow.
  /// - Complexity: O(pending rows).
  func exchange(_ exchanges: [ProvisionalKeys.Exchange]) -> [LedgerNode] {
    var finals = provisional.finals
    for exchange in exchanges { finals.add(exchange) }
    var exchanger = KeyExchanger(finals)
    for _ in 0..<3 {
      let before = withLock { Self.waiting(nodes.all) }
      let made = before.map { waiting in waiting.layers.map { exchanger.exchanged($0) } }
      let done = withLock {
        let now = Self.waiting(nodes.all)
        guard now.count == before.count, zip(now, before).allSatisfy({ $0.isSame(as: $1) }) else {
          return false
        }
        provisional.add(exchanges)
        for (waiting, layers) in zip(before, made) { waiting.install(layers) }
        return true
      }
      if done { return nodes.all }
    }
    withLock {
      provisional.add(exchanges)
      for waiting in Self.waiting(nodes.all) {
        waiting.install(waiting.layers.map { exchanger.exchanged($0) })
      }
    }
    return nodes.all
  }

  /// Puts the keys of rows that were there already in the place of those of new objects that turned out
  /// to be these, everywhere at the instant at which that is decided. It is seldom so.
  ///
  /// Called with the lock held.
  /// - Complexity: O(pending rows); nothing where there are no exchanges.
  func uncheckedExchange(_ exchanges: [ProvisionalKeys.Exchange]) {
    guard !exchanges.isEmpty else { return }
    provisional.add(exchanges)
    var exchanger = KeyExchanger(provisional.finals)
    for waiting in Self.waiting(nodes.all) {
      waiting.install(waiting.layers.map { exchanger.exchanged($0) })
    }
  }

  /// The layers of a context that no commit is writing right now.
  private struct Waiting {
    let node: LedgerNode
    private let generation: UInt64
    private let inFlight: Int
    let layers: [Layer]

    /// Called with the ledger's lock held.
    init(_ node: LedgerNode) {
      self.node = node
      generation = node.generation
      inFlight = node.inFlight
      layers = Array(node.layers.dropFirst(node.inFlight))
    }

    func isSame(as other: Waiting) -> Bool {
      node === other.node && generation == other.generation && inFlight == other.inFlight
    }

    /// Called with the ledger's lock held.
    func install(_ layers: [Layer]) {
      guard !zip(layers, self.layers).allSatisfy({ $0 === $1 }) else { return }
      var rest = layers[...]
      node.replaceWaiting { _ in rest.popFirst() }
    }
  }

  /// Called with the lock held.
  private static func waiting(_ nodes: [LedgerNode]) -> [Waiting] {
    nodes.filter { !$0.runs.isEmpty }.map(Waiting.init)
  }
}

extension Layer {
  /// Whether objects are inserted that have no key of the store's.
  /// - Complexity: O(entities).
  var insertsProvisionalKeys: Bool {
    changes.entities.contains { $0.insertedRows.leastKey < 0 }
  }
}
