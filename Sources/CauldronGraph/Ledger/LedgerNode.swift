import CauldronModel

/// A context's place in the ledger: its parent, and the layers that wait there.
///
/// `@unchecked Sendable` because the mutable fields are only touched with the ledger's lock held.
package final class LedgerNode: @unchecked Sendable {
  package let parent: LedgerNode?
  /// Oldest first: accepted from children, or the context's own edits as of an event boundary.
  var layers: [Layer] = []
  /// How many of the first layers a commit is writing right now.
  var inFlight = 0
  /// Whether the context still exists.
  var isAlive = true
  /// Told, outside the lock, that layers came or went that its objects have not seen.
  weak var core: ContextCore?

  package init(parent: LedgerNode?) { self.parent = parent }

  /// The nodes from the root down to this one.
  var path: [LedgerNode] {
    var nodes = [self]
    while let parent = nodes[nodes.count - 1].parent { nodes.append(parent) }
    return nodes.reversed()
  }
}
