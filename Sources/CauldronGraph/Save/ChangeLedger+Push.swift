import CauldronModel

/// What became of a push.
struct PushOutcome {
  /// The layers that are in the parent now.
  var accepted: [Layer] = []
  /// Those of them that a merge policy has changed.
  var adapted: [Layer] = []
  /// Own layers that were refused and stay where they are.
  var refused: [(Layer, CauldronError)] = []
  /// Layers of others that were refused and go back to where they came from.
  var returned: [(Layer, CauldronError)] = []
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
        node.layers, node, uncheckedChain(to: parent), coordinator, policy, ticket, strict)
      move(outcome, node, parent)
      return outcome
    }
  }

  private func check(
    _ layers: [Layer], _ node: LedgerNode, _ chain: LayerChain,
    _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy, _ ticket: SaveTicket,
    _ strict: Bool
  ) throws(CauldronError) -> PushOutcome {
    var check = PushCheck(chain, coordinator, policy)
    var outcome = PushOutcome()
    for layer in layers {
      let isOwn = layer.ticket == nil
      do throws(CauldronError) {
        if isOwn, !strict,
          let problem = Validation.check([layer], storeNumber: coordinator.storeNumber)
        {
          throw problem
        }
        let checked = try check.check(isOwn ? layer.with(ticket: ticket) : layer)
        outcome.accepted.append(checked)
        if checked.changes !== layer.changes { outcome.adapted.append(checked) }
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
    for (layer, _) in outcome.returned { uncheckedReturn(layer) }
  }

  /// Puts a layer back where its changes were made, or into the nearest ancestor that is left.
  ///
  /// Called with the lock held.
  func uncheckedReturn(_ layer: Layer) {
    var home = layer.origin
    while !home.isAlive, let parent = home.parent { home = parent }
    home.layers.insert(
      Layer(changes: layer.changes, origin: home, targets: layer.targets), at: 0)
  }

  private func isSame(_ a: [Layer], _ b: [Layer]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0 === $1 }
  }
}
