import CauldronModel

extension ContextCore {
  /// Called when the context's handle goes away: its own unsaved edits go with it.
  func detach() {
    shared.withLock {
      $0.isDetached = true
      $0.inbox = []
    }
    coordinator.ledger.close(node)
    for (number, range) in keys {
      guard let root = coordinator.managedObjectModel.layout(number: number) else { continue }
      coordinator.keys.giveBack(range, root)
    }
    keys = [:]
    owner = 0
    event = []
    pending = []
    identity.removeAll()
  }

  /// The context, for as long as it exists.
  var handle: ManagedObjectContext? { shared.withLock { $0.handle } }
}
