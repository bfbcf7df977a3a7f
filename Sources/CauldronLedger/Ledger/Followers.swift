import CauldronModel
import CauldronStore

/// The contexts that merge by themselves, and those with new changes in their inboxes, which are to be woken.
///
/// It is only touched with the ledger's lock held. The rule is ``LedgerNode/learns(ofSavesBy:)``.
struct Followers {
  /// The contexts that merge by themselves, in no particular order.
  private(set) var nodes: [LedgerNode] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private var reached: [ObjectIdentifier: LedgerNode] = [:]

  mutating func add(_ node: LedgerNode) {
    guard places[ObjectIdentifier(node)] == nil else { return }
    places[ObjectIdentifier(node)] = nodes.count
    nodes.append(node)
  }

  mutating func remove(_ node: LedgerNode) {
    guard let place = places.removeValue(forKey: ObjectIdentifier(node)),
      let last = nodes.popLast(), last !== node
    else { return }
    nodes[place] = last
    places[ObjectIdentifier(last)] = place
  }

  /// Puts changes into a context's inbox.
  /// - Parameter isFollowed: Whether an event of the context follows anyway, as in a save that goes on to it.
  mutating func reach(
    _ node: LedgerNode, with layers: some Sequence<Layer>, reason: Arrival.Reason,
    isFollowed: Bool = false
  ) {
    let arrivals = layers.map { Arrival(changes: $0.changes, reason: reason) }
    if arrivals.isEmpty { return }
    node.inbox.append(arrivals)
    if !isFollowed { reached[ObjectIdentifier(node)] = node }
  }

  /// The contexts that an event has to follow in.
  mutating func takeReached() -> [LedgerNode] {
    if reached.isEmpty { return [] }
    defer { reached = [:] }
    return Array(reached.values)
  }
}

/// The layers of a save that a merging context learns of.
enum LearnedLayers {
  case none, all
  /// Those that one context has made.
  case made(by: LedgerNode)
  /// Those that were made neither in a context nor below it.
  case madeOutside(of: LedgerNode)

  func contains(_ layer: Layer) -> Bool {
    switch self {
    case .none: false
    case .all: true
    case .made(let node): layer.origin === node
    case .madeOutside(let node): !layer.origin.isBelow(node)
    }
  }
}

extension LedgerNode {
  /// The layers of which a merging context learns where a save of the source moves them, into the source's
  /// parent or the store.
  ///
  /// It learns of each change when that comes to be seen from where it stands: through the first context
  /// above both, or in the store. What a context above has changed of its own is seen at once, and learned
  /// of when it is saved. So it is in every layout and at every depth. Called with the ledger's lock held.
  func learns(ofSavesBy source: LedgerNode) -> LearnedLayers {
    if self === source { return .none }
    if sees(source) { return .made(by: source) }
    if let parent = source.parent { return self !== parent && sees(parent) ? .all : .none }
    // What was made below it, or below a context above that reads nothing unsaved, was seen before.
    return firstReadingCommitted.map { .madeOutside(of: $0) } ?? .all
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
extension Followers {
  /// A save has moved layers from a context into its parent, or into the store.
  /// - Parameter isFollowed: Whether the save goes on to the parent.
  mutating func tell(
    of layers: some Collection<Layer>, savedBy source: LedgerNode, isFollowed: Bool = false
  ) {
    if layers.isEmpty { return }
    if let parent = source.parent {
      reach(parent, with: layers, reason: .child, isFollowed: isFollowed)
    }
    for node in nodes {
      let learned = node.learns(ofSavesBy: source)
      if case .none = learned { continue }
      reach(node, with: layers.filter(learned.contains), reason: .sibling)
    }
  }

  /// Notes that a merge policy has changed saved layers, for the contexts on their path and those
  /// that merged them. Called before any of these sees the result.
  /// - Parameter layers: The layers as they were before.
  mutating func tell(ofAdapted layers: [Layer]) {
    for layers in layers.byOrigin {
      guard let path = layers.first?.origin.path else { continue }
      for node in path.reversed() { reach(node, with: layers, reason: .adapted) }
      tell(of: layers, besides: path)
    }
  }

  /// Layers were refused and have gone back.
  /// - Parameter homes: Where each has gone.
  mutating func tell(ofReturned layers: [Layer], to home: (Layer) -> LedgerNode) {
    for layers in layers.byOrigin {
      guard let first = layers.first else { continue }
      let (path, home) = (first.origin.path, home(first))
      for node in path where home.isBelow(node) {
        reach(node, with: layers, reason: node === home ? .returned : .withdrawn)
      }
      tell(of: layers, besides: path)
    }
  }

  /// A rollback has dropped layers: those that children have saved into the context are taken back from
  /// these, too.
  mutating func tell(ofDropped layers: [Layer], by node: LedgerNode) {
    for layers in layers.byOrigin {
      guard let path = layers.first?.origin.path else { continue }
      for child in path where child !== node && child.isBelow(node) {
        reach(child, with: layers, reason: .withdrawn)
      }
      tell(of: layers, besides: path)
    }
  }

  /// A context has set changes of its own back, or dropped them by a refresh: what others show of them is not
  /// there any more, and no save will tell of it.
  /// - Complexity: O(contexts that merge), and O(changes of the layers) where one of these sees the context.
  mutating func tell(
    ofEnded ids: Set<ManagedObjectID>, of layers: [Layer], by node: LedgerNode
  ) {
    let learners = nodes.filter { $0 !== node && $0.sees(node) }
    if learners.isEmpty { return }
    let ended = layers.map { $0.with(changes: $0.changes.only(ids)) }
    for learner in learners { reach(learner, with: ended, reason: .sibling) }
  }

  /// Tells the contexts that may have learned of layers, and are none of those that they have passed.
  private mutating func tell(of layers: ArraySlice<Layer>, besides path: [LedgerNode]) {
    for node in nodes where !path.contains(where: { $0 === node }) {
      guard path.contains(where: node.sees) else { continue }
      reach(node, with: layers, reason: .sibling)
    }
  }
}

extension LedgerNode {
  /// The node with those above it, from the root down.
  fileprivate var path: [LedgerNode] { ancestors + [self] }
}

extension [Layer] {
  /// The layers in order, parted where the next one was made in another context.
  fileprivate var byOrigin: [ArraySlice<Layer>] {
    var parts: [ArraySlice<Layer>] = []
    var start = 0
    for index in indices where index + 1 == count || self[index + 1].origin !== self[index].origin {
      parts.append(self[start...index])
      start = index + 1
    }
    return parts
  }
}
