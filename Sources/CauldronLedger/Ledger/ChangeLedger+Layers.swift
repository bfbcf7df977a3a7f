package import CauldronModel
package import CauldronStore

extension ChangeLedger {
  /// Merges a context's own edits that lie side by side: they are one save. So are those that only
  /// lie apart because a child has handed something over meanwhile that has nothing to do with them.
  ///
  /// A layer is compared and written as a whole, so that of two an older one would be refused for
  /// what the newer one has mended, as when a reference was set and taken back.
  /// - Complexity: O(own changes), the newest first, as they are mostly small; O(own changes ·
  ///   layers) where children's lie between them.
  package func mergeOwn(_ node: LedgerNode) {
    mergeNeighbours(node)
    mergeParted(node)
  }

  /// Merges own edits with others between them, as long as nobody adds or takes layers meanwhile.
  private func mergeParted(_ node: LedgerNode) {
    let waiting = withLock { Array(node.layers.dropFirst(node.inFlight)) }
    guard waiting.count > 2, let merged = mergedParted(waiting, in: node) else { return }
    withLock {
      let now = node.layers.dropFirst(node.inFlight)
      guard now.count == waiting.count, zip(now, waiting).allSatisfy({ $0 === $1 }) else { return }
      node.setLayers(node.layers.prefix(node.inFlight) + merged)
    }
  }

  /// The layers with as few of the context's own as can be; nil where these are as few already.
  private func mergedParted(_ waiting: [Layer], in node: LedgerNode) -> [Layer]? {
    var layers = waiting
    guard var newer = layers.lastIndex(where: { $0.isUnsaved(of: node) }) else { return nil }
    while let older = layers[..<newer].lastIndex(where: { $0.isUnsaved(of: node) }) {
      let between = layers[(older + 1)..<newer]
      if between.allSatisfy({ $0.isIndependent(of: layers[newer]) }) {
        layers[older] = merged(layers[older], with: layers[newer], in: node)
        layers.remove(at: newer)
        newer = older
      } else if between.allSatisfy({ layers[older].isIndependent(of: $0) }) {
        layers[newer] = merged(layers[older], with: layers[newer], in: node)
        layers.remove(at: older)
        newer -= 1
      } else {
        newer = older
      }
    }
    return layers.count < waiting.count ? layers.filter { $0.changes.count > 0 } : nil
  }

  private func merged(_ older: Layer, with newer: Layer, in node: LedgerNode) -> Layer {
    Layer(
      changes: ChangeSetMerge.merge(older.changes, with: newer.changes, id: changeSetID()),
      origin: node, life: older.isReturned || newer.isReturned ? .returned : .own,
      firstNumber: older.firstNumber)
  }

  private func mergeNeighbours(_ node: LedgerNode) {
    while let (older, newer) = lastOwnNeighbours(node) {
      let layer = merged(older, with: newer, in: node)
      withLock {
        guard let index = node.layers.firstIndex(where: { $0 === older }),
          index + 1 < node.layers.count, node.layers[index + 1] === newer
        else { return }
        node.layers.replaceSubrange(
          index...(index + 1), with: layer.changes.count > 0 ? [layer] : [])
      }
    }
  }

  /// The last two neighbours that are both the context's own and unsaved.
  private func lastOwnNeighbours(_ node: LedgerNode) -> (Layer, Layer)? {
    withLock {
      guard node.layerCount - node.inFlight > 1 else { return nil }
      let waiting = node.layers.dropFirst(node.inFlight)
      return zip(waiting, waiting.dropFirst()).reversed().first { older, newer in
        [older, newer].allSatisfy { $0.isUnsaved(of: node) }
      }
    }
  }
}

// Layers move from a context to its parent, and back.
extension ChangeLedger {
  /// Takes what was accepted over into the parent; what was refused stays, or goes back to where it
  /// was made.
  ///
  /// Called with the lock held.
  /// - Parameters:
  ///   - late: What is left where it is.
  ///   - isFollowed: Whether the save goes on to the parent.
  package func move(
    _ outcome: PushOutcome, from node: LedgerNode, leaving late: [Layer] = [],
    isFollowed: Bool = false
  ) {
    guard let parent = node.parent else { return }
    let accepted = outcome.accepted.filter { $0.changes.count > 0 }
    for layer in outcome.accepted { uncheckedAccept(layer, from: node) }
    if accepted.contains(where: \.changes.hasRestored) { mayHaveReturns = true }
    for (ticket, resolutions) in outcome.resolutions { ticket.note(resolutions) }
    parent.append(accepted, reusing: node.runs)
    node.layers = outcome.refused.map(\.0).filter { $0.changes.count > 0 } + late
    uncheckedDoubt(outcome.refused.map(\.0) + outcome.remade.map(\.was))
    uncheckedReturn(outcome.returned.map(\.0), asNewest: !node.isAlive)
    uncheckedEndReturns(over: outcome.remade, from: node)
    followers.tell(ofAdapted: outcome.adapted)
    followers.tell(of: accepted, savedBy: node, isFollowed: isFollowed)
    uncheckedExchange(outcome.exchanges)
  }

