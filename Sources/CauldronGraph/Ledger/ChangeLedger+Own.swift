import CauldronModel

extension ChangeLedger {
  /// Adds a context's own edits of one event.
  ///
  /// Own layers are merged geometrically, so that many small events do not make a long list.
  func append(_ layer: Layer, to node: LedgerNode) {
    withLock { node.layers.append(layer) }
    while let pair = mergeCandidates(node) {
      guard let merged = ChangeSetMerge.merge(pair.0.changes, pair.1.changes, id: changeSetID())
      else { return }
      let layer = Layer(changes: merged, origin: node)
      withLock {
        guard node.layers.count >= 2, node.layers.last === pair.1,
          node.layers[node.layers.count - 2] === pair.0
        else { return }
        node.layers.removeLast(2)
        // What was created and deleted again leaves nothing to save.
        if merged.count > 0 { node.layers.append(layer) }
      }
    }
  }

  /// The last two layers, if both are own, unsaved, and the older one is not much larger.
  private func mergeCandidates(_ node: LedgerNode) -> (Layer, Layer)? {
    withLock {
      guard node.layers.count >= 2, node.inFlight < node.layers.count - 1 else { return nil }
      let older = node.layers[node.layers.count - 2]
      let newer = node.layers[node.layers.count - 1]
      guard older.ticket == nil, newer.ticket == nil, older.origin === node, newer.origin === node,
        older.changes.count <= 2 * newer.changes.count
      else { return nil }
      return (older, newer)
    }
  }

  /// The layers that wait in a context.
  func layers(of node: LedgerNode) -> [Layer] { withLock { node.layers } }

  /// Drops a context's unsaved own edits, or everything that waits there.
  func discard(_ node: LedgerNode, acceptedToo: Bool, by name: String) {
    let dropped = withLock {
      uncheckedDiverge()
      let flying = node.layers.prefix(node.inFlight)
      let rest = node.layers.dropFirst(node.inFlight)
      let gone = rest.filter { acceptedToo || ($0.ticket == nil && $0.origin === node) }
      node.layers = flying + rest.filter { layer in !gone.contains { $0 === layer } }
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
  }

  /// Takes a context out when it goes away: its own unsaved edits go with it, accepted pushes move
  /// on to its parent.
  func close(_ node: LedgerNode) {
    withLock {
      node.isAlive = false
      node.layers.removeAll { $0.ticket == nil && $0.origin === node }
      guard let parent = node.parent, node.inFlight == 0 else { return }
      parent.layers += node.layers
      node.layers = []
    }
  }
}
