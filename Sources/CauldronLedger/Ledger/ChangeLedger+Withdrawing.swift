package import CauldronModel
package import CauldronStore

// What a context drops of its own unsaved changes leaves its layers.
extension ChangeLedger {
  /// Takes a context's own unsaved changes to objects out of its layers.
  /// - Parameter deletionsOnly: Whether other changes than deletions stay.
  package func withdraw(
    _ ids: Set<ManagedObjectID>, from node: LedgerNode, deletionsOnly: Bool = false
  ) {
    withLock {
      node.dropped.subtract(ids)
      let ended = uncheckedWithdraw(from: node) {
        $0.without(ids, deletionsOnly: deletionsOnly, number: changeSetID())
      }
      followers.tell(ofEnded: ids, of: ended, by: node)
    }
  }

  /// Takes changes out of a context's own unsaved layers. Called with the lock held.
  /// - Parameters:
  ///   - endsReturns: Whether policies have brought nothing back any more over deletions that go.
  ///   - rest: What is left of a change set; the set itself where all of it is.
  /// - Returns: The layers that had some of them.
  @discardableResult
  private func uncheckedWithdraw(
    from node: LedgerNode, endsReturns: Bool = true, leaving rest: (ChangeSet) -> ChangeSet
  ) -> [Layer] {
    let layers = node.layers
    var touched: [Layer] = []
    node.replaceWaiting { layer in
      guard layer.isUnsaved(of: node) else { return layer }
      let rest = rest(layer.changes)
      if rest === layer.changes { return layer }
      touched.append(layer)
      return rest.count > 0 ? layer.with(changes: rest) : nil
    }
    uncheckedDoubt(touched)
    if endsReturns { uncheckedEndReturns(over: touched, in: node, among: layers) }
    return touched
  }

  /// Has a context's own unsaved changes to an object count for nothing from now on, for its children, too.
  /// They leave the layers when somebody looks at these, those of many objects at once.
  package func drop(_ id: ManagedObjectID, in node: LedgerNode) {
    withLock { _ = node.dropped.insert(id) }
  }

  /// Takes what was dropped out of the layers of a context and of those above it. Called with the lock
  /// held.
  func uncheckedSettle(to node: LedgerNode) {
    for ancestor in node.ancestors where !ancestor.dropped.isEmpty {
      uncheckedWithdrawDropped(from: ancestor)
    }
    if !node.dropped.isEmpty { uncheckedWithdrawDropped(from: node) }
  }

  func uncheckedWithdrawDropped(from node: LedgerNode) {
    let ids = node.dropped
    node.dropped = []
    let ended = uncheckedWithdraw(from: node) { $0.without(ids, number: changeSetID()) }
    followers.tell(ofEnded: ids, of: ended, by: node)
  }
}

// What policies have brought back is there as a whole only as long as a deletion lies below it.
extension ChangeLedger {
  /// Has a context's own deletions give way to what children have brought back over them.
  /// - Returns: The ends of one-to-one links that the deletions had cleared and a child has led elsewhere.
  package func end(
    _ deletions: EndedDeletions, in node: LedgerNode
  ) -> [ManagedObjectID: PropertySet] {
    let edits = deletions.edits
    var builder = RowBuilder()
    return withLock {
      // First, as what a child has brought back is told by the deletion that it lies on.
      node.replaceWaiting { layer in
        guard layer.changes.restores(anyOf: edits.keys) else { return layer }
        let changes = layer.changes.withoutRelinks(to: edits, &builder)
        return changes === layer.changes ? layer : layer.with(changes: changes)
      }
      let waiting = Array(node.layers.dropFirst(node.inFlight))
      let ended = EndedEnds(
        clearedFor: deletions.entailed.union(edits.keys), in: waiting, of: node)
      uncheckedWithdraw(from: node, endsReturns: false) {
        $0.without(edits, number: changeSetID())
      }
      uncheckedEndReturns(of: Set(edits.keys).subtracting(deletions.gone), in: node)
      var deletions = deletions
      if !deletions.lost.isEmpty {
        node.replaceWaiting { deletions.rebased($0, in: node) }
      }
      return withExtendedLifetime(waiting) { uncheckedEnd(ended, in: node, builder: &builder) }
    }
  }

  /// Has a context's own layers edit ends of one-to-one links no more, where a child has led them elsewhere.
  /// - Returns: Those ends: what they lead to is what the child has made of them.
  package func endEdits(
    _ ends: [ManagedObjectID: PropertySet], in node: LedgerNode
  ) -> [ManagedObjectID: PropertySet] {
    let ends = Dictionary(uniqueKeysWithValues: ends.map { ($0.ofAnyStore, $1) })
    var builder = RowBuilder()
    return withLock {
      let waiting = Array(node.layers.dropFirst(node.inFlight))
      return uncheckedEnd(
        EndedEnds(edited: ends, in: waiting, of: node), in: node, builder: &builder)
    }
  }

  /// Takes a context's part out of its layers. Called with the lock held.
  private func uncheckedEnd(
    _ ended: EndedEnds, in node: LedgerNode, builder: inout RowBuilder
  ) -> [ManagedObjectID: PropertySet] {
    if ended.all.isEmpty { return [:] }
    var ended = ended
    uncheckedDoubt(Array(node.layers.dropFirst(node.inFlight)))
    node.replaceWaiting { ended.rest(of: $0, in: node, &builder) }
    return ended.all
  }

