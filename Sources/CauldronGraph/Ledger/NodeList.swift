import CauldronModel

/// The places of all contexts that exist.
package final class NodeList: Sendable {
  private let nodes = Locked<[ObjectIdentifier: LedgerNode]>([:])

  /// In no particular order, but in the same one as long as none comes or goes.
  package var all: [LedgerNode] { nodes.withLock { Array($0.values) } }

  func add(_ node: LedgerNode) { nodes.withLock { $0[ObjectIdentifier(node)] = node } }

  func remove(_ node: LedgerNode) {
    // Released outside the lock.
    _ = nodes.withLock { $0.removeValue(forKey: ObjectIdentifier(node)) }
  }
}
