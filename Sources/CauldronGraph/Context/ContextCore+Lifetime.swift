import CauldronModel
import Logging

extension ContextCore {
  /// Ties the core to its handle; a confinement context belongs to the calling thread from now on.
  func adopt(_ context: ManagedObjectContext) {
    shared.withLock {
      $0.handle = LapsingReference(context)
      if isConfined { $0.claim = .thread(Scheduler.thread) }
    }
  }

  /// Whether the context belongs to the thread that made it.
  var isConfined: Bool { kind != .main && kind != .private }

  /// Called when the context's handle goes away: its own unsaved edits go with it.
  func detach() {
    shared.withLock {
      $0.handle.lapse()
      $0.isDetached = true
      $0.inbox = []
    }
    if coordinator.ledger.close(node) { bequeath() }
    node.tie(to: nil)
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

  /// Hands on to the parent what children have saved into this context, as a save would: what
  /// meets a newer change there is for the merge policy to decide, and comes back if refused.
  private func bequeath() {
    let ledger = coordinator.ledger
    do throws(CauldronError) {
      let outcome = try ledger.push(
        node, coordinator, mergePolicy.withLock { $0 }, nil, strict: false)
      for (layer, error) in outcome.returned {
        coordinator.logger.error(
          "\(layer.changes.count) changes that were saved into \"\(name)\" stay unsaved: \(error)")
      }
      coordinator.announceReturns(outcome.returned)
      coordinator.announceAdaptations(outcome.adapted)
      for layer in outcome.accepted {
        parent?.core.receive(layer.changes, .child)
        coordinator.announce(layer.changes, in: node.parent, except: node)
      }
    } catch {
      // Only a strict push throws.
      coordinator.logger.error("Changes that were saved into \"\(name)\" stay there: \(error)")
    }
  }

  /// The context, for as long as it exists.
  var handle: ManagedObjectContext? {
    shared.withLock { $0.handle.retained }?.takeRetainedValue()
  }
}
