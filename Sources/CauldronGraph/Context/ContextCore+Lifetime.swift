import CauldronLedger
import CauldronModel
import Logging

extension ContextCore {
  /// Called when a handle of the context goes away.
  ///
  /// The context ends with it, and its own unsaved edits with the context, unless the program still
  /// holds an object with unsaved changes.
  func letGo(of handle: ManagedObjectContext) {
    guard ownership.letGo(of: handle) else { return coordinator.kept.endUnused() }
    // Looked at after the handle was given up, because from then on nothing that comes back has an
    // event follow: so what came before is not missed, and what comes between is seen to as well.
    let mustCatchUp = inbox.holdsReturned
    coordinator.kept.endUnused()
    if mustCatchUp, ownership.canRunHere { return catchUpBeforeEnd() }
    endUnlessHeld(isFirst: true)
  }

  /// Has the objects learn that their saved changes came back: then they count as unsaved again.
  /// The handle that this takes comes back to `letGo`.
  private func catchUpBeforeEnd() {
    guard let handle else { return }
    publisher.runEvent {}
    ownership.endClaim(.open)
    withExtendedLifetime(handle) {}
  }

  /// Ends the context, which nobody can use any more.
  func end() {
    if coordinator.ledger.close(node) { bequeath() }
    node.tie(to: nil)
    coordinator.ledger.nodes.remove(node)
    keys.giveBack()
    ownership.thread.clear()
    event.waiting = WaitingHooks()
    _ = (event.forgetEdits(), pending.forgetEdits(), pending.takeUnread())
    finder.endClaiming()
    registry.map.removeAll()
  }

  /// Hands on to the parent what children have saved into this context, as a save would: what
  /// meets a newer change there is for the merge policy to decide, and comes back if refused.
  private func bequeath() {
    let ledger = coordinator.ledger
    do throws(CauldronError) {
      let outcome = try ledger.push(
        PushRequest(of: node, on: coordinator, policy: settings.withLock { $0.mergePolicy }))
      coordinator.announceReturns(
        ContextLog(self).logReturned(outcome?.returned ?? [], carrier: nil, in: node.parent))
      coordinator.wakeReached()
    } catch {
      // Only a strict push throws.
      coordinator.logger.error(
        "Changes that were saved into \(label.description) stay there: \(error)",
        metadata: ContextLog(self).metadata(error))
    }
  }

  /// Ends the context if it has no handle and the program holds no unsaved object of it; else it is
  /// kept and looked at again.
  /// - Parameter isFirst: Whether its handle has only just gone, and another thread may be in the
  ///   middle of an edit that knows nothing of the lock.
  /// - Complexity: O(unsaved objects), a part of a look only one time in many.
  func endUnlessHeld(isFirst: Bool) {
    let fate = ownership.endUnlessHeld(
      isFirst: isFirst, hasUnsaved: { !event.objects.isEmpty || pending.hasUnsaved },
      triesUntilHeld: {
        HeldObjects(event: event, pending: pending, registry: registry).triesUntilOneIsHeld()
      })
    switch fate {
    case .unchanged: return
    case .kept: coordinator.kept.add(self)
    case .ended:
      // The context cannot be used any more: arrivals that wait are dropped, as later ones are.
      inbox.close()
      end()
    }
  }

  /// The context; made anew where only an unsaved object keeps it; nil once it has ended.
  package var handle: ManagedObjectContext? { ownership.handle }
}

extension ContextCore: KeptContext {
  func endUnlessHeldAgain() { endUnlessHeld(isFirst: false) }
}
