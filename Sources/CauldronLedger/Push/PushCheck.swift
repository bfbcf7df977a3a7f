package import CauldronModel
import CauldronStore

/// Compares layers with what has come in above them since their objects were read.
///
/// A conflict is about properties: one that was changed here is in conflict where the receiver's
/// value is not the one that the object showed at its first edit. That two rows are one and the same
/// is only a shortcut. It works on values alone and is run outside the ledger's lock; which rule decides
/// what is said in `accepted(_:readsReferences:)`.
package struct PushCheck {
  private let receiver: PushReceiver
  /// The policy for layers whose save asked for no other.
  private let contextPolicy: MergePolicy
  /// Taken in by the receiver when the next layer is checked.
  private var lastAccepted: Layer?
  /// The layers that make good what earlier ones have left, and must not be missing.
  private var trusted: Set<ObjectIdentifier> = []
  /// One-to-one links that later layers of a save have to make whole, by save.
  private var promised: [ObjectIdentifier: [HalfPair]] = [:]
  /// New objects of accepted layers that turned out to be others, by their unique values.
  package private(set) var exchanges: [ProvisionalKeys.Exchange] = []
  /// The same, by the keys that they had.
  private var exchangedKeys = FinalKeys()

  /// - Parameters:
  ///   - mayRead: Whether the store may be asked; false with the ledger locked.
  ///   - isCommit: Whether the receiver is the store.
  package init(
    _ chain: LayerChain, _ coordinator: PersistentStoreCoordinator, _ policy: MergePolicy,
    mayRead: Bool = true, isCommit: Bool = false, twins: [HeldRow] = []
  ) {
    receiver = PushReceiver(
      chain, coordinator, mayRead: mayRead, isStore: isCommit, twins: twins)
    contextPolicy = policy
  }

  /// The layer as it can be accepted, its changes adapted where other saves were quicker.
  /// - Parameters:
  ///   - later: The layers that go the same way after it, oldest first.
  ///   - readsReferences: Whether the store is asked for the targets of the layer's references, and
  ///     for references to the objects that it deletes.
  package mutating func check(
    _ given: Layer, before later: LaterLayers, readsReferences: Bool = false
  ) throws(CauldronError) -> CheckedLayer {
    if let lastAccepted { receiver.add(lastAccepted) }
    lastAccepted = nil
    let draft = PushDraft(exchanged(given), for: receiver, contextPolicy, before: later)
    defer { trusted.formUnion(draft.trusted) }
    let accepted = try accepted(draft, readsReferences: readsReferences && receiver.mayRead)
    try refuseHalfPairs(of: accepted, before: later)
    lastAccepted = accepted
    receiver.free(draft.freed)
    exchanges += draft.exchanges
    for exchange in draft.exchanges { exchangedKeys.add(exchange) }
    return draft.checked(as: accepted)
  }

  /// A layer was refused that later ones may have built on.
  package func doubt(_ layer: Layer) { receiver.doubt(layer) }

  /// Whether an earlier layer was accepted for the sake of this one.
  func trusts(_ layer: Layer) -> Bool { trusted.contains(ObjectIdentifier(layer)) }

  /// The order of the rules: rows by themselves, unique values, links to what is deleted; then what goes
  /// with the decisions: deletions that were cancelled, and the other ends of one-to-one links; at last
  /// references, which may lead to anything that was decided before.
  private func accepted(
    _ draft: PushDraft, readsReferences: Bool
  ) throws(CauldronError) -> Layer {
    let (links, rows, layer) = (LinkRule(draft: draft), RowRule(draft: draft), draft.layer)
    var sets: [EntityChanges] = []
    var isSame = true
    for set in layer.changes.entities {
      let checked = set.entity.isJoin ? links.linked(set) : try rows.checked(set)
      isSame = isSame && checked === set
      sets.append(checked)
    }
    if let unique = UniqueRule(draft: draft).withUniqueValues(sets) {
      sets = unique.map { $0.entity.isJoin ? links.linked($0.withoutRepeatedLinks) : $0 }
      isSame = false
    }
    if let error = CauldronError.joined(draft.conflicts) { throw error }
    if links.addUnlinked(&sets) { isSame = false }
    let pairs = PairRule(draft: draft)
    // What comes next may have been built on the layer as it was.
    var adapted = layer
    if !isSame || !LonelyEnd.all(of: sets, in: draft).isEmpty {
      receiver.doubt(layer)
      sets = pairs.withWholeLinks(DeletionRule(draft: draft).settled(sets))
      adapted = draft.adapted(layer, to: sets)
    }
    return try ReferenceRule(draft: draft).withLivingReferences(adapted, reads: readsReferences)
  }

  /// Refuses a layer that would change one end of a one-to-one link alone.
  private mutating func refuseHalfPairs(
    of layer: Layer, before later: LaterLayers
  ) throws(CauldronError) {
    let waiting = promised.removeValue(forKey: layer.unit) ?? []
    let hasEnds = layer.changes.entities.contains { !$0.entity.digest.oneToOnes.isEmpty }
    let coordinator = receiver.coordinator
    guard hasEnds || !waiting.isEmpty, coordinator.checksPairs else { return }
    var check = PairCheck(
      layer, on: receiver.chain, before: later, coordinator, mayRead: receiver.mayRead)
    try check.run(promised: waiting)
    if let error = CauldronError.half(check.halves) { throw error }
    if !check.promised.isEmpty { promised[layer.unit] = check.promised }
  }

  /// The layer as it names those objects of earlier ones that turned out to be others.
  private func exchanged(_ layer: Layer) -> Layer {
    if exchangedKeys.isEmpty { return layer }
    var exchanger = KeyExchanger(exchangedKeys)
    return exchanger.exchanged(layer)
  }
}
