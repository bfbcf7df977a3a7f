import CauldronModel
import CauldronStore

extension ContextCore {
  /// Brings the context's own layers up to the refreshes of single objects; to be called before the
  /// layers are used.
  /// - Complexity: O(own unsaved changes) where objects with changes were refreshed.
  func settleRefreshes() { if !pending.dropped.isEmpty { settleRefreshesNow() } }

  private func settleRefreshesNow() {
    followExchanges()
    coordinator.ledger.withdraw(pending.takeDropped(), from: node)
    identity.forgetAllWalks()
  }

  /// Has the end of the event tell of a refreshed object.
  func note(refreshed object: ManagedObject) {
    if event.isEmpty, ownership.kind == .main, event.depth == 0 { publisher.queueEventEnd() }
    event.note(refreshed: object.objectID)
  }
}
