package import CauldronModel

/// A push that is asked for: whose layers go to the parent, and how.
package struct PushRequest {
  let node: LedgerNode
  let coordinator: PersistentStoreCoordinator
  let policy: MergePolicy
  /// That of the save that own layers belong to; nil for a new one, made if there are any.
  package var ticket: SaveTicket?
  /// Whether the first refusal of an own layer stops the whole push.
  package var isStrict = false
  /// Why own layers are refused, all of them; nil where nothing is wrong with them.
  package var problem: CauldronError?
  /// The first numbers of the layers that were validated; others came in since, and wait for the next
  /// save. Nil for all layers.
  package var validated: Set<UInt64>?
  /// Whether the save goes on to the parent, which takes in there what has come.
  package var goesOn = false

  package init(
    of node: LedgerNode, on coordinator: PersistentStoreCoordinator, policy: MergePolicy
  ) {
    self.node = node
    self.coordinator = coordinator
    self.policy = policy
  }
}

extension ChangeLedger {
  /// Hands the layers of a context to its parent.
  ///
  /// The comparison with the parent's layers runs outside the lock; if something else came in
  /// meanwhile it runs again, the last time with the lock held.
  /// - Returns: Nil, and nothing has moved, where a child comes first that has brought back what the context
  ///   may have deleted: the context takes that in, and is pushed again.
  package func push(_ request: PushRequest) throws(CauldronError) -> PushOutcome? {
    var request = request
    let (node, coordinator) = (request.node, request.coordinator)
    let (validated, goesOn) = (request.validated, request.goesOn)
    guard let parent = node.parent else { return PushOutcome() }
    for _ in 0..<3 {
      let (layers, generation, chain, isOutrun) = withLock {
        (node.layers, node.generation, uncheckedChain(to: parent), node.inbox.holdsRestored)
      }
      if isOutrun { return nil }
      let (going, late) = Self.parted(layers, validated: validated)
      var outcome = try check(going, over: chain, for: &request)
      let done = withLock {
        guard node.generation == generation,
          uncheckedChain(to: parent).way.generation == chain.way.generation
        else { return false }
        coordinator.claims.follow(outcome.exchanges)
        if !coordinator.has(.keptOvertaken) { uncheckedLeaveBehind(&outcome, of: layers) }
        move(outcome, from: node, leaving: late, isFollowed: goesOn)
        return true
      }
      if done {
        compact(parent)
        tell(outcome.exchanges)
        return outcome
      }
    }
    defer { compact(parent) }
    let outcome = try withLock { () throws(CauldronError) -> PushOutcome? in
      if node.inbox.holdsRestored { return nil }
      let (going, late) = Self.parted(node.layers, validated: validated)
      var outcome = try check(
        going, over: uncheckedChain(to: parent), for: &request, mayRead: false)
      coordinator.claims.follow(outcome.exchanges)
      if !coordinator.has(.keptOvertaken) { uncheckedLeaveBehind(&outcome, of: node.layers) }
      move(outcome, from: node, leaving: late, isFollowed: goesOn)
      return outcome
    }
    if let outcome { tell(outcome.exchanges) }
    return outcome
  }

  /// The layers that were validated, and those that were not.
  package static func parted(
    _ layers: [Layer], validated: Set<UInt64>?
  ) -> (going: [Layer], late: [Layer]) {
    guard let validated else { return (layers, []) }
    return (
      layers.filter { validated.contains($0.firstNumber) },
      layers.filter { !validated.contains($0.firstNumber) }
    )
  }

  /// Has the objects of all contexts follow where some have become others.
  package func tell(_ exchanges: [ProvisionalKeys.Exchange]) {
    if exchanges.isEmpty { return }
    for node in nodes.all { node.owner?.catchUpSoon() }
  }

  /// - Throws: Why an own layer is refused, if the push is strict.
  private func check(
    _ layers: [Layer], over chain: LayerChain, for request: inout PushRequest,
    mayRead: Bool = true
  ) throws(CauldronError) -> PushOutcome {
    if request.ticket == nil, layers.contains(where: { $0.ticket == nil }) {
      request.ticket = carriedTicket(request.node)
    }
    let (ticket, strict) = (request.ticket, request.isStrict)
    let (coordinator, policy) = (request.coordinator, request.policy)
    let saved = layers.map { $0.ticket == nil ? ticket.map($0.accepted) ?? $0 : $0 }
    var units = SaveUnits(saved)
    // Own layers are judged together, because a later one may complete what an earlier one began.
    if let problem = request.problem, let ticket { units.refuse(ticket, because: problem) }
    let verdict = units.judged(
      stops: { strict && layers[$0].ticket == nil },
      by: { PushCheck(chain, coordinator, policy, mayRead: mayRead) })
    var outcome = PushOutcome()
    for (layer, result) in zip(layers, verdict.results) {
      switch result {
      case .success(let checked):
        outcome.accept(
          checked.layer, insteadOf: layer, isNoticed: checked.isNoticed,
          resolutions: checked.resolutions)
      case .failure(let error):
        if layer.ticket == nil, strict { throw error }
        outcome.refuse(layer, because: error)
      }
    }
    outcome.exchanges = verdict.exchanges
    return outcome
  }

  /// A ticket for own edits that another save carries.
  private func carriedTicket(_ node: LedgerNode) -> SaveTicket {
    SaveTicket(
      saveID: saveID(),
      label: SaveLabel(contextName: node.owner?.name ?? "", givenName: nil, callSite: nil))
  }

  /// What a push leaves in a context loses what newer layers of it have taken to the parent.
  ///
  /// Called with the lock held.
  /// - Parameter layers: All of the context's layers, as they lay.
  package func uncheckedLeaveBehind(_ outcome: inout PushOutcome, of layers: [Layer]) {
    if outcome.refused.isEmpty || outcome.accepted.isEmpty { return }
    var behind = LeftBehind(self, order: layers.map(\.firstNumber), ahead: outcome.accepted)
    for index in outcome.refused.indices {
      let layer = outcome.refused[index].0
      let rest = behind.rest(of: layer)
      if rest === layer { continue }
      uncheckedDoubt([layer])
      outcome.refused[index].0 = rest
    }
    outcome.losses = behind.losses
  }
}

extension ChangeLedger {
  /// Notes why own edits of a context could not be saved.
  package func note(refusal error: CauldronError, of node: LedgerNode) {
    withLock { node.note(refusal: error) }
  }

  /// Why own edits of a context could not be saved, where some have been unsaved ever since.
  package func refusal(of node: LedgerNode) -> CauldronError? {
    withLock { node.presentRefusal }
  }
}
