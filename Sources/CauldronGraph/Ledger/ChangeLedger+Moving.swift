import CauldronModel

// Layers move from a context to its parent, and back.
extension ChangeLedger {
  /// Takes what was accepted over into the parent; what was refused stays, or goes back to where it
  /// was made.
  ///
  /// Called with the lock held.
  func move(_ outcome: PushOutcome, _ node: LedgerNode, _ parent: LedgerNode) {
    for layer in outcome.accepted where layer.origin === node { layer.ticket?.expect() }
    for (ticket, resolutions) in outcome.resolutions { ticket.note(resolutions) }
    parent.append(outcome.accepted, reusing: node.runs)
    node.layers = outcome.refused.map(\.0)
    uncheckedDoubt(outcome.refused.map(\.0) + outcome.remade)
    for (layer, _) in outcome.returned { uncheckedReturn(layer, asNewest: !node.isAlive) }
  }

  /// The saves whose changes wait further up and come back to a context if they are refused: its own,
  /// and those of contexts below it that are gone. The oldest comes first.
  func tickets(above node: LedgerNode) -> [SaveTicket] {
    guard node.parent != nil else { return [] }
    return withLock {
      node.ancestors.flatMap(\.layers).compactMap { layer in
        guard let ticket = layer.ticket, uncheckedHome(of: layer) === node else { return nil }
        return ticket
      }
    }
  }

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
    if asNewest { return home.append([back]) }
    // Behind what a commit is writing right now, which is told by its place, and behind what came
    // back and was made earlier.
    let earlier = home.layers.dropFirst(home.inFlight)
      .prefix { $0.isReturned && $0.firstNumber < back.firstNumber }
    home.layers.insert(back, at: earlier.endIndex)
  }
}
