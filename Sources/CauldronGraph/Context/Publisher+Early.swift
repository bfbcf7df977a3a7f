import CauldronModel

// What code does in a context and then asks of a child is seen there, although the context's event has
// not ended: whoever is about to read or save below publishes it first. Only where the same code has both
// contexts, so that nobody waits for anybody.
extension Publisher {
  /// Publishes what the running events of ancestors did, as a fetch in them would: deletions are carried
  /// on, and observers are told. Only of ancestors that the calling code has at hand.
  /// - Complexity: O(ancestors), without a lock, where there is nothing.
  @inline(__always)
  func publishAncestors() {
    if awaitsAncestors { publishAncestorsNow { $0.publisher.publish() } }
  }

  /// Publishes what the running events of ancestors have created and edited. Deletions, notifications and
  /// hooks wait for the events' ends: reading a single object must change no other one.
  @inline(__always)
  func publishAncestorsQuietly() {
    if awaitsAncestors { publishAncestorsNow { $0.publisher.publishQuietly() } }
  }

  /// Publishes what the context and its ancestors did, for a query that is to find it.
  @inline(__always)
  func publishForQuery() {
    publishAncestors()
    publish()
  }

  @inline(__always)
  private var awaitsAncestors: Bool {
    core.place.unretained.node._withUnsafeGuaranteedRef { $0.waitsForAncestors }
  }

  @inline(never)
  private func publishAncestorsNow(_ publish: (ContextCore) -> Void) {
    if coordinator.has(.unseenEvents) { return }
    for ancestor in node.ancestors where ancestor.unpublished.value != 0 {
      guard let core = ancestor.core, core.ownership.isCallers,
        core.event.mayBePublishedEarly
      else { continue }
      let previous = core.ownership.thread.value
      core.ownership.thread.setCurrent()
      publish(core)
      core.ownership.thread.set(previous)
    }
  }

  /// Puts what the event has created and edited so far into the ledger. It goes on: nothing is told,
  /// no hook is called, no step of an undo ends, and what was deleted is not carried on.
  private func publishQuietly() {
    core.settleRefreshes()
    guard event.beginPublishingEarly() else { return }
    defer { event.endPublishing() }
    let handle = core.ownership.isKept ? core.handle : nil
    defer { withExtendedLifetime(handle) {} }
    guard let changes = publish(event.takeLiving()) else { return }
    event.untold.add(changes, to: coordinator.ledger)
  }

  /// Notes whether the running event did anything that no layer has.
  func noteUnpublished() {
    let rest =
      event.objects.isEmpty ? LedgerNode.Unpublished.nothing : LedgerNode.Unpublished.deletions
    node.unpublished.store(event.isSettled ? rest : LedgerNode.Unpublished.edits)
  }
}
