import CauldronLedger
import CauldronModel
package import CauldronStore
import Dispatch
import Logging

/// Puts into the ledger what the running event of a context has done, and tells of it.
package struct Publisher {
  /// The context. It is a reference because the parts that an event calls are not parts yet.
  let core: ContextCore

  @inline(__always)
  init(_ core: ContextCore) { self.core = core }

  var coordinator: PersistentStoreCoordinator { core.coordinator }
  var node: LedgerNode { core.node }
  var event: EventState { core.event }

  /// Ends the event: carries deletions on, and puts what changed into the ledger, where children
  /// and the context's own fetches see it.
  /// - Returns: What the event changed; nil where it all ended as it began.
  /// - Complexity: O(objects that the event touched).
  @discardableResult
  package func publish() -> ChangeSet? {
    core.keys.settleRefreshes()
    // A deletion takes along what was made above before it.
    if !event.deletions.isEmpty { core.ancestors.publish() }
    guard event.beginPublishing() else { return nil }
    let changes = publishAndPost()
    // When the event may be ended again, as who is told may want to.
    core.announcer.tellObservers()
    return changes
  }

  /// The same without a note for a save that asks its objects in rounds: it does not ask again for what
  /// was changed.
  package func publishUnrecorded() {
    let outer = event.beginRecord()
    publish()
    event.dropRecord(outer)
  }

  private func publishAndPost() -> ChangeSet? {
    defer { event.endPublishing() }
    // What is kept without a handle must not change its lists without the lock.
    let handle = core.ownership.isKept ? core.handle : nil
    defer { withExtendedLifetime(handle) {} }
    core.deleter.propagateDeletes()
    let published = publish(event.takeObjects())
    let changes = event.untold.take(with: published, coordinator.ledger)
    if let changes { core.undoManager?.note(changes) }
    let parts = ChangeParts(refreshed: event.takeRefreshed())
    core.announcer.postDidChange(changes.map { [$0] } ?? [], parts: parts, in: core.handle)
    return changes
  }

  /// Puts what the event did to objects into the ledger, and tells nobody.
  /// - Returns: What has changed; nil where it all ended as it began.
  func publish(_ touched: [ManagedObject]) -> ChangeSet? {
    // From here on, each claimed object is in a layer, or is never inserted.
    defer { if event.claimsInHand == 0 { core.finder.endClaiming() } }
    // After the layer is there: who finds neither knows that there is nothing.
    defer { core.drafts.noteUnpublished() }
    core.drafts.builder.close()
    var drafts = DraftChanges(id: coordinator.ledger.changeSetID())
    keep(touched) { object in add(object, to: &drafts) }
    core.drafts.builder.dropFinishedBlocks()
    guard let changes = withExtendedLifetime(touched, { drafts.finish() }) else { return nil }
    let remade = CancelledChanges(core).remadeLinks(changes)
    coordinator.ledger.append(Layer(changes: changes, origin: node), to: node)
    event.note(changes, of: touched)
    coordinator.claims.note(event.takeOrigins())
    if !drafts.setBack.isEmpty { CancelledChanges(core).endEdits(drafts.setBack) }
    if !remade.isEmpty { CancelledChanges(core).dropCancelled(remade) }
    return changes
  }

  /// Lists objects as unsaved, but for those that `isUnsaved` says no to or that are listed since an
  /// earlier event; mostly there are none.
  private func keep(_ objects: [ManagedObject], isUnsaved: (ManagedObject) -> Bool) {
    /// Where the objects begin that have to be listed one by one.
    var first: Int?
    objects.forEachUnretained { index, object in
      let isNew = isUnsaved(object) && !object.isListed
      if isNew { object.change { _ = $0.list() } } else if first == nil { first = index }
      if isNew, first != nil { core.pending.objects.append(object) }
      if !isNew, first == index { core.pending.objects += objects[..<index] }
    }
    if first == nil {
      if core.pending.objects.isEmpty {
        core.pending.objects = objects
      } else {
        core.pending.objects += objects
      }
    }
  }

  /// Adds what the event did to an object.
  /// - Returns: Whether the context has something to save of it.
  private func add(_ object: ManagedObject, to drafts: inout DraftChanges) -> Bool {
    // Refreshed meanwhile, or in the list once more since it was.
    guard object.isInEvent else { return false }
    if core.reader.isHeldBack(object) { return false }
    // What the same event has taken away and brought back may be known since an earlier one.
    let isNew = object.isWritable
    object.change { $0.publish() }
    if object.isNewAlone, object.extras == nil {
      return !isNew || insert(object, into: &drafts)
    }
    let base = object.extras?.edits.eventBase
    defer { object.extras?.edits.publish() }
    if object.isDeleted { return addDeleted(object, base: base, to: &drafts) }
    if let base { return addUpdated(object, base: base, to: &drafts) }
    return object.isNew && (!isNew || insert(object, into: &drafts))
  }

  private func insert(_ object: ManagedObject, into drafts: inout DraftChanges) -> Bool {
    let row = RowPointer(object.row)
    row.setVersion(1)
    row.setMaker(drafts.id)
    drafts.insert(object, row: row)
    return true
  }

  private func addUpdated(
    _ object: ManagedObject, base: HeldRow, to drafts: inout DraftChanges
  ) -> Bool {
    let changed = object.eventEdits(since: base.row)
    let extras = object.extras
    guard !changed.isEmpty else { return settle(object, base: base) }
    let row = core.drafts.publishable(object, changed: changed, on: base.row)
    row.setVersion(base.row.nextVersion)
    row.setMaker(drafts.id)
    if let committed = extras?.edits.committed, committed.row != base.row {
      // What goes with a deletion comes back where that is overruled.
      let setBack = changed.subtracting(object.edits(since: committed.row))
        .subtracting(extras?.edits.restated ?? PropertySet())
        .subtracting(extras?.edits.nullified ?? PropertySet())
      if !setBack.isEmpty { drafts.note(object, setBack: setBack) }
    }
    drafts.update(
      object,
      by: RowUpdate(
        row: row, base: base.row, changed: changed, first: extras?.edits.eventFirst?.row,
        nullified: nullified(of: object, among: changed, since: base.row)))
    return true
  }

  /// The references that deletions of this event have made nil. One that the event has led to the deleted
  /// object itself, away from another one, is an edit.
  private func nullified(
    of object: ManagedObject, among changed: PropertySet, since base: RowPointer
  ) -> PropertySet {
    let cleared = object.extras?.edits.nullified.intersection(changed) ?? PropertySet()
    if cleared.isEmpty { return cleared }
    return PropertySet(
      cleared.indices.filter { index in
        let property = object.layout.properties[index]
        guard let id = core.keys.reference(in: base, property),
          let root = property.destination?.entity.root.number
        else { return true }
        return core.registry.object(id.key, root: root)?.isDoomed == true
      })
  }

  private func addDeleted(
    _ object: ManagedObject, base: HeldRow?, to drafts: inout DraftChanges
  ) -> Bool {
    guard !object.isGone, let deleted = base?.row ?? publishedRow(object) else {
      return false
    }
    drafts.delete(object, row: deleted)
    if object.isNew { forget(object) }
    return !object.isNew
  }

  /// Lets go of an object that was created and deleted without a save.
  private func forget(_ object: ManagedObject) {
    object.noteChanges()
    object.change { $0.becomeGone() }
    core.registry.removeGone(object)
  }

  /// The row of a deleted object that the event did not edit.
  private func publishedRow(_ object: ManagedObject) -> RowPointer? {
    object.isFault ? nil : object.trackedRow
  }

  /// Whether the context has changes to an object that earlier events have made.
  private func isPending(_ object: ManagedObject) -> Bool {
    coordinator.ledger.pendingKind(object.registeredID, in: node) != nil
  }

  /// An edit that ended where it began is none.
  private func settle(_ object: ManagedObject, base: HeldRow) -> Bool {
    if object.extras?.edits.untracked == nil {
      object.move(to: base.row)
    } else {
      object.extras?.edits.endTracked(at: base)
    }
    if let committed = object.extras?.edits.committed,
      committed.row == base.row || !isPending(object)
    {
      object.change { $0.endEdit() }
      object.extras?.forgetEdits()
      return false
    }
    return true
  }
}

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

  /// Runs work as one event: what arrived meanwhile is taken in before it, and what it changed is
  /// published after it. Nested events belong to the outermost one.
  package func runEvent<R>(_ body: () throws -> R) rethrows -> R {
    let previous = core.ownership.thread.value
    core.ownership.thread.setCurrent()
    if event.enter() { core.catchUp.run() }
    defer {
      if event.isOutermost { endEvent() }
      event.leave()
      core.ownership.thread.set(previous)
    }
    return try body()
  }

  /// Runs a block of the program as an event of its own: what was changed before it is another step of an
  /// undo.
  func runBlock<R>(_ body: () throws -> R) rethrows -> R {
    if event.depth == 0, let undoManager = core.undoManager,
      !event.isEmpty || undoManager.isOpenedByEvent
    {
      runEvent {}
      undoManager.eventEnded()
    }
    return try runEvent(body)
  }

  /// Publishes what the event changed, and lets go of unused rows and objects.
  func endEvent() {
    // Observers of the change may change something themselves.
    var rounds = 0
    repeat {
      publish()
      core.hooks.runWaitingHooks()
      coordinator.eventHook.call(node)
      rounds += 1
    } while !event.isEmpty && rounds < 100
    core.undoManager?.eventEnded()
    if event.objects.isEmpty {
      // What the event has written lies in the ledger now, which keeps what is still of use.
      core.drafts.builder.dropFinishedBlocks()
      if core.settings.habits.value & 1 == 0 { core.registry.map.sweepIfWorthwhile() }
    }
    if let observed = core.announcer.cells { observed.eventEnds() }
    coordinator.kept.endUnused()
  }

  /// Ends what was done so far, as the end of an event would.
  package func processPending() {
    core.catchUp.run()
    publish()
    core.hooks.runWaitingHooks()
    coordinator.eventHook.call(node)
    core.announcer.tellObservers()
  }

  // MARK: Queues

  /// Runs `body` as an event of the context and returns when it has run.
  package func performAndWait(_ body: @escaping @Sendable () -> Void) {
    refuseIfConfined()
    core.ancestors.publish()
    core.ownership.endClaim(.queue)
    hold { self.runBlock(body) }
  }

  /// Runs `body` while the calling thread has the queue, so that nobody else works here meanwhile.
  package func hold(_ body: @escaping @Sendable () -> Void) {
    let main = coordinator.mainQueue
    core.ownership.queue.sync(
      runs: main.isCurrent ? main : nil,
      longWait: { logLongWait() },
      body)
  }

  /// What is awaited may go on on any thread, and a confined context must stay on its own.
  /// - Throws: `context.confined`.
  package func refuseFollowingConfined() throws {
    guard core.ownership.isConfined else { return }
    throw CauldronError(
      .contextConfined,
      "Nothing can be awaited in context \"\(core.name)\", which is confined to the thread that made it.",
      hint: "Use performFetchAndWait() there, or a .private context.")
  }

  /// A context without a queue has nowhere to run a block.
  func refuseIfConfined() {
    guard core.ownership.isConfined else { return }
    trap(
      "Context \"\(core.name)\" is confined to the thread that made it and has no queue;"
        + " make a .private context to use perform(_:).")
  }

  private func logLongWait() {
    let last = core.ownership.lastThread
    coordinator.logger.warning(
      "A thread has waited for context \"\(core.name)\" for a second (last used by thread \(last))."
    )
  }
}

/// Carries what a block returns or throws over a wait.
///
/// `@unchecked Sendable` because the block writes it before the waiting caller reads it.
final class ResultBox<Value>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}

/// Lends a closure that is not Sendable to the thread that runs it while its owner waits.
///
/// `@unchecked Sendable` because caller and block never run at the same time.
struct LentClosure<Value>: @unchecked Sendable {
  let run: () throws -> Value
}
