import CauldronModel
import CauldronStore

/// The contexts that merge by themselves, and those with new changes in their inboxes, which are to be woken.
///
/// It is only touched with the ledger's lock held. The rule is ``LedgerNode/learns(of:savedBy:)``.
struct Followers {
  private var merging: [ObjectIdentifier: LedgerNode] = [:]
  private var reached: [ObjectIdentifier: LedgerNode] = [:]

  var nodes: some Collection<LedgerNode> { merging.values }

  mutating func add(_ node: LedgerNode) { merging[ObjectIdentifier(node)] = node }

  mutating func remove(_ node: LedgerNode) { merging[ObjectIdentifier(node)] = nil }

  /// Puts changes into a context's inbox.
  /// - Parameter isFollowed: Whether an event of the context follows anyway, as in a save that goes on to it.
  mutating func reach(
    _ node: LedgerNode, _ changes: ChangeSet, _ reason: Arrival.Reason, isFollowed: Bool = false
  ) {
    node.inbox.append(Arrival(changes: changes, reason: reason))
    if !isFollowed { reached[ObjectIdentifier(node)] = node }
  }

  /// The contexts that an event has to follow in.
  mutating func takeReached() -> [LedgerNode] {
    if reached.isEmpty { return [] }
    defer { reached = [:] }
    return Array(reached.values)
  }
}

extension LedgerNode {
  /// Whether a merging context learns of a layer that has moved, by a save, into the source's parent or the
  /// store.
  ///
  /// It learns of each change when that comes to be seen from where it stands: through the first context
  /// above both, or in the store. What a context above has changed of its own is seen at once, and learned
  /// of when it is saved. So it is in every layout and at every depth. Called with the ledger's lock held.
  func learns(of layer: Layer, savedBy source: LedgerNode) -> Bool {
    if self === source { return false }
    if sees(source) { return layer.origin === source }
    if let parent = source.parent { return self !== parent && sees(parent) }
    // What was made below it, or below a context above that reads nothing unsaved, was seen before.
    guard let limit = firstReadingCommitted else { return true }
    return !layer.origin.isBelow(limit)
  }

  /// Whether what waits in another context is seen from here: it is this one, or one above.
  fileprivate func sees(_ other: LedgerNode) -> Bool {
    var step: LedgerNode? = self
    while let node = step, node !== other {
      guard node.readsUncommitted else { return false }
      step = node.parent
    }
    return step != nil
  }

  /// The nearest context, from this one up, that reads nothing that those above it have not written.
  private var firstReadingCommitted: LedgerNode? {
    readsUncommitted ? ancestors.last { !$0.readsUncommitted } : self
  }
}

// Layers that move are told of in the same moment, so that nothing shows them before the inbox has them.
extension ChangeLedger {
  /// Lists a context among those that merge by themselves, or takes it off the list.
  func setMerging(_ isMerging: Bool, _ node: LedgerNode) {
    withLock { if isMerging { followers.add(node) } else { followers.remove(node) } }
  }

  /// The contexts that merge by themselves.
  var mergingNodes: [LedgerNode] { withLock { Array(followers.nodes) } }

  /// The contexts that changes have reached since this was asked last.
  func takeReached() -> [LedgerNode] { withLock { followers.takeReached() } }

  /// A save has moved layers from a context into its parent, or into the store. Called with the lock held.
  /// - Parameter isFollowed: Whether the save goes on to the parent.
  func uncheckedTell(
    of layers: some Collection<Layer>, savedBy source: LedgerNode, isFollowed: Bool = false
  ) {
    if let parent = source.parent {
      for layer in layers {
        followers.reach(parent, layer.changes, .child, isFollowed: isFollowed)
      }
    }
    for node in Array(followers.nodes) {
      for layer in layers where node.learns(of: layer, savedBy: source) {
        followers.reach(node, layer.changes, .sibling)
      }
    }
  }

  /// A merge policy has changed what contexts have saved, which those that it came from or passed show, and
  /// those that have learned of it. Called with the lock held.
  /// - Parameter layers: The layers as they were before.
  func uncheckedTell(ofAdapted layers: [Layer]) {
    for layer in layers {
      let path = layer.origin.ancestors + [layer.origin]
      for node in path.reversed() { followers.reach(node, layer.changes, .adapted) }
      uncheckedTell(of: layer, besides: path)
    }
  }

  func tell(ofAdapted layers: [Layer]) {
    if !layers.isEmpty { withLock { uncheckedTell(ofAdapted: layers) } }
  }

  /// A layer was refused and has gone back. Called with the lock held.
  /// - Parameter home: Where it has gone.
  func uncheckedTell(ofReturned layer: Layer, to home: LedgerNode) {
    let path = layer.origin.ancestors + [layer.origin]
    for node in path where home.isBelow(node) {
      followers.reach(node, layer.changes, node === home ? .returned : .child)
    }
    uncheckedTell(of: layer, besides: path)
  }

  /// Tells the contexts that may have learned of a layer, and are none of those that it has passed.
  private func uncheckedTell(of layer: Layer, besides path: [LedgerNode]) {
    for node in Array(followers.nodes) where !path.contains(where: { $0 === node }) {
      guard path.contains(where: node.sees) else { continue }
      followers.reach(node, layer.changes, .sibling)
    }
  }
}
