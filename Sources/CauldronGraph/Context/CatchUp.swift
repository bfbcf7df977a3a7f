package import CauldronLedger
import CauldronModel
package import CauldronStore

/// Brings the registered objects of a context up to date with changes made by other contexts,
/// batches and processes. These lie in the inbox until the context runs.
///
/// It has no storage of its own: the inbox and the objects belong to the context.
package struct CatchUp {
  /// The context. It is a reference because the parts that a catch-up calls are not parts yet.
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  var coordinator: PersistentStoreCoordinator { core.coordinator }
  var node: LedgerNode { core.node }
  var event: EventState { core.event }
  var registry: Registry { core.registry }

  /// Tells the context that others have changed rows; the objects follow at its next event.
  package func receive(_ changes: ChangeSet, as reason: Arrival.Reason) {
    // In this order, so that the two locks decide as one would: who takes from the inbox before the
    // question is asked has seen to the arrival, and the event that follows finds nothing; an event
    // that is on its way already takes from the inbox after this. An ended context takes nothing.
    core.inbox.append(Arrival(changes: changes, reason: reason))
    core.inbox.shorten()
    runSoon()
  }

  /// Tells the context that a batch has changed rows; the objects follow at its next event.
  package func receive(_ batch: BatchKeys) {
    core.inbox.append(batch)
    runSoon()
  }

  /// Has an event follow in which the objects catch up, unless one is on its way already, or whoever
  /// has claimed the context sees to that.
  func runSoon() {
    guard let handle = core.ownership.handleForCatchUp() else { return }
    core.ownership.queue.async {
      handle.core.ownership.beginCatchUp()
      handle.core.publisher.runEvent {}
    }
  }

  /// Brings registered objects up to date with the layers that came or went.
  /// - Parameter discarded: What a rollback has dropped.
  /// - Complexity: O(min(registered objects, changed rows)).
  package func run(discarded: [Layer] = []) {
    core.keys.followExchanges()
    if !core.walks.walksOfUnsaved.objects.isEmpty {
      core.walks.forgetWalks(ofUnsaved: coordinator.ledger.view(of: node).way.endedEdits)
    }
    if !core.pending.unread.isEmpty { core.reader.readUnknown() }
    // Before the rest is taken: what comes in between is looked at once more.
    let isRestored = core.inbox.takeRestored()
    let overruled = isRestored ? core.refresher.overruledDeletions() : []
    let (arrived, behind) = core.inbox.take()
    core.ownership.noteUser()
    let exchanged = core.pending.takeExchanged()
    guard
      !arrived.isEmpty || !behind.isEmpty || !discarded.isEmpty || !exchanged.isEmpty || isRestored
    else { return }
    core.drafts.forgetReferences()
    core.keys.settleRefreshes()
    let all = arrived + discarded.map { Arrival(changes: $0.changes, reason: .discarded) }
    let arrivals = core.keys.withSettledKeys {
      all.map { Arrival(changes: coordinator.ledger.followed($0.changes), reason: $0.reason) }
    }
    core.refresher.takeBack(overruled)
    let isConcerned = core.registry.count > 0 || arrivals.contains(where: \.isReturned)
    let parts = isConcerned ? takeIn(arrivals, behind: behind, exchanged: exchanged) : ChangeParts()
    ContextLog(core).logMerge(arrivals, parts: parts, isBehind: !behind.isEmpty)
    // A rollback, which tells what it has dropped, is not done yet.
    if discarded.isEmpty { core.hooks.runWaitingHooks() }
    core.announcer.postDidChange(
      arrivals.filter { !$0.isMerged && $0.reason != .discarded }.map(\.changes), in: core.handle)
    core.announcer.postDidMerge(
      arrivals.filter(\.isMerged).map(\.changes), parts: parts, in: core.handle)
    core.announcer.tellObservers()
  }

  /// - Returns: The objects that took in foreign changes.
  private func takeIn(
    _ arrivals: [Arrival], behind: ArrivedKeys, exchanged: [ManagedObject]
  ) -> ChangeParts {
    event.hold()
    defer { event.release() }
    let isReturned = arrivals.contains(where: \.isReturned)
    // Any number of layers may have come back at once; each row is looked for in all.
    if isReturned { coordinator.ledger.compact(node) }
    let chain = core.keys.withSettledKeys { coordinator.ledger.view(of: node) }
    var parts = ChangeParts()
    if !behind.isEmpty {
      // Of what is behind only the keys are known, and not what the rows refer to.
      core.walks.forgetAllWalks()
      refresh(
        behind.objects(in: registry), over: chain, parts: &parts, tellsAll: !behind.isEverything)
    }
    refresh(exchanged, over: chain, parts: &parts, tellsAll: true)
    if arrivals.count > 8 { readAhead(arrivals, over: chain) }
    let unsaved = LayerChain(layers: isReturned ? coordinator.ledger.unsavedLayers(of: node) : [])
    if isReturned { readAhead(returned: arrivals, chain) }
    for arrival in arrivals {
      for changes in arrival.changes.entities {
        // A refused change stays on top of the row that it was made from. Changes made elsewhere
        // since then are shown when the object is next refreshed.
        if arrival.isReturned {
          takeBack(changes, over: unsaved)
        } else if arrival.isMerged {
          // A deletion that was given up may have let go of its object.
          if arrival.reason == .adapted, !changes.deleted.isEmpty { core.walks.forgetAllWalks() }
          let flags: SnapshotEventType = arrival.reason == .adapted ? .mergePolicy : .refresh
          run(changes, over: chain) {
            parts.refreshed.append($0.objectID)
            core.hooks.noteSnapshot(of: $0, flags: flags)
          }
        } else if arrival.reason == .discarded {
          run(changes, over: chain) {
            event.note(refreshed: $0.objectID)
            core.hooks.noteSnapshot(of: $0, flags: .rollback)
          }
        } else {
          run(changes, over: chain) { _ in }
        }
      }
    }
    return parts
  }

  /// Reads the rows that many small arrivals are about with a few statements.
  private func readAhead(_ arrivals: [Arrival], over chain: LayerChain) {
    let objects = arrivals.lazy.filter { !$0.isReturned }
      .flatMap { $0.changes.entities.flatMap { core.registry.objects(touchedBy: $0) } }
      .map(\.object)
    core.reader.readAhead(objects, over: chain)
  }

  /// Reads the rows that came back and of which there is no object, many with one statement.
  private func readAhead(returned arrivals: [Arrival], _ chain: LayerChain) {
    var keys: [Int32: [Int64]] = [:]
    for set in arrivals.lazy.filter(\.isReturned).flatMap(\.changes.entities) {
      let root = set.entity.rootNumber
      for update in set.updated where core.registry.object(update.row.key, root: root) == nil {
        if chain.inserts(coordinator.id(update.row.key, of: set.entity)) { continue }
        keys[root, default: []].append(update.row.key)
      }
    }
    coordinator.readAhead(keys)
  }

  /// Gives many objects the rows that the context sees now.
  /// - Parameter tellsAll: Whether those whose rows are as they were count as refreshed, too.
  /// - Complexity: O(objects); one statement for each 256 rows that no cache knows.
  private func refresh(
    _ objects: [ManagedObject], over chain: LayerChain, parts: inout ChangeParts, tellsAll: Bool
  ) {
    let known = objects.filter { !$0.isFault }
    var rest = known[...]
    while !rest.isEmpty {
      let some = rest.prefix(4_096)
      rest = rest.dropFirst(4_096)
      core.reader.readAhead(some, over: chain)
      for object in some { refresh(object, over: chain, parts: &parts, tellsAll: tellsAll) }
    }
  }

  private func refresh(
    _ object: ManagedObject, over chain: LayerChain, parts: inout ChangeParts, tellsAll: Bool
  ) {
    let wasGone = object.isGone
    let before = RowPointer(object.row).held
    core.reader.refresh(object, over: chain)
    object.forgetWalks()
    if object.layout.isJoin { return }
    if !object.isGone {
      if tellsAll || wasGone || object.differs(from: before) {
        parts.refreshed.append(object.objectID)
        core.hooks.noteSnapshot(of: object, flags: .refresh)
      }
    } else if !wasGone {
      parts.invalidated.append(object.objectID)
    }
  }

  /// - Parameter note: Is told of each registered object that exists and shows a changed row now.
  private func run(
    _ changes: EntityChanges, over chain: LayerChain, note: (ManagedObject) -> Void
  ) {
    let touched = core.registry.objects(touchedBy: changes)
    if touched.count > 8 { core.reader.readAhead(touched.lazy.map(\.object), over: chain) }
    var isBack = false
    for (object, kind) in touched {
      core.reader.refresh(object, over: chain)
      if kind == .deletion, !object.isGone {
        isBack = true
        takeUpEdits(of: object)
      }
      if kind != .insertion, !object.isGone, !changes.entity.isJoin { note(object) }
    }
    core.walks.forgetWalks(changes)
    // Others may have led what is not deleted after all elsewhere meanwhile, where no walk has shown it.
    if isBack { core.walks.forgetAllWalks() }
    core.announcer.noteReferences(changes)
  }
}

