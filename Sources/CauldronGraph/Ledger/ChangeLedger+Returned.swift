import CauldronModel

extension ChangeLedger {
  /// Merges what came back to a context with the context's own edits around it.
  ///
  /// A layer is written or refused as a whole, so what was refused could never be mended by a later
  /// layer.
  func mergeReturned(_ node: LedgerNode) {
    while let (older, newer) = returnedPair(node) {
      let merged = ChangeSetMerge.merge(older.changes, newer.changes, id: changeSetID())
      let layer = Layer(
        changes: merged, origin: node, life: .returned, firstNumber: older.firstNumber)
      withLock {
        guard let index = node.layers.firstIndex(where: { $0 === older }),
          index + 1 < node.layers.count, node.layers[index + 1] === newer
        else { return }
        node.layers.replaceSubrange(index...(index + 1), with: merged.count > 0 ? [layer] : [])
      }
    }
  }

  /// Two neighbours, both the context's own and unsaved, at least one of which came back.
  private func returnedPair(_ node: LedgerNode) -> (Layer, Layer)? {
    withLock {
      guard node.layerCount - node.inFlight > 1 else { return nil }
      let waiting = node.layers.dropFirst(node.inFlight)
      return zip(waiting, waiting.dropFirst()).first { older, newer in
        [older, newer].allSatisfy { $0.isUnsaved(of: node) }
          && (older.isReturned || newer.isReturned)
      }
    }
  }
}
