package import CauldronModel
package import CauldronStore
package import Foundation

/// Holds the values of all pending changes of all contexts of a coordinator, under one lock.
///
/// The lock is held to move references and to compare a push with newer layers; never across user
/// code, validation, SQL or a commit. So no context ever waits for another context's thread.
///
/// `@unchecked Sendable` because the state, and that of the nodes, is only touched with `lock` held.
package final class ChangeLedger: @unchecked Sendable {
  private let lock = NSLock()
  /// How many commits had begun and ended; only the methods in `ChangeLedger+Commits` move it.
  @exclusivity(unchecked) package final var commits = CommitMark()
  /// The layers that the commit in flight writes; none where there is no commit.
  @exclusivity(unchecked) package final var flying: [Layer] = []
  /// Whether others write to the store, too.
  package let others = OtherWriters()
  /// Held while a commit begins, and by a reader before whose pin no other commit may begin.
  package let beginning = NSLock()
  /// What others may have built on, and was never written as it was.
  private(set) final var uncheckedDoubts = MakerDoubts()
  /// One for all ledgers: rows tell by it who made them, and a store may be shared by several.
  private static let changeSets = Locked<UInt64>(0)
  private let saves = Locked<UInt64>(0)

  /// The keys of objects that could not be given one of the store's.
  package let provisional: ProvisionalKeys
  /// How many objects may be inserted by several contexts, as they were found by their unique values.
  let sharedKeys = SharedWord()
  /// What has changed, for those who keep results right.
  package let journal = ChangeJournal()
  /// The places of the contexts that exist.
  package let nodes = NodeList()
  /// The contexts that learn of saves by themselves; only touched with the lock held.
  final var followers = Followers()
  /// Whether a layer may bring back what a deletion below it takes away; only touched with the lock held.
  final var mayHaveReturns = false

  /// - Parameter model: What the entities of provisional keys are looked up in.
  init(_ model: ManagedObjectModel? = nil) {
    provisional = ProvisionalKeys(roots: [0] + (model?.layouts.map(\.rootNumber) ?? []))
  }

  package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    lock.lock()
    defer {
      let wake = journal.takeWake()
      lock.unlock()
      wake?()
    }
    return try body()
  }

  /// A new change set's number; may be called with the lock held.
  package func changeSetID() -> UInt64 {
    Self.changeSets.withLock { last in
      last += 1
      return last
    }
  }

  package func saveID() -> UInt64 {
    saves.withLock { last in
      last += 1
      return last
    }
  }

  /// Whether layers come between a context and the store; cheaper than to take them. And the
  /// number of the last commit; nil while one is being written.
  package func state(to node: LedgerNode) -> (hasLayers: Bool, mark: CommitMark?) {
    withLock {
      node.pending.settle()
      return (node.hasLayersToRoot, uncheckedSettledMark)
    }
  }

  /// All layers from the store up to a context, whatever it wants to see. Called with the lock held.
  package func uncheckedChain(to node: LedgerNode?) -> LayerChain {
    if let node { uncheckedSettle(to: node) }
    var chain = LayerChain()
    chain.instant.overlapsCommit = commits.begun != commits.ended
    chain.instant.mark = commits
    chain.instant.journalEnd = journal.end
    chain.instant.exchangeCount = provisional.exchangeCount
    chain.sharesKeys = sharedKeys.value > 0
    guard let node else { return chain }
    for step in node.ancestors { chain.add(step) }
    chain.add(node)
    return chain
  }

  /// Merges the indexes of a context's layers, outside the lock, so that look-ups stay short.
  package func compact(_ node: LedgerNode) {
    let (runs, single) = withLock { (node.runs, node.ownTail(node.runs)) }
    let better = LayerRun.compacted(runs, single: single)
    if better.count < runs.count { withLock { node.install(better, for: runs) } }
  }

  /// Whether no commit has begun since a chain was taken, so that what was read meanwhile belongs
  /// to the same instant.
  package func isCurrent(_ chain: LayerChain) -> Bool {
    withLock { chain.instant.isCurrent(at: commits) }
  }

  /// The number of the last commit; nil while one is being written.
  package var settledMark: CommitMark? { withLock { uncheckedSettledMark } }

  /// Called with the lock held.
  package var uncheckedSettledMark: CommitMark? { commits.begun == commits.ended ? commits : nil }

  /// The change sets whose rows may not be what was committed.
  var doubts: MakerDoubts { withLock { uncheckedDoubts } }

  /// Records that changes were discarded, refused, given back, or made anew: what others have built
  /// on them must be compared by its values. Called with the lock held.
  func uncheckedDoubt(_ layers: some Sequence<Layer>) {
    for layer in layers { uncheckedDoubts.insert(layer.changes.makers) }
  }

  /// The number of the last commit.
  package var mark: CommitMark { withLock { commits } }
}

