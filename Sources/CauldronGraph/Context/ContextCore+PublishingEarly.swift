import CauldronModel

// What code does in a context and then asks of a child is seen there, although the context's event has
// not ended: whoever is about to read or save below publishes it first. Only where the same code has both
// contexts, so that nobody waits for anybody.
extension ContextCore {
  /// Publishes what the running events of ancestors did, as a fetch in them would: deletions are carried
  /// on, and observers are told. Only of ancestors that the calling code has at hand.
  /// - Complexity: O(ancestors), without a lock, where there is nothing.
  @inline(__always)
  func publishAncestors() {
    if awaitsAncestors { publishAncestorsNow { $0.publish() } }
  }

  /// Publishes what the running events of ancestors have created and edited; what they deleted, and all
  /// that is told, waits for the events' ends. For what reads single objects, and must change no others.
  @inline(__always)
  func publishAncestorsQuietly() {
    if awaitsAncestors { publishAncestorsNow { $0.publishQuietly() } }
  }

  /// Publishes what the context and its ancestors did, for a query that is to find it.
  @inline(__always)
  func publishForQuery() {
    publishAncestors()
    publish()
  }

  @inline(__always)
  private var awaitsAncestors: Bool {
    place.unretained.node._withUnsafeGuaranteedRef { $0.waitsForAncestors }
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
    settleRefreshes()
    guard event.beginPublishingEarly() else { return }
    defer { event.endPublishing() }
    let handle = ownership.isKept ? self.handle : nil
    defer { withExtendedLifetime(handle) {} }
    guard var newest = publish(event.takeLiving()) else { return }
    settleUntold()
    // Merged so that each row is merged a few times, however often that happens.
    while let last = event.takeLastUntold(of: 2 * newest.count) { newest = merge(last, newest) }
    event.keep(untold: newest)
  }

  /// What the event did, together with what was published early.
  func withUntold(_ changes: ChangeSet?) -> ChangeSet? {
    settleUntold()
    let untold = event.takeUntold()
    if untold.isEmpty { return changes }
    let all = (untold + [changes].compactMap { $0 }).map(coordinator.ledger.followed)
    guard var merged = all.last else { return nil }
    for set in all.dropLast().reversed() { merged = merge(set, merged) }
    return merged.count > 0 ? merged : nil
  }

  private func settleUntold() {
    event.settleUntold { $0.without($1, number: coordinator.ledger.changeSetID()) }
  }

  private func merge(_ older: ChangeSet, _ newer: ChangeSet) -> ChangeSet {
    ChangeSetMerge.merge(older, newer, id: coordinator.ledger.changeSetID())
  }

  /// Notes whether the running event did anything that no layer has.
  func noteUnpublished() {
    let rest =
      event.objects.isEmpty ? LedgerNode.Unpublished.nothing : LedgerNode.Unpublished.deletions
    node.unpublished.store(event.isSettled ? rest : LedgerNode.Unpublished.edits)
  }

  /// What the running event did to an object that was published early; nil for nothing.
  func untoldChange(of object: ManagedObject) -> UntoldChange? {
    if event.untold.isEmpty || event.untoldDrops.contains(object.registeredID) { return nil }
    var result: UntoldChange?
    for set in event.untold {
      switch coordinator.ledger.followed(set).change(object.registeredID) {
      case .inserted: result = UntoldChange(base: nil, changed: PropertySet())
      case .updated(let update):
        let before = result ?? UntoldChange(base: update.base, changed: PropertySet())
        result = UntoldChange(
          base: before.base, changed: before.changed.union(update.changed))
      case .deleted, nil: continue
      }
    }
    return result
  }
}

/// What the running event did to an object, and published before it ended.
struct UntoldChange {
  /// What the object was like before; nil where the event has created it.
  let base: RowPointer?
  let changed: PropertySet
}