extension ManagedObject {
  /// Whether it shows other values than those of a row.
  fileprivate func differs(from before: HeldRow) -> Bool {
    !RowPointer(row).difference(from: before.row, layout).isEmpty
  }
}

extension ArrivedKeys {
  /// The registered objects that were touched.
  /// - Complexity: O(min(registered objects, keys)).
  func objects(in registry: Registry) -> [ManagedObject] {
    if isEverything { return registry.objects() }
    if batches.isEmpty { return touched(in: registry) }
    var seen: Set<ObjectIdentifier> = []
    return (touched(in: registry) + batches.flatMap { $0.objects(in: registry) })
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  private func touched(in registry: Registry) -> [ManagedObject] {
    if registry.count < count {
      return registry.objects().filter { keys[$0.layout.rootNumber]?.contains($0.key) ?? false }
    }
    return keys.flatMap { root, keys in
      keys.compactMap { registry.object($0, root: root) }
    }
  }
}

extension BatchKeys {
  /// The registered objects that were changed.
  /// - Complexity: O(min(registered objects · log keys, keys)).
  func objects(in registry: Registry) -> [ManagedObject] {
    if registry.count < count {
      return registry.objects().filter { contains($0.key, root: $0.layout.rootNumber) }
    }
    return keys.flatMap { root, keys in
      keys.compactMap { registry.object($0, root: root) }
    }
  }
}

// When a context catches up at once, and not in an event that follows. Arrived changes are shown
// where the calling code has the context: elsewhere an event is on its way.
extension CatchUp {
  /// Whether a save that has ended has left something to take in: derived values of the store or,
  /// where the save has `changed` on its way, the outcome of a merge policy or of a refusal further
  /// up.
  private func isBehind(_ changed: Bool) -> Bool {
    changed || coordinator.managedObjectModel.hasDerived
  }