extension ChangeLedger {
  /// Adds a context's own edits of one event.
  ///
  /// Own layers are merged geometrically, so that many small events do not make a long list.
  package func append(_ layer: Layer, to node: LedgerNode) {
    let count = provisional.exchangeCount
    let followed = followed(layer)
    withLock {
      // What was dropped before says nothing of what is changed after it.
      if !node.dropped.isEmpty { uncheckedWithdrawDropped(from: node) }
      // A key may have been exchanged since, which is rare.
      node.append([count == provisional.exchangeCount ? followed : self.followed(layer)])
    }
    while let pair = mergeCandidates(node) {
      let merged = ChangeSetMerge.merge(pair.0.changes, with: pair.1.changes, id: changeSetID())
      let layer = Layer(changes: merged, origin: node)
      withLock {
        guard let last = node.lastOwnPair, last.0 === pair.0, last.1 === pair.1 else { return }
        // What was created and deleted again leaves nothing to save.
        node.replaceLastPair(with: merged.count > 0 ? layer : nil)
      }
    }
  }

  /// The last two layers, if both are own, unsaved, and the older one is not much larger.
  ///
  /// What came back keeps its place: more may come back that was made between it and the newer one.
  private func mergeCandidates(_ node: LedgerNode) -> (Layer, Layer)? {
    withLock {
      guard let pair = node.lastOwnPair, !pair.0.isReturned,
        pair.0.changes.count <= 2 * pair.1.changes.count,
        node.inFlight < node.layerCount - 1
      else { return nil }
      return pair
    }
  }

  /// Whether the waiting changes of a context are its own unsaved edits; nil where nothing waits
  /// there.
  /// - Complexity: O(own events that are not merged yet).
  package func hasOwnEditsAlone(_ node: LedgerNode) -> Bool? {
    withLock {
      if node.runs.isEmpty { return nil }
      return node.inFlight == 0
        && node.runs.allSatisfy { run in
          run.layers.count == 1 && run.layers[0].isUnsaved(of: node) && !run.layers[0].isReturned
        }
    }
  }

  /// What kind of change to an object waits in a context, if any does; a new object stays one where it was
  /// changed since.
  /// - Complexity: O(log layers), mostly; O(layers) for what was changed.
  package func pendingKind(_ id: ManagedObjectID, in node: LedgerNode) -> RowChange.Kind? {
    withLock {
      for run in node.runs.reversed() {
        guard let change = run.newest(id) else { continue }
        let isNew = change.kind == .update && node.runs.contains { $0.inserts(id) }
        return isNew ? .insertion : change.kind
      }
      return nil
    }
  }

  /// Whether an object was inserted by what waits in a context, and by nothing that waits above it.
  /// - Complexity: O(layers).
  package func isNew(_ id: ManagedObjectID, in node: LedgerNode) -> Bool {
    withLock {
      node.runs.contains { $0.inserts(id) }
        && !node.ancestors.contains { $0.runs.contains { $0.newest(id) != nil } }
    }
  }

  /// A context that has inserted an object and not handed it on.
  /// - Complexity: O(contexts and layers).
  package func holder(of id: ManagedObjectID) -> LedgerNode? {
    withLock { nodes.all.first { $0.runs.contains { $0.inserts(id) } } }
  }

  /// The layers that wait in a context.
  package func layers(of node: LedgerNode) -> [Layer] { withLock { node.layers } }

  /// A context's own edits that are unsaved or came back.
  package func unsavedLayers(of node: LedgerNode) -> [Layer] {
    withLock { node.layers.filter { $0.isUnsaved(of: node) } }
  }

  /// A context's layers: its own edits that are neither saved nor being written, which can be
  /// dropped, and all others.
  package func droppable(of node: LedgerNode) -> (own: [Layer], others: [Layer]) {
    withLock {
      let waiting = node.layers.dropFirst(node.inFlight)
      return (
        waiting.filter { $0.isUnsaved(of: node) },
        node.layers.prefix(node.inFlight) + waiting.filter { !$0.isUnsaved(of: node) }
      )
    }
  }

