import CauldronModel

extension ContextCore {
  /// Ties the core to its handle; a confinement context belongs to the calling thread from now on.
  func adopt(_ context: ManagedObjectContext) {
    shared.withLock {
      $0.handle = context
      if isConfined { $0.claim = .thread(Scheduler.thread) }
    }
  }

  /// Whether the context belongs to the thread that made it.
  var isConfined: Bool { kind != .main && kind != .private }

  /// Called when the context's handle goes away: its own unsaved edits go with it.
  func detach() {
    shared.withLock {
      $0.isDetached = true
      $0.inbox = []
    }
    coordinator.ledger.close(node)
    for (number, range) in keys.enumerated() where !range.isEmpty {
      guard let root = coordinator.managedObjectModel.layout(number: Int32(number)) else {
        continue
      }
      coordinator.keys.giveBack(range, root)
      keys[number] = 0..<0
    }
    owner = 0
    event = []
    pending = []
    identity.removeAll()
  }

  /// The context, for as long as it exists.
  var handle: ManagedObjectContext? { shared.withLock { $0.handle } }
}
