import CauldronModel

extension ChangeLedger {
  /// Merges a context's own edits that lie side by side: they are one save.
  ///
  /// A layer is compared and written as a whole, so that of two an older one would be refused for
  /// what the newer one has mended, as when a reference was set and taken back.
  /// - Complexity: O(own changes), the newest first, as they are mostly small.
  func mergeOwn(_ node: LedgerNode) {
    while let (older, newer) = lastOwnNeighbours(node) {
      let merged = ChangeSetMerge.merge(older.changes, newer.changes, id: changeSetID())
      let isReturned = older.isReturned || newer.isReturned
      let layer = Layer(
        changes: merged, origin: node, life: isReturned ? .returned : .own,
        firstNumber: older.firstNumber)
      withLock {
        guard let index = node.layers.firstIndex(where: { $0 === older }),
          index + 1 < node.layers.count, node.layers[index + 1] === newer
        else { return }
        node.layers.replaceSubrange(index...(index + 1), with: merged.count > 0 ? [layer] : [])
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