  /// Has the objects of the context, and of the ancestors on its queue, show the outcome of an
  /// ended save, where the caller owns the context; elsewhere they do so in an event that follows.
  package func runAfterSave(changed: Bool) {
    guard isBehind(changed) else { return }
    runInAncestors()
    runNow()
  }

  /// Whether code on the main queue, which begins no event, would look at something old after a save.
  package func isDue(changed: Bool) -> Bool { core.ownership.kind == .main && isBehind(changed) }

  /// Brings a main context up to a save that has ended. Where the calling code uses another context, an
  /// event of the main context begins.
  package func runOnMain(changed: Bool) {
    if isDue(changed: changed) { runNow() }
  }

  private func runNow() {
    guard !core.inbox.isEmpty, core.ownership.canRunHere else { return }
    core.publisher.hold { runInEvent() }
    core.ownership.endClaim(.open)
  }

  private func runInEvent() {
    core.publisher.runEvent {
      // A save is a moment at which objects change, also in the middle of an event.
      if core.event.depth > 1 { run() }
    }
  }

  /// Takes in what has arrived where the caller is on the context's queue, and ends what was done so far;
  /// in the middle of an event, too, as a save does.
  func runIfCurrent() {
    if core.ownership.queue.isCurrent { runInEvent() }
  }

  /// Takes waiting changes into each ancestor whose queue the caller is on. Without that the ancestor shows
  /// them in its queue's next turn, after code that awaits this context has gone on.
  package func runInAncestors() {
    if coordinator.has(.lateAncestors) { return }
    for core in node.ancestors.compactMap(\.core) where !core.inbox.isEmpty {
      core.catchUp.runIfCurrent()
    }
  }
}