  /// Drops a context's unsaved own edits, or everything that waits there.
  /// - Returns: What was dropped.
  package func discard(_ node: LedgerNode, acceptedToo: Bool, by name: String) -> [Layer] {
    let dropped = withLock {
      let layers = node.layers
      var kept = Array(layers.prefix(node.inFlight))
      var gone: [Layer] = []
      for layer in layers.dropFirst(node.inFlight) {
        if acceptedToo || layer.isUnsaved(of: node) {
          gone.append(layer)
        } else {
          kept.append(layer)
        }
      }
      uncheckedDoubt(gone)
      node.dropped = []
      node.layers = kept
      uncheckedEndReturns(over: gone, in: node, among: layers)
      followers.tell(ofDropped: gone, by: node)
      return gone
    }
    for layer in dropped {
      layer.ticket?.resolve(
        .failed(
          CauldronError(
            .saveDiscarded,
            "\(layer.changes.count) changes were discarded by \"\(name)\" before they were written."
          )))
    }
    return dropped
  }

  /// Lists a context among those that merge by themselves, or takes it off the list.
  package func setMerging(_ isMerging: Bool, of node: LedgerNode) {
    withLock { if isMerging { followers.add(node) } else { followers.remove(node) } }
  }

  /// The contexts that merge by themselves.
  var mergingNodes: [LedgerNode] { withLock { followers.nodes } }

  /// The contexts that changes have reached since this was asked last.
  package func takeReached() -> [LedgerNode] { withLock { followers.takeReached() } }

  /// Takes a context out when it goes away: its own unsaved edits go with it.
  /// - Returns: Whether it leaves accepted pushes, which have to move on to its parent.
  package func close(_ node: LedgerNode) -> Bool {
    withLock {
      node.isAlive = false
      followers.remove(node)
      if !node.runs.isEmpty {
        let gone = node.layers.filter { $0.isUnsaved(of: node) }
        uncheckedDoubt(gone)
        node.layers.removeAll { $0.isUnsaved(of: node) }
        uncheckedEndReturns(over: gone, in: node)
      }
      return !node.runs.isEmpty && node.parent != nil
    }
  }
}

extension ChangeLedger {
  /// The layers that a context sees, and the moment they were taken at.
  package func view(of node: LedgerNode) -> LayerChain {
    withLock { uncheckedView(of: node) }
  }

  /// What a context sees without the layers that wait in it.
  package func view(below node: LedgerNode) -> LayerChain {
    withLock { uncheckedView(of: node, includesOwn: false) }
  }

  /// What a save of a context meets: all that waits above, also where the context reads nothing unsaved.
  package func receiver(of node: LedgerNode) -> LayerChain {
    withLock { uncheckedChain(to: node.parent) }
  }

  /// What a context sees without its own unsaved edits.
  package func view(withoutUnsavedOf node: LedgerNode) -> LayerChain {
    withLock {
      var chain = uncheckedView(of: node, includesOwn: false)
      chain.add(node) { !$0.isUnsaved(of: node) }
      return chain
    }
  }

  /// What a context sees: its own layers on top of its parent's view; or, where it reads no
  /// uncommitted changes of its ancestors, on top of the layers that it has handed on itself.
  ///
  /// Called with the lock held.
  func uncheckedView(of node: LedgerNode?, includesOwn: Bool = true) -> LayerChain {
    guard let node else { return uncheckedChain(to: nil) }
    let limit = node.readsUncommitted ? node.ancestors.last { !$0.readsUncommitted } : node
    guard let limit else {
      return uncheckedChain(to: includesOwn ? node : node.ancestors.last)
    }
    let path = includesOwn ? node.ancestors + [node] : node.ancestors
    uncheckedSettle(to: node)
    var chain = uncheckedChain(to: nil)
    for step in path {
      // The context itself, and its descendants.
      let isWhole = step.ancestors.count >= limit.ancestors.count
      chain.add(step) { isWhole || $0.origin.isBelow(limit) }
    }
    return chain
  }

  package func setReadsUncommitted(_ value: Bool, of node: LedgerNode) {
    withLock {
      node.readsUncommitted = value
      journal.append(.everything, by: node)
    }
  }

  package func readsUncommitted(_ node: LedgerNode) -> Bool { withLock { node.readsUncommitted } }
}

extension LedgerNode {
  /// Whether this is a context's node or one of its descendants'.
  package func isBelow(_ ancestor: LedgerNode) -> Bool {
    self === ancestor || ancestors.contains { $0 === ancestor }
  }
}

extension ChangeLedger {
  /// A context has forgotten its objects.
  package func noteReset(_ node: LedgerNode) { withLock { journal.append(.reset, by: node) } }
}
