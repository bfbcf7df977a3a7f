package import CauldronModel
import CauldronStore
import Foundation

/// A layer on its way into the store.
package struct Flight {
  /// The layer as it is written.
  package var layer: Layer
  /// The layer as it was saved; what goes back if it cannot be written.
  package var saved: Layer
  /// Whether objects that have the layer's values must look at what became of them.
  package var isNoticed = false
  /// What a merge policy has decided on the way from the one to the other.
  package var resolutions: [SaveResolution] = []
  /// Whether the store has found a reference of the layer, or to what it deletes, that leads nowhere.
  package var hasDanglingReferences = false
  /// Set where the store has passed it over because it touches what a failed change has touched.
  package var suspicion: CauldronError?

  package init(_ saved: Layer) {
    layer = saved
    self.saved = saved
  }

  /// The layers by which contexts learn what became of the saved one; none where nothing did.
  package var news: [Layer] { isNoticed ? saved.seen(as: layer) : [] }
}

// A commit writes the layers at the start of a root's list. While it does, nobody else touches
// these: what comes in lies behind them, and what comes back, too.
extension ChangeLedger {
  /// Takes the layers of a context on the coordinator to be written, unless one of them inserts objects
  /// whose keys have to be exchanged first.
  /// - Parameters:
  ///   - validated: The first numbers of the layers that were validated; others came in since, and wait
  ///     behind them for the next save. Nil for all layers.
  ///   - yields: Whether a child comes first that has brought back what the context may have deleted.
  /// - Returns: The layers, or the ones that insert such objects; nil where such a child has come.
  package func beginFlight(
    _ node: LedgerNode, only validated: Set<UInt64>? = nil, yields: Bool = false
  ) -> (layers: [Layer], provisional: [Layer])? {
    withLock {
      if yields, node.inbox.holdsRestored { return nil }
      let (layers, late) = Self.parted(node.layers, validated: validated)
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
  package func board(_ node: LedgerNode, ticket: () -> SaveTicket) -> [Flight] {
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
  package func goOn(
    _ node: LedgerNode, with accepted: [Flight], insteadOf count: Int, returning refused: [Layer],
    exchanging exchanges: [ProvisionalKeys.Exchange] = []
  ) {
    withLock {
      replaceFlight(of: node, count: count, with: accepted.map(\.layer))
      node.inFlight = accepted.count
      let adapted = accepted.filter { $0.layer !== $0.saved }.map { ($0.saved, $0.layer) }
      uncheckedReturn(refused)
      uncheckedEndReturns(over: adapted, from: node)
      uncheckedExchange(exchanges)
    }
  }

  /// The store has what a commit wrote: that leaves the ledger in the moment in which the commit ends.
  /// - Parameters:
  ///   - failed: What was not written; it stays where it is, to be looked at again.
  ///   - adapted: What was written otherwise than it was saved, as it was saved: contexts that show it look at
  ///     what became of it.
  func land(_ node: LedgerNode, count: Int, failed: [Layer], adapted: [Layer]) {
    withLock {
      let isFailed = Set(failed.map(ObjectIdentifier.init))
      let written = node.layers.prefix(count).filter { !isFailed.contains(ObjectIdentifier($0)) }
      node.replaceFirst(count, with: failed)
      node.inFlight = failed.count
      uncheckedCommitEnds()
      followers.tell(of: written, savedBy: node)
      followers.tell(ofAdapted: adapted)
    }
  }

  /// The store as a whole has refused: some layers go back as they were saved, others wait on.
  ///
  /// The context's own layers stay where they lie: they may build on layers of its children.
  package func giveUp(
    _ node: LedgerNode, flights: [Flight], returning isReturned: (Layer) -> Bool
  ) {
    withLock {
      let saved = flights.map { ($0.saved, isReturned($0.saved)) }
      let waiting = saved.compactMap { layer, goesBack -> Layer? in
        if !goesBack { return followed(layer) }
        return layer.origin === node ? followed(layer).returned(to: node) : nil
      }
      replaceFlight(of: node, count: flights.count, with: waiting)
      node.inFlight = 0
      followers.tell(
        ofReturned: saved.filter { $1 && $0.origin === node }.map(\.0), to: { _ in node })
      uncheckedReturn(saved.filter { $1 && $0.origin !== node }.map(\.0))
    }
  }

  /// Puts other layers in the place of those that were to be written. A context that has read the
  /// removed ones may push changes built on them, so these are in doubt from the same moment.
  ///
  /// Called with the lock held.
  func replaceFlight(of node: LedgerNode, count: Int, with others: [Layer]) {
    let kept = Set(others.map(ObjectIdentifier.init))
    uncheckedDoubt(
      node.layers.prefix(count).filter { !kept.contains(ObjectIdentifier($0)) })
    node.replaceFirst(count, with: others)
  }

  /// Nothing is being written any more.
  package func endFlight(_ node: LedgerNode) { withLock { node.inFlight = 0 } }
}

// A commit's life, as readers have to know it. The store makes at most one at a time.
extension ChangeLedger {
  /// A commit of these layers becomes visible to readers from now on, at any moment.
  ///
  /// Waits for a reader that has missed two commits in the middle of its pin.
  package func commitBegins(_ layers: [Layer]) {
    beginning.withLock {
      withLock {
        commits.begun += 1
        flying = layers
      }
    }
  }

  /// Every reader sees the commit, and the row cache takes it over from now on: until the commit
  /// ends, what is cached belongs to no one moment.
  package func commitIsRecorded() { withLock { commits.recorded = commits.begun } }

  /// A commit has written something: those who read the journal see it when the commit has ended.
  package func noteCommitted(_ content: ChangeJournal.Content) {
    withLock {
      if commits.begun == commits.ended {
        journal.append(content, by: nil)
      } else {
        journal.stage(content)
      }
    }
  }

  /// The commit has ended; its layers, if it took place, are out of the ledger.
  ///
  /// Called with the lock held.
  package func uncheckedCommitEnds() {
    commits.recorded = commits.begun
    commits.ended = commits.begun
    flying = []
    journal.commitEnds()
  }

  /// The store was written to from elsewhere: rows that were read until now may be old.
  /// - Parameters:
  ///   - distrust: Has the row cache give none of them. In this order: from the first step on no
  ///   row that was read before enters the cache, and a reader of the journal must find none there.
  ///   - isTold: Whether the contexts that merge are to look at all that they show, before lists do.
  func othersHaveWritten(isTold: Bool = false, _ distrust: () -> Void) {
    withLock {
      commits.foreign += 1
      others.add()
      distrust()
      if isTold { for node in followers.nodes { node.inbox.appendEverything() } }
      journal.append(.everything, by: nil)
    }
  }

  /// Runs a reader's pin while no commit can begin.
  func holdingCommits<R>(_ body: () throws -> R) rethrows -> R {
    try beginning.withLock(body)
  }

  /// What a context sees, and the layers that a commit is bringing to the store meanwhile.
  package func cut(of node: LedgerNode?, includesOwn: Bool = true) -> (
    chain: LayerChain, flying: [Layer]
  ) {
    withLock { (uncheckedView(of: node, includesOwn: includesOwn), flying) }
  }

  /// Whether the row cache, asked since a chain was taken, belongs to the chain: no commit has
  /// moved on, and none was being recorded.
  package func cacheBelongs(to chain: LayerChain) -> Bool {
    withLock { chain.instant.mark == commits && commits.recorded == commits.ended }
  }
}

extension CommitMark {
  /// Whether a commit was in flight.
  var isInFlight: Bool { begun != ended }

  /// Whether a view of the store that was fixed between this mark and a later one misses no commit
  /// but the one that is in flight at the later one.
  package func leads(to later: CommitMark) -> Bool {
    if begun == later.begun { return ended == later.ended }
    return !isInFlight && later.isInFlight && later.begun == begun + 1
  }
}

// Layers of which nobody knows whether a commit has written them lie at the start of a root's list,
// and no commit goes on before that is known.
extension ChangeLedger {
  /// Keeps what may be written at the start of the list, for the next commit to find out; what the
  /// store has refused before waits behind it.
  /// - Parameter flying: The places of the layers that the commit was writing.
  package func suspend(_ node: LedgerNode, flights: [Flight], flying: [Int]) {
    let unsettled = flying.map { flights[$0] }
    let others = flights.indices.filter { !flying.contains($0) }.map { flights[$0].saved }
    withLock {
      uncheckedDoubt(unsettled.map(\.layer) + others)
      replaceFlight(
        of: node, count: flights.count, with: unsettled.map(\.layer) + others.map { followed($0) })
      node.unsettled = unsettled
      node.inFlight = 0
      // The store may show them now.
      journal.append(.everything, by: nil)
    }
  }

  /// Takes over to find out about the layers that may be written, but for those that were discarded
  /// meanwhile.
  package func takeUnsettled(_ node: LedgerNode) -> [Flight] {
    withLock {
      defer { node.unsettled = [] }
      let waiting = Set(node.layers.map(ObjectIdentifier.init))
      return node.unsettled.filter { waiting.contains(ObjectIdentifier($0.layer)) }
    }
  }

  /// They are written.
  package func settle(_ node: LedgerNode, written flights: [Flight]) {
    withLock {
      node.replaceFirst(flights.count, with: [])
      followers.tell(of: flights.map(\.layer), savedBy: node)
      followers.tell(ofAdapted: flights.flatMap(\.news))
    }
  }

  /// They are not written: they wait as they were saved.
  package func settle(_ node: LedgerNode, notWritten flights: [Flight]) {
    withLock { replaceFlight(of: node, count: flights.count, with: flights.map(\.saved)) }
  }

  /// Nobody knows yet, so that nothing can be written: what a save has brought goes back to where it
  /// was made.
  /// - Returns: What went back.
  package func giveBack(_ node: LedgerNode, where isBrought: (Layer) -> Bool) -> [Layer] {
    withLock {
      let unsettled = Set(node.unsettled.map { ObjectIdentifier($0.layer) })
      let brought = node.layers.filter {
        !unsettled.contains(ObjectIdentifier($0)) && $0.origin !== node && isBrought($0)
      }
      let returned = Set(brought.map(ObjectIdentifier.init))
      node.replaceWaiting { returned.contains(ObjectIdentifier($0)) ? nil : $0 }
      uncheckedReturn(brought)
      return brought
    }
  }

  /// Nobody knows yet.
  package func leaveUnsettled(_ node: LedgerNode, flights: [Flight]) {
    withLock { node.unsettled = flights }
  }
}

// What newer layers have taken ahead.
extension ChangeLedger {
  /// What a commit leaves in a context loses what newer layers of it have taken to the store.
  /// - Parameters:
  ///   - order: The first numbers of all layers, as they lay.
  ///   - ahead: What was written.
  /// - Returns: What is not edited any more.
  package func leaveBehind(
    _ node: LedgerNode, order: [UInt64], ahead: [Layer]
  ) -> [LeftBehind.Loss] {
    if ahead.isEmpty || ahead.count == order.count { return [] }
    var behind = LeftBehind(self, order: order, ahead: ahead)
    withLock {
      let own = node.layers.dropFirst(node.inFlight).filter { $0.isUnsaved(of: node) }
      var replacements: [ObjectIdentifier: Layer] = [:]
      for layer in own {
        let rest = behind.rest(of: layer)
        if rest !== layer { replacements[ObjectIdentifier(layer)] = rest }
      }
      if replacements.isEmpty { return }
      uncheckedDoubt(own.filter { replacements[ObjectIdentifier($0)] != nil })
      node.replaceWaiting { layer in
        guard let rest = replacements[ObjectIdentifier(layer)] else { return layer }
        return rest.changes.count > 0 ? followed(rest) : nil
      }
    }
    return behind.losses
  }
}
