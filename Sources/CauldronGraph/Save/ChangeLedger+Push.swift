import CauldronModel

/// What became of a push.
struct PushOutcome {
  /// The layers that are in the parent now.
  var accepted: [Layer] = []
  /// Those of them that were combined with what came in meanwhile, as they were before.
  var adapted: [Layer] = []
  /// Those of them that lie on other rows than they were made from, as they were before.
  var remade: [Layer] = []
  /// What policies have decided, for the saves that it concerns.
  var resolutions: [(SaveTicket, [SaveResolution])] = []
  /// Own layers that were refused and stay where they are.
  var refused: [(Layer, CauldronError)] = []
  /// Layers of others that were refused and go back to where they came from.
  var returned: [(Layer, CauldronError)] = []

  mutating func accept(
    _ checked: Layer, insteadOf layer: Layer, _ check: PushCheck
  ) {
    accepted.append(checked)
    if checked.changes !== layer.changes { remade.append(layer) }
    if check.isNoticed { adapted.append(layer) }
    if let ticket = checked.ticket, !check.resolutions.isEmpty {
      resolutions.append((ticket, check.resolutions))
    }
  }

  mutating func refuse(_ layer: Layer, _ error: CauldronError) {
    if layer.ticket == nil {
      refused.append((layer, error))
    } else {
      returned.append((layer, error))
    }
  }
}

extension ChangeLedger {
  /// Hands the layers of a context to its parent.
  ///
  /// The comparison with the parent's layers runs outside the lock; if something else came in
  /// meanwhile it runs again, the last time with the lock held.
  /// - Parameters:
  ///   - ticket: That of the save that own layers belong to; nil for a new one, made if there are any.
  ///   - strict: Whether the first refusal of an own layer stops the whole push.
  func push(
    _ node: LedgerNode, _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy,
    _ ticket: SaveTicket?, strict: Bool
  ) throws(CauldronError) -> PushOutcome {
    guard let parent = node.parent else { return PushOutcome() }
    var ticket = ticket
    for _ in 0..<3 {
      let (layers, generation, chain) = withLock {
        (node.layers, node.generation, uncheckedChain(to: parent))
      }
      let outcome = try check(layers, node, chain, coordinator, policy, &ticket, strict)
      let done = withLock {
        guard node.generation == generation,
          uncheckedChain(to: parent).generation == chain.generation
        else { return false }
        move(outcome, node, parent)
        return true
      }
      if done {
        compact(parent)
        return outcome
      }
    }
    defer { compact(parent) }
    return try withLock { () throws(CauldronError) -> PushOutcome in
      let outcome = try check(
        node.layers, node, uncheckedChain(to: parent), coordinator, policy, &ticket, strict,
        mayRead: false)
      move(outcome, node, parent)
      return outcome
    }
  }

  /// - Throws: Why an own layer is refused, if `strict`.
  private func check(
    _ layers: [Layer], _ node: LedgerNode, _ chain: LayerChain,
    _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy,
    _ ticket: inout SaveTicket?, _ strict: Bool, mayRead: Bool = true
  ) throws(CauldronError) -> PushOutcome {
    if ticket == nil, layers.contains(where: { $0.ticket == nil }) {
      ticket = carriedTicket(node)
    }
    var verdicts = UnitVerdicts()
    // Own layers are judged together, because a later one may complete what an earlier one began.
    let own = strict ? [] : layers.filter { $0.ticket == nil }
    if let problem = Validation.check(own, storeNumber: coordinator.storeNumber), let ticket {
      verdicts.refuse(ticket, problem)
    }
    while true {
      var check = PushCheck(chain, coordinator, policy, mayRead: mayRead)
      var outcome = PushOutcome()
      for layer in layers {
        let saved = layer.ticket == nil ? layer.with(ticket: ticket) : layer
        do throws(CauldronError) {
          try verdicts.check(saved)
          let checked = try check.check(saved)
          verdicts.accept(saved)
          outcome.accept(checked, insteadOf: layer, check)
        } catch {
          if layer.ticket == nil, strict { throw error }
          outcome.refuse(layer, error)
          check.doubt(layer)
          verdicts.refuse(saved.ticket, error)
        }
      }
      // The layers of one save share one verdict.
      if !verdicts.areTorn { return outcome }
      verdicts.beginAnew()
    }
  }

  /// A ticket for own edits that another save carries.
  private func carriedTicket(_ node: LedgerNode) -> SaveTicket {
    SaveTicket(
      saveID: saveID(),
      label: SaveLabel(contextName: node.core?.name ?? "", givenName: nil, callSite: nil))
  }

  /// Called with the lock held.
  private func move(_ outcome: PushOutcome, _ node: LedgerNode, _ parent: LedgerNode) {
    for layer in outcome.accepted where layer.origin === node { layer.ticket?.expect() }
    for (ticket, resolutions) in outcome.resolutions { ticket.note(resolutions) }
    parent.append(outcome.accepted, reusing: node.runs)
    node.layers = outcome.refused.map(\.0)
    uncheckedDoubt(outcome.refused.map(\.0) + outcome.remade)
    for (layer, _) in outcome.returned { uncheckedReturn(layer, asNewest: !node.isAlive) }
  }

  /// The saves of contexts that are gone, among the layers of one to which these would come back.
  func tickets(inheritedBy node: LedgerNode, of layers: [Layer]) -> [SaveTicket] {
    withLock {
      layers.compactMap { layer in
        guard let ticket = layer.ticket, layer.origin !== node, ticket.failure == nil,
          uncheckedHome(of: layer) === node
        else { return nil }
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
      .prefix { $0.isReturned && $0.returnOrder < back.returnOrder }
    home.layers.insert(back, at: earlier.endIndex)
  }
}
