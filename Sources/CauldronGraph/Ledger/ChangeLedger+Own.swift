import CauldronModel

extension ChangeLedger {
  /// Adds a context's own edits of one event.
  ///
  /// Own layers are merged geometrically, so that many small events do not make a long list.
  func append(_ layer: Layer, to node: LedgerNode) {
    let count = provisional.exchangeCount
    let followed = followed(layer)
    withLock {
      // A key may have been exchanged since, which is rare.
      node.append([count == provisional.exchangeCount ? followed : self.followed(layer)])
    }
    while let pair = mergeCandidates(node) {
      let merged = ChangeSetMerge.merge(pair.0.changes, pair.1.changes, id: changeSetID())
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

  /// Whether anything waits in a context.
  func isEmpty(_ node: LedgerNode) -> Bool { withLock { node.runs.isEmpty } }

  /// What kind of change to an object waits in a context, if any does; the newest counts.
  /// - Complexity: O(log layers), mostly.
  func pendingKind(_ id: ManagedObjectID, in node: LedgerNode) -> RowChange.Kind? {
    withLock {
      for run in node.runs.reversed() {
        if let change = run.newest(id) { return change.kind }
      }
      return nil
    }
  }

  /// Whether an object was inserted by what waits in a context, and by nothing that waits above it.
  /// - Complexity: O(layers).
  func isNew(_ id: ManagedObjectID, in node: LedgerNode) -> Bool {
    withLock {
      node.runs.contains { $0.inserts(id) }
        && !node.ancestors.contains { $0.runs.contains { $0.newest(id) != nil } }
    }
  }

  /// The layers that wait in a context.
  package func layers(of node: LedgerNode) -> [Layer] { withLock { node.layers } }

  /// A context's own edits that nobody has saved, or that came back.
  func unsavedLayers(of node: LedgerNode) -> [Layer] {
    withLock { node.layers.filter { $0.isUnsaved(of: node) } }
  }

  /// A context's layers: its own edits that nobody has saved and nobody is writing, which can be dropped,
  /// and all others.
  func droppable(of node: LedgerNode) -> (own: [Layer], others: [Layer]) {
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
  func discard(_ node: LedgerNode, acceptedToo: Bool, by name: String) -> [Layer] {
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
      node.layers = kept
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

  /// Takes a context out when it goes away: its own unsaved edits go with it.
  /// - Returns: Whether it leaves accepted pushes, which have to move on to its parent.
  func close(_ node: LedgerNode) -> Bool {
    withLock {
      node.isAlive = false
      if !node.runs.isEmpty {
        uncheckedDoubt(node.layers.filter { $0.isUnsaved(of: node) })
        node.layers.removeAll { $0.isUnsaved(of: node) }
      }
      return !node.runs.isEmpty && node.parent != nil
    }
  }
}