  /// Deletions have left a context on another way than upwards. Called with the lock held.
  /// - Parameters:
  ///   - layers: The layers that had them.
  ///   - node: The context, if it was one: elsewhere only what its descendants have lay on these deletions.
  ///   - all: What the context had: the layers before the first of these lie below them.
  func uncheckedEndReturns(
    over layers: [Layer], in node: LedgerNode? = nil, among all: [Layer] = []
  ) {
    guard mayHaveReturns else { return }
    let ids = layers.reduce(into: Set<ManagedObjectID>()) { $0.formUnion($1.changes.deletedIDs) }
    if ids.isEmpty { return }
    uncheckedEndReturns(of: ids, in: node, after: all.prefix { $0 !== layers.first })
  }

  /// Deletions have come to nothing on their way up. Called with the lock held.
  /// - Parameters:
  ///   - remade: The layers that had them, and what they are now.
  ///   - node: Where they have come from: what lay on them is there, and further down.
  func uncheckedEndReturns(over remade: [(was: Layer, now: Layer)], from node: LedgerNode) {
    guard mayHaveReturns else { return }
    let ids = remade.reduce(into: Set<ManagedObjectID>()) {
      $0.formUnion($1.was.changes.deletedIDs.subtracting($1.now.changes.deletedIDs))
    }
    if !ids.isEmpty { uncheckedEndReturns(of: ids, in: node) }
  }

  /// Has what policies have brought back of objects be plain edits where no deletion lies below any more:
  /// about another deletion another policy decides. Called with the lock held.
  /// - Complexity: O(layers of all contexts) where something has come back; else O(1).
  private func uncheckedEndReturns(
    of ids: Set<ManagedObjectID>, in home: LedgerNode?, after first: ArraySlice<Layer> = []
  ) {
    let first = Set(first.map(ObjectIdentifier.init))
    mayHaveReturns = false
    for node in nodes.all {
      let restoring = node.runs.lazy.flatMap(\.layers).filter(\.changes.hasRestored)
      if restoring.isEmpty { continue }
      mayHaveReturns = true
      if let home, !node.isBelow(home) { continue }
      guard restoring.contains(where: { $0.changes.restores(anyOf: ids) }) else { continue }
      var below = uncheckedChain(to: node.parent)
      for layer in node.layers.prefix(node.inFlight) { below.append(layer) }
      node.replaceWaiting { layer in
        defer { below.append(layer) }
        if first.contains(ObjectIdentifier(layer)) || !layer.changes.restores(anyOf: ids) {
          return layer
        }
        return layer.withoutReturns { update, entity in
          let id = ManagedObjectID(update.row.key, entity)
          let isOver = !ids.contains(id) || below.newest(id)?.kind == .deletion
          return update.restoring(isOver)
        }
      }
    }
  }
}

/// Finds out whether what waits in a context changes nothing: all of it is deleted there, and does not exist
/// below.
///
/// An object does not exist below where it was created in the context, or where a child has restored it over a
/// deletion.
struct VainChanges {
  private let runs: [LayerRun]
  private let layers: [Layer]
  private let bringsBack: (RowUpdate, EntityLayout) -> Bool

  init(_ node: LedgerNode, bringsBack: @escaping (RowUpdate, EntityLayout) -> Bool) {
    runs = node.runs
    layers = node.layers
    self.bringsBack = bringsBack
  }

  /// - Complexity: O(log layers) where the layers change something, mostly; else O(rows · layers).
  var areAll: Bool {
    layers.allSatisfy { layer in
      layer.changes.entities.allSatisfy { set in set.keys.allSatisfy { isVain($0, of: set.entity) }
      }
    }
  }

  private func isVain(_ key: Int64, of entity: EntityLayout) -> Bool {
    let id = ManagedObjectID(key, entity)
    let newest = runs.reversed().lazy.compactMap { $0.newest(id) }.first
    guard newest?.kind == .deletion else { return false }
    return runs.contains { $0.inserts(id) } || restored(id).map { bringsBack($0, entity) } ?? false
  }

  /// The change by which a child has restored an object.
  private func restored(_ id: ManagedObjectID) -> RowUpdate? {
    for layer in layers where layer.changes.hasRestored {
      if case .updated(let update)? = layer.changes.change(id), update.isRestored { return update }
    }
    return nil
  }
}

extension ChangeLedger {
  /// Whether what waits in a context changes nothing.
  /// - Parameter bringsBack: Whether a restored row lies over layers, or a store, without the object.
  package func isVain(
    _ node: LedgerNode, where bringsBack: @escaping (RowUpdate, EntityLayout, LayerChain) -> Bool
  ) -> Bool {
    withLock { uncheckedIsVain(node, where: bringsBack) }
  }

  /// Ends what waits in a context where it changes nothing: there is nothing to save. A child that had saved
  /// some of it learns that it is gone.
  package func dropVain(
    _ node: LedgerNode, where bringsBack: @escaping (RowUpdate, EntityLayout, LayerChain) -> Bool
  ) {
    withLock {
      if node.runs.isEmpty || node.inFlight > 0 { return }
      if !uncheckedIsVain(node, where: bringsBack) { return }
      let layers = node.layers
      node.layers = []
      followers.tell(ofDropped: layers, by: node)
      for ticket in layers.compactMap(\.ticket) { ticket.resolve(.committed(by: ticket.saveID)) }
    }
  }

  /// Called with the lock held.
  private func uncheckedIsVain(
    _ node: LedgerNode, where bringsBack: @escaping (RowUpdate, EntityLayout, LayerChain) -> Bool
  ) -> Bool {
    lazy var below = uncheckedChain(to: node.parent)
    return VainChanges(node) { bringsBack($0, $1, below) }.areAll
  }
}