  /// Tells a layer's save that the layer has gone on, or is empty by a merge policy's decision.
  private func uncheckedAccept(_ layer: Layer, from node: LedgerNode) {
    guard let ticket = layer.ticket else { return }
    if layer.changes.count == 0 {
      if layer.origin !== node { ticket.resolve(.committed(by: ticket.saveID)) }
    } else if layer.origin === node {
      ticket.expect()
      if ticket.endsAtParent { node.endsSavesAtParent = true }
    }
  }

  /// The context's own saves that have ended with its parent and whose changes wait further up.
  /// - Complexity: O(layers that wait above) where there may be some; O(1) where the context has never
  ///   ended a save with its parent.
  package func tickets(above node: LedgerNode) -> [SaveTicket] {
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
  package func home(of layer: Layer) -> LedgerNode { withLock { uncheckedHome(of: layer) } }

  private func uncheckedHome(of layer: Layer) -> LedgerNode {
    var home = layer.origin
    while !home.isAlive, let parent = home.parent { home = parent }
    return home
  }

  /// Puts layers back where their changes were made, or into the nearest ancestors that are left.
  ///
  /// Called with the lock held.
  /// - Parameter asNewest: Whether they were refused for the sake of what waits there, and nothing
  ///   builds on them.
  /// - Complexity: O(layers · log layers), those that wait there included.
  func uncheckedReturn(_ layers: [Layer], asNewest: Bool = false) {
    if layers.isEmpty { return }
    uncheckedDoubt(layers)
    // What policies have decided is shown no more, nor what rules have added for its sake.
    let lapsed = layers.flatMap { layer in layer.undecided?.seen(as: layer) ?? [] }
    let layers = lapsed.isEmpty ? layers : layers.map { $0.undecided ?? $0 }
    followers.tell(ofAdapted: lapsed)
    followers.tell(ofReturned: layers, to: uncheckedHome)
    var homes: [LedgerNode] = []
    var returned: [ObjectIdentifier: [Layer]] = [:]
    for layer in layers {
      let home = uncheckedHome(of: layer)
      // Where it is saved again, the policy of that save decides.
      let back = followed(layer).withoutReturns { update, _ in update.restoring(false) }
        .returned(to: home)
      // What it lay below may lie below it now.
      journal.append(.reordered(back.changes), by: home)
      if returned[ObjectIdentifier(home)] == nil { homes.append(home) }
      returned[ObjectIdentifier(home), default: []].append(back)
    }
    for home in homes {
      let backs = returned[ObjectIdentifier(home)] ?? []
      if asNewest {
        for back in backs { home.append([back]) }
      } else {
        home.takeBack(backs.sorted { $0.firstNumber < $1.firstNumber })
      }
    }
    uncheckedEndReturns(over: layers)
  }
}

// Objects drop or rebase what their context has not saved.
extension ChangeLedger {
  /// Puts rebased layers in the place of what they were made from.
  /// - Parameter ended: The objects of which some changes have ended.
  package func replace(
    _ replacements: [ObjectIdentifier: Layer], in node: LedgerNode,
    ending ended: Set<ManagedObjectID> = []
  ) {
    withLock {
      let replaced = node.layers.filter { replacements[ObjectIdentifier($0)] != nil }
      uncheckedDoubt(replaced)
      if !ended.isEmpty { followers.tell(ofEnded: ended, of: replaced, by: node) }
      node.replaceWaiting { layer in
        guard let rebased = replacements[ObjectIdentifier(layer)] else { return layer }
        // A save is told what became of each of its layers, also of one without changes.
        let isKept = rebased.changes.count > 0 || layer.ticket != nil
        return isKept ? followed(rebased) : nil
      }
    }
  }

  /// The layers of a context that touch an object, oldest first.
  /// - Complexity: O(log layers), mostly.
  package func layers(touching id: ManagedObjectID, in node: LedgerNode) -> [Layer] {
    withLock {
      node.runs.filter { $0.newest(id) != nil }
        .flatMap { $0.layers.filter { $0.changes.change(id) != nil } }
    }
  }

  /// The newest layer that has created or deleted an object, or changed one of the properties, of
  /// those that wait in a context or above it.
  /// - Parameter properties: Nil for any.
  package func layer(
    touching id: ManagedObjectID, in properties: Set<String>?, to node: LedgerNode
  ) -> Layer? {
    let layers = withLock { uncheckedChain(to: node).layers }
    return layers.last { layer in
      guard let set = layer.changes.changes(to: id.entityNumber), let change = set.change(id.key)
      else { return false }
      guard case .updated(let update) = change, let properties else { return true }
      return update.changed.indices.contains {
        properties.contains(set.entity.properties[$0].name)
      }
    }
  }

