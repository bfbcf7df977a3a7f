import CauldronLedger
import CauldronModel

// What code does in a context and then asks of a child is seen there, although the context's event has
// not ended: whoever is about to read or save below publishes it first. Only where the same code has both
// contexts, so that nobody waits for anybody.
extension Publisher {
  /// Publishes what the context and its ancestors did, for a query that is to find it.
  @inline(__always)
  func publishForQuery() {
    core.ancestors.publish()
    // No fetch gives an object that is deleted.
    if core.inbox.holdsRestored { core.catchUp.run() }
    publish()
  }

  /// Puts what the event has created and edited so far into the ledger. It goes on: nothing is told,
  /// no hook is called, no step of an undo ends, and what was deleted is not carried on.
  func publishQuietly() {
    core.keys.settleRefreshes()
    guard event.beginPublishingEarly() else { return }
    defer { event.endPublishing() }
    let handle = core.ownership.isKept ? core.handle : nil
    defer { withExtendedLifetime(handle) {} }
    guard let changes = publish(event.takeLiving()) else { return }
    event.untold.add(changes, to: coordinator.ledger)
  }
}
