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

  /// Called when a handle of the context goes away.
  ///
  /// The context ends with it, and its own unsaved edits with the context, unless the program still
  /// holds an object with unsaved changes.
  func letGo(of handle: ManagedObjectContext) {
    let mustCatchUp = shared.withLock { shared -> Bool? in
      // Another one may have been made for an object that asked for its context.
      guard shared.handle.leads(to: handle) else { return nil }
      shared.handle.lapse()
      return shared.inbox.contains(where: \.isReturned)
    }
    coordinator.kept.endUnused()
    guard let mustCatchUp else { return }
    if mustCatchUp, canRunHere { return catchUpBeforeEnd() }
    endUnlessHeld(isFirst: true)
  }

  /// Has the objects learn that their saved changes came back: then they count as unsaved again.
  /// The handle that this takes comes back to `letGo`.
  private func catchUpBeforeEnd() {
    guard let handle else { return }
    runEvent {}
    endClaim(.open)
    withExtendedLifetime(handle) {}
  }

  /// Ends the context, which nobody can use any more.
  func end() {
    if coordinator.ledger.close(node) { bequeath() }
    node.tie(to: nil)
    coordinator.ledger.nodes.remove(node)
    for (number, range) in keys.enumerated() where !range.isEmpty {
      guard let root = coordinator.managedObjectModel.layout(number: Int32(number)) else {
        continue
      }
      coordinator.keys.giveBack(range, root)
      keys[number] = 0..<0
    }
    owner.clear()
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
      coordinator.announceReturns(logReturned(outcome.returned, nil, in: node.parent))
      coordinator.announceAdaptations(outcome.adapted)
      for layer in outcome.accepted {
        parent?.core.receive(layer.changes, .child)
        coordinator.announce(layer.changes, in: node.parent, except: node)
      }
    } catch {
      // Only a strict push throws.
      coordinator.logger.error(
        "Changes that were saved into \(description) stay there: \(error)",
        metadata: metadata(error))
    }
  }

  /// The context; made anew where only an unsaved object keeps it; nil once it has ended.
  var handle: ManagedObjectContext? {
    let (known, made) = shared.withLock { shared -> (Known?, ManagedObjectContext?) in
      if let known = shared.handle.retained { return (known, nil) }
      if shared.isDetached { return (nil, nil) }
      let made = ManagedObjectContext(of: self)
      shared.handle = LapsingReference(made)
      isKept = false
      return (nil, made)
    }
    return known?.takeRetainedValue() ?? made
  }

  private typealias Known = Unmanaged<ManagedObjectContext>
}