  /// Puts the context's own unsaved changes to objects on other rows: they count as made from these.
  /// - Complexity: O(own unsaved changes).
  package func rebase(
    _ node: LedgerNode, onto rows: [ManagedObjectID: HeldRow], builder: inout RowBuilder
  ) {
    let rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.ofAnyStore, $1) })
    var replacements: [ObjectIdentifier: Layer] = [:]
    for layer in unsavedLayers(of: node) {
      let sets = layer.changes.entities.map { set in
        var bases: [Int64: HeldRow] = [:]
        for key in set.changedKeys { bases[key] = rows[ManagedObjectID(key, set.entity)] }
        return bases.isEmpty ? set : set.rebased(onto: bases, &builder)
      }
      if zip(sets, layer.changes.entities).allSatisfy({ $0 === $1 }) { continue }
      replacements[ObjectIdentifier(layer)] = layer.with(
        changes: ChangeSet(id: changeSetID(), entities: sets, from: [layer.changes]))
    }
    if !replacements.isEmpty { replace(replacements, in: node) }
  }
}

extension ChangeLedger {
  /// A layer as it may enter the ledger: with final keys, as far as they are known.
  /// - Complexity: O(1) as long as no provisional key was exchanged, else O(rows).
  package func followed(_ layer: Layer) -> Layer {
    if provisional.exchangeCount == 0 { return layer }
    var exchanger = KeyExchanger(provisional.finals)
    return exchanger.exchanged(layer)
  }

  /// A change set with final keys, as far as they are known.
  package func followed(_ changes: ChangeSet) -> ChangeSet {
    if provisional.exchangeCount == 0 { return changes }
    var exchanger = KeyExchanger(provisional.finals)
    return exchanger.exchanged(changes)
  }

  /// Puts final keys in the place of provisional ones, everywhere at one instant.
  ///
  /// The layers are made anew outside the lock; if some have come or gone meanwhile, or keys were exchanged,
  /// that is done again, the last time with the lock held. A key that has been exchanged by then stays as it
  /// is: what two reserve at once for one object is one key, and a gap.
  /// - Returns: The contexts, whose objects have to follow.
  /// - Complexity: O(pending rows).
  package func exchange(_ exchanges: [ProvisionalKeys.Exchange]) -> [LedgerNode] {
    for _ in 0..<3 {
      let count = provisional.exchangeCount
      let open = provisional.open(exchanges)
      var exchanger = KeyExchanger(provisional.finals(with: open))
      let before = withLock { Self.waiting(nodes.all) }
      let made = before.map { waiting in waiting.layers.map { exchanger.exchanged($0) } }
      let done = withLock {
        let now = Self.waiting(nodes.all)
        guard count == provisional.exchangeCount, now.count == before.count,
          zip(now, before).allSatisfy({ $0.isSame(as: $1) })
        else { return false }
        provisional.add(open)
        for (waiting, layers) in zip(before, made) { waiting.install(layers) }
        return true
      }
      if done { return nodes.all }
    }
    withLock { uncheckedExchange(provisional.open(exchanges)) }
    return nodes.all
  }

  /// New objects that turned out to be existing rows get the keys of these, in all layers at the
  /// instant of the decision. It is seldom so.
  ///
  /// Called with the lock held.
  /// - Complexity: O(pending rows); nothing where there are no exchanges.
  func uncheckedExchange(_ exchanges: [ProvisionalKeys.Exchange]) {
    guard !exchanges.isEmpty else { return }
    provisional.add(exchanges)
    var exchanger = KeyExchanger(provisional.finals)
    for waiting in Self.waiting(nodes.all) {
      waiting.install(waiting.layers.map { exchanger.exchanged($0) })
    }
  }

  /// The layers of a context that no commit is writing right now.
  private struct Waiting {
    let node: LedgerNode
    private let generation: UInt64
    private let inFlight: Int
    let layers: [Layer]

    /// Called with the ledger's lock held.
    init(_ node: LedgerNode) {
      self.node = node
      generation = node.generation
      inFlight = node.inFlight
      layers = Array(node.layers.dropFirst(node.inFlight))
    }

    func isSame(as other: Waiting) -> Bool {
      node === other.node && generation == other.generation && inFlight == other.inFlight
    }

    /// Called with the ledger's lock held.
    func install(_ layers: [Layer]) {
      guard !zip(layers, self.layers).allSatisfy({ $0 === $1 }) else { return }
      var rest = layers[...]
      node.replaceWaiting { _ in rest.popFirst() }
    }
  }

  /// Called with the lock held.
  private static func waiting(_ nodes: [LedgerNode]) -> [Waiting] {
    nodes.filter { !$0.runs.isEmpty }.map(Waiting.init)
  }
}

extension Layer {
  /// Whether objects are inserted that have no key of the store's.
  /// - Complexity: O(entities).
  var insertsProvisionalKeys: Bool {
    changes.entities.contains { $0.insertedRows.leastKey < 0 }
  }
}

extension ChangeLedger {
  /// Whether a context may have an object that is not to be seen elsewhere: in its layers, or in an event
  /// that has not ended.
  /// - Parameter isLocked: Whether the caller has the ledger's lock.
  func mayHold(_ ids: [ManagedObjectID], isLocked: Bool) -> Bool {
    let nodes = nodes.all
    if nodes.contains(where: { $0.unpublished.value != 0 }) { return true }
    func look() -> Bool {
      nodes.contains { node in
        node.runs.contains { run in ids.contains { run.inserts($0) } }
      }
    }
    return isLocked ? look() : withLock(look)
  }
}
