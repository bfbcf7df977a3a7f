import CauldronModel

extension ChangeLedger {
  /// Merges a context's own edits that lie side by side: they are one save. So are those that only
  /// lie apart because a child has handed something over meanwhile that has nothing to do with them.
  ///
  /// A layer is compared and written as a whole, so that of two an older one would be refused for
  /// what the newer one has mended, as when a reference was set and taken back.
  /// - Complexity: O(own changes), the newest first, as they are mostly small; O(own changes ·
  ///   layers) where children's lie between them.
  func mergeOwn(_ node: LedgerNode) {
    mergeNeighbours(node)
    mergeParted(node)
  }

  /// Merges own edits with others between them, as long as nobody adds or takes layers meanwhile.
  private func mergeParted(_ node: LedgerNode) {
    let waiting = withLock { Array(node.layers.dropFirst(node.inFlight)) }
    guard waiting.count > 2, let merged = mergedParted(waiting, node) else { return }
    withLock {
      let now = node.layers.dropFirst(node.inFlight)
      guard now.count == waiting.count, zip(now, waiting).allSatisfy({ $0 === $1 }) else { return }
      node.setLayers(node.layers.prefix(node.inFlight) + merged)
    }
  }

  /// The layers with as few of the context's own as can be; nil where these are as few already.
  private func mergedParted(_ waiting: [Layer], _ node: LedgerNode) -> [Layer]? {
    var layers = waiting
    guard var newer = layers.lastIndex(where: { $0.isUnsaved(of: node) }) else { return nil }
    while let older = layers[..<newer].lastIndex(where: { $0.isUnsaved(of: node) }) {
      let between = layers[(older + 1)..<newer]
      if between.allSatisfy({ $0.isIndependent(of: layers[newer]) }) {
        layers[older] = merged(layers[older], layers[newer], node)
        layers.remove(at: newer)
        newer = older
      } else if between.allSatisfy({ layers[older].isIndependent(of: $0) }) {
        layers[newer] = merged(layers[older], layers[newer], node)
        layers.remove(at: older)
        newer -= 1
      } else {
        newer = older
      }
    }
    return layers.count < waiting.count ? layers.filter { $0.changes.count > 0 } : nil
  }

  private func merged(_ older: Layer, _ newer: Layer, _ node: LedgerNode) -> Layer {
    Layer(
      changes: ChangeSetMerge.merge(older.changes, newer.changes, id: changeSetID()),
      origin: node, life: older.isReturned || newer.isReturned ? .returned : .own,
      firstNumber: older.firstNumber)
  }

  private func mergeNeighbours(_ node: LedgerNode) {
    while let (older, newer) = lastOwnNeighbours(node) {
      let layer = merged(older, newer, node)
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
