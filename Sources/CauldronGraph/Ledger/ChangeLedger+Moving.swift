import CauldronModel

// Layers move from a context to its parent, and back.
extension ChangeLedger {
  /// Takes what was accepted over into the parent; what was refused stays, or goes back to where it
  /// was made.
  ///
  /// Called with the lock held.
  /// - Parameter late: What is left where it is.
  func move(
    _ outcome: PushOutcome, _ node: LedgerNode, _ parent: LedgerNode, leaving late: [Layer] = []
  ) {
    for layer in outcome.accepted where layer.origin === node {
      layer.ticket?.expect()
      if layer.ticket?.endsAtParent == true { node.endsSavesAtParent = true }
    }
    for (ticket, resolutions) in outcome.resolutions { ticket.note(resolutions) }
    parent.append(outcome.accepted, reusing: node.runs)
    node.layers = outcome.refused.map(\.0) + late
    uncheckedDoubt(outcome.refused.map(\.0) + outcome.remade)
    for (layer, _) in outcome.returned { uncheckedReturn(layer, asNewest: !node.isAlive) }
    uncheckedExchange(outcome.exchanges)
  }

  /// The context's own saves that have ended with its parent and whose changes wait further up.
  /// - Complexity: O(layers that wait above) where there may be some; O(1) where the context has never
  ///   ended a save with its parent.
  func tickets(above node: LedgerNode) -> [SaveTicket] {
    withLock {
      guard node.endsSavesAtParent else { return [] }
      let found = node.ancestors.flatMap(\.layers).compactMap { layer in
        layer.origin === node && layer.ticket?.endsAtParent == true ? layer.ticket : nil
      }
      node.endsSavesAtParent = !found.isEmpty
      return found
    }
  }

  /// Where a layer goes if it is refused: to the context that made it, or the nearest above that still
  /// exists.
  func home(of layer: Layer) -> LedgerNode { withLock { uncheckedHome(of: layer) } }

  private func uncheckedHome(of layer: Layer) -> LedgerNode {
    var home = layer.origin
    while !home.isAlive, let parent = home.parent { home = parent }
    return home
  }

  /// Puts a layer back where its changes were made, or into the nearest ancestor that is left.
  ///
  /// Called with the lock held.
  /// - Parameter asNewest: Whether it was refused for the sake of what waits there, and nothing
  ///   builds on it.
  func uncheckedReturn(_ layer: Layer, asNewest: Bool = false) {
    uncheckedDoubt(CollectionOfOne(layer))
    let home = uncheckedHome(of: layer)
    let back = followed(layer).returned(to: home)
    // What it lay below may lie below it now.
    journal.append(.reordered(back.changes), home)
    if asNewest { return home.append([back]) }
    // Behind what a commit is writing right now, which is told by its place, and behind what came
    // back and was made earlier.
    let earlier = home.layers.dropFirst(home.inFlight)
      .prefix { $0.isReturned && $0.firstNumber < back.firstNumber }
    home.layers.insert(back, at: earlier.endIndex)
  }
}
