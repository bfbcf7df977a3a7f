import CauldronModel

/// What became of a push.
struct PushOutcome {
  /// The layers that are in the parent now.
  var accepted: [Layer] = []
  /// Those of them that a merge policy has changed, as they were before.
  var adapted: [Layer] = []
  /// Own layers that were refused and stay where they are.
  var refused: [(Layer, CauldronError)] = []
  /// Layers of others that were refused and go back to where they came from.
  var returned: [(Layer, CauldronError)] = []

  /// Why own layers were refused, each reason once.
  var refusals: [String] {
    var seen: Set<String> = []
    return refused.map { "\($0.1)" }.filter { seen.insert($0).inserted }
  }
}

extension ChangeLedger {
  /// Hands the layers of a context to its parent.
  ///
  /// The comparison with the parent's layers runs outside the lock; if something else came in
  /// meanwhile it runs again, the last time with the lock held.
  /// - Parameter strict: Whether the first refusal of an own layer stops the whole push.
  func push(
    _ node: LedgerNode, _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy,
    _ ticket: SaveTicket, strict: Bool
  ) throws(CauldronError) -> PushOutcome {
    guard let parent = node.parent else { return PushOutcome() }
    for _ in 0..<3 {
      let (layers, chain) = withLock { (node.layers, uncheckedChain(to: parent)) }
      let outcome = try check(layers, node, chain, coordinator, policy, ticket, strict)
      let done = withLock {
        guard isSame(node.layers, layers), isSame(uncheckedChain(to: parent).layers, chain.layers)
        else { return false }
        move(outcome, node, parent)
        return true
      }
      if done { return outcome }
    }
    return try withLock { () throws(CauldronError) -> PushOutcome in
      let outcome = try check(
        node.layers, node, uncheckedChain(to: parent), coordinator, policy, ticket, strict,
        mayRead: false)
      move(outcome, node, parent)
      return outcome
    }
  }

  private func check(
    _ layers: [Layer], _ node: LedgerNode, _ chain: LayerChain,
    _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy, _ ticket: SaveTicket,
    _ strict: Bool, mayRead: Bool = true
  ) throws(CauldronError) -> PushOutcome {
    var check = PushCheck(chain, coordinator, policy, mayRead: mayRead)
    var outcome = PushOutcome()
    // Own layers are judged together, because a later one may complete what an earlier one began.
    let own = strict ? [] : layers.filter { $0.ticket == nil }
    let problem = Validation.check(own, storeNumber: coordinator.storeNumber)
    for layer in layers {
      let isOwn = layer.ticket == nil
      do throws(CauldronError) {
        if isOwn, let problem { throw problem }
        let checked = try check.check(isOwn ? layer.with(ticket: ticket) : layer)
        outcome.accepted.append(checked)
        if checked.changes !== layer.changes { outcome.adapted.append(layer) }
      } catch {
        if isOwn, strict { throw error }
        if isOwn {
          outcome.refused.append((layer, error))
        } else {
          outcome.returned.append((layer, error))
        }
      }
    }
    return outcome
  }

  /// Called with the lock held.
  private func move(_ outcome: PushOutcome, _ node: LedgerNode, _ parent: LedgerNode) {
    for layer in outcome.accepted where layer.origin === node { layer.ticket?.expect() }
    parent.layers += outcome.accepted
    node.layers = outcome.refused.map(\.0)
    if !outcome.refused.isEmpty || !outcome.adapted.isEmpty { uncheckedDiverge() }
    for (layer, _) in outcome.returned { uncheckedReturn(layer) }
  }

  /// Puts a layer back where its changes were made, or into the nearest ancestor that is left.
  ///
  /// Called with the lock held.
  func uncheckedReturn(_ layer: Layer) {
    uncheckedDiverge()
    var home = layer.origin
    while !home.isAlive, let parent = home.parent { home = parent }
    let back = layer.returned(to: home)
    // Behind what a commit is writing right now, which is told by its place, and behind what came
    // back and was made earlier.
    let earlier = home.layers.dropFirst(home.inFlight)
      .prefix { $0.isReturned && $0.returnOrder < back.returnOrder }
    home.layers.insert(back, at: earlier.endIndex)
  }

  private func isSame(_ a: [Layer], _ b: [Layer]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0 === $1 }
  }
}
