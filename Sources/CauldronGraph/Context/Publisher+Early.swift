import CauldronLedger
import CauldronModel

// A change of a context is seen in a child before the context's event ends: a child publishes the
// event before it reads or saves. It does so only on a thread that may use both contexts, so no
// thread waits for another.
extension Publisher {
  /// Publishes what the context and its ancestors did, for a query that is to find it.
  @inline(__always)
  package func publishForQuery() {
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
