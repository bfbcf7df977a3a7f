import CCauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import Dispatch
import Logging

/// Saves a context: one level of a save, into the parent or into the store.
///
/// It is made where a save begins, and has no storage of its own: what is saved belongs to the context.
struct Saver {
  /// The context. It is a reference because the parts that a save calls are not parts yet.
  let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  var coordinator: PersistentStoreCoordinator { core.coordinator }
  var node: LedgerNode { core.node }
  var event: EventState { core.event }
  private var settler: Settler { Settler(core) }

  /// Saves this level of a chain: into the parent, or into the store.
  ///
  /// Runs as an event of the context. An error stops the chain; what lower levels have handed over
  /// stays where it is.
  func saveLevel(_ run: SaveRun) {
    let began = DispatchTime.now()
    run.run {
      core.publisher.runEvent {
        // A save is a moment at which objects change, also in the middle of an event.
        if event.depth > 1 { core.catchUp.run() }
        saveInEvent(LevelSave(run: run, began: began, yields: true))
        tellLists()
      }
    }
  }

  /// Has lists of the context show what was saved when the call returns, and with it all that came before.
  ///
  /// Objects come first: a list steps no further than they do. What comes in between is looked at again, a few
  /// times, where savers beside this one never rest.
  private func tellLists() {
    for _ in 0..<8 {
      core.catchUp.run()
      coordinator.eventHook.call(node)
      if core.inbox.isEmpty { return }
    }
  }

  private func saveInEvent(_ level: LevelSave) {
    let run = level.run
    cauldron_begin_save(Int32(EventState.mostRounds))
    defer { cauldron_end_save() }
    do throws(CauldronError) {
      try save(level)
    } catch {
      let error = core.whereabouts.locating(error)
        .naming(run.ticket.party, in: node.parent, on: coordinator)
        .advising(run.ticket)
        .with { if $0.contextName == nil { $0.contextName = core.name } }
      run.error = error
      for node in [run.levels[0].core.node, node] {
        coordinator.ledger.note(refusal: error, of: node)
      }
      SaveLog(core, level).logFailure(error)
    }
  }

  private func save(_ level: LevelSave) throws(CauldronError) {
    var level = level
    let run = level.run
    if run.isLate || coordinator.isClosed {
      // What the save has handed on was written as the stack was closed.
      if case .committed = run.ticket.result { return }
      throw .closed()
    }
    try core.hooks.checkMayBeSaved()
    if run.step == 0 { try checkMayBegin(run) }
    event.beginAsking()
    defer { event.endAsking() }
    // What is posted has all that goes with deletions, too.
    core.publisher.publish()
    if core.hasChanges { core.announcer.postWillSave(in: core.handle) }
    try runWillSave()
    try checkUnread(level)
    // A child may bring back what is about to be deleted; what goes with the deletion comes back, too.
    while try !handOn(&level) {
      core.catchUp.run()
      core.publisher.publishUnrecorded()
    }
  }

  /// Validates what waits in the context, and hands it on.
  /// - Returns: False, and nothing was handed on, where a child has brought something back meanwhile.
  private func handOn(_ level: inout LevelSave) throws(CauldronError) -> Bool {
    let run = level.run
    let problem = try validate(&level)
    level.touched = TouchedOwners(core).overriding(.didSave)
    var renewal = LayerRenewal(core)
    renewal.run(for: run.mergePolicy(of: core))
    coordinator.ledger.dropVain(node, where: coordinator.bringsBack)
    let layers = coordinator.ledger.layers(of: node)
    count(layers, of: run)
    if run.step == 0 {
      run.carry(layers, own: run.goesOn ? coordinator.ledger.tickets(above: node) : [])
    }
    guard !layers.isEmpty else {
      if run.isEmptied { run.written = SavedCounts() }
      runDidSave(settler.settle(keeping: []), touched: level.touched, handedOn: [])
      SaveLog(core, level).logNothing()
      return true
    }
    SaveLog(core, level).logSaving(layers)
    if run.step == 0, let problem { throw problem }
    return try node.parent == nil
      ? commit(level, refusingOwn: problem) : push(level, refusingOwn: problem)
  }

  /// Refuses a save that may not begin. Observers of saves cannot go on forever with another one, of
  /// whichever context. Each level that it goes on to has to be free, too, before it is handed anything:
  /// the save that runs there would save it, in spite of the refusal.
  private func checkMayBegin(_ run: SaveRun) throws(CauldronError) {
    if cauldron_saves_are_endless() { throw .endlessSaves(core.name) }
    var level = run.goesOn ? core.parent?.core : nil
    while let ancestor = level {
      if ancestor.ownership.isCallers { try ancestor.hooks.checkMayBeSaved() }
      level = ancestor.parent?.core
    }
  }

  /// - Parameter problem: Why own changes stay behind.
  /// - Returns: False, and nothing has moved, where a child has brought something back.
  private func push(
    _ level: LevelSave, refusingOwn problem: CauldronError?
  ) throws(CauldronError) -> Bool {
    let (run, log) = (level.run, SaveLog(core, level))
    var push = PushRequest(of: node, on: coordinator, policy: run.mergePolicy(of: core))
    push.ticket = run.ownTicket()
    push.isStrict = run.step == 0
    push.problem = problem
    push.validated = level.validated
    push.goesOn = run.goesOn
    guard let outcome = try coordinator.ledger.push(push) else { return false }
    coordinator.announceReturns(log.logReturned(outcome.returned, in: node.parent))
    log.logUnsaved(
      outcome.refused.map { $0.1.naming($0.0.party, in: node.parent, on: coordinator) })
    if let refused = outcome.refused.first { coordinator.ledger.note(refusal: refused.1, of: node) }
    if !outcome.accepted.isEmpty { run.didWork = true }
    run.isEmptied =
      !outcome.accepted.isEmpty && outcome.accepted.allSatisfy { $0.changes.count == 0 }
    settler.rebase(outcome.losses)
    let told = settler.settle(keeping: outcome.refused.map(\.0))
    runDidSave(told, touched: level.touched, handedOn: outcome.accepted)
    // Objects show what a merge policy made of their changes as soon as they are saved.
    if !outcome.adapted.isEmpty {
      run.isAdapted = true
      core.catchUp.run()
    }
    coordinator.wakeReached()
    log.logSaved(outcome.accepted, refused: outcome.returned.count + outcome.refused.count)
    core.announcer.postDidSave(outcome.accepted.map(\.changes), saveID: run.id, in: core.handle)
    return true
  }

  /// - Parameter problem: Why own changes stay behind.
  /// - Returns: False, and nothing was written, where a child has brought something back.
  private func commit(
    _ level: LevelSave, refusingOwn problem: CauldronError?
  ) throws(CauldronError) -> Bool {
    let (run, log) = (level.run, SaveLog(core, level))
    event.hold()
    var commit = StoreCommit(of: node, by: run, run.mergePolicy(of: core), coordinator)
    commit.commit(level, refusingOwn: problem)
    let summary = commit.summary
    event.release()
    if summary.isOutrun { return false }
    if !summary.written.isEmpty { run.didWork = true }
    coordinator.committed.note(summary.written)
    // What concerns the store as a whole is logged once, as this save's own failure.
    let failed = summary.error == nil ? log.logReturned(summary.failed, in: nil) : summary.failed
    coordinator.announceReturns(failed)
    coordinator.wakeReached()
    if !summary.losses.isEmpty {
      // What has come back is taken in first, as it was saved.
      core.catchUp.run()
      settler.rebase(summary.losses)
    }
    let ownFailures = failed.filter { $0.0.origin === node }
    if summary.error == nil || !summary.written.isEmpty || !ownFailures.isEmpty {
      let told = settler.settle(
        keeping: coordinator.ledger.layers(of: node).filter { $0.origin === node })
      runDidSave(told, touched: level.touched, handedOn: summary.written)
    }
    // Objects show what a merge policy made of their changes as soon as they are saved.
    if !summary.adapted.isEmpty { run.isAdapted = true }
    if !summary.adapted.isEmpty || summary.hasTouched { core.catchUp.run() }
    log.logSaved(summary.written, refused: failed.count, summary: summary)
    core.announcer.postDidSave(summary.written.map(\.changes), saveID: run.id, in: core.handle)
    if let error = summary.error { throw error }
    log.logUnsaved(ownFailures.dropFirst(run.step == 0 ? 1 : 0).map(\.1))
    if run.step == 0, let failure = ownFailures.first { throw failure.1 }
    return true
  }

  /// Looks whether what was done so far could be saved; nothing is, before the block has ended.
  func checkBeforeEnd() throws(CauldronError) {
    try core.hooks.checkMayBeSaved()
    try runWillSave()
    if let problem = try validateOwn() { throw problem }
  }

  private func count(_ layers: [Layer], of run: SaveRun) {
    if run.step == 0 { run.counts = SavedCounts(layers) }
  }
}

/// A save as one of its levels carries it out.
struct LevelSave {
  let run: SaveRun
  let began: DispatchTime
  /// Whether a child comes first that has brought back what the context may have deleted.
  var yields = false
  /// The first numbers of the layers that the level has validated and hands on; nil for all that wait
  /// there, where no class validates its objects by code of its own.
  var validated: Set<UInt64>?
  /// The owners of which to-many relationships alone were changed, and whose class wants to know of saves.
  var touched: [ManagedObject] = []
}

// Objects are told of the save of each level that has them: where they were changed, and above.
extension Saver {
  /// Calls `willSave` on every unsaved object and on those that children have changed, again where that
  /// changed something, and ends the event in between.
  /// - Complexity: Nothing where no class overrides it; else O(unsaved objects, and those that the context
  ///   has of what children have brought).
  func runWillSave() throws(CauldronError) {
    core.publisher.publish()
    guard coordinator.classes.allHooks.contains(.willSave) else { return }
    core.undoManager?.isSaving = true
    defer { core.undoManager?.isSaving = false }
    let outer = event.beginRecord()
    var told: [ManagedObject] = []
    defer {
      event.endRecord(outer)
      told.forEachUnretained { $1.change { $0.endSaving() } }
    }
    let own = core.pending.objects.filter {
      core.hooks.of($0).contains(.willSave) && !$0.isGone && $0.isUnsaved
    }
    var waiting = own + brought(coordinator.ledger.layers(of: node), overriding: .willSave)
    waiting += TouchedOwners(core).overriding(.willSave)
    for _ in 0..<EventState.mostRounds {
      guard !waiting.isEmpty else { return }
      for object in waiting where !object.isSaving {
        object.change { $0.beginSaving() }
        told.append(object)
        core.hooks.run("willSave()", of: object, isOfSave: true) { object.willSave() }
      }
      core.publisher.publish()
      // What a hook has changed is told once more, so that it can look at the new values; and so is
      // what a deletion has taken along.
      waiting = event.takeRecord().filter {
        $0.isListed && core.hooks.of($0).contains(.willSave)
      }
      waiting.forEachUnretained { $1.change { $0.endSaving() } }
      // Those that were told are marked.
      waiting += TouchedOwners(core).overriding(.willSave).filter { !$0.isSaving }
    }
    throw .endlessWillSave(waiting, in: core.name)
  }

  /// Calls `didSave` on objects that were saved.
  /// - Parameters:
  ///   - own: Those that the context has changed and whose class overrides it.
  ///   - touched: The owners of which it has changed to-many relationships alone; some may be unsaved still.
  func runDidSave(_ own: [ManagedObject], touched: [ManagedObject], handedOn: [Layer]) {
    guard coordinator.classes.allHooks.contains(.didSave) else { return }
    let own = own + touched.filter { !$0.isTouched }
    var known = Set(own.map(ObjectIdentifier.init))
    let others = brought(handedOn, overriding: .didSave).filter {
      known.insert(ObjectIdentifier($0)).inserted
    }
    for object in own + others {
      core.hooks.run("didSave()", of: object, isOfSave: true) { object.didSave() }
    }
  }

  /// The objects of this context that children have changed and whose class overrides a hook, each once.
  private func brought(_ layers: [Layer], overriding hook: _ObjectHooks) -> [ManagedObject] {
    guard core.registry.count > 0 else { return [] }
    var known: Set<ObjectIdentifier> = []
    var result: [ManagedObject] = []
    for layer in layers where layer.origin !== node {
      for set in layer.changes.entities
      where coordinator.classes.hooks(set.entity.number).contains(hook) {
        for (object, _) in core.registry.objects(touchedBy: set)
        where event.isAsked(object) && known.insert(ObjectIdentifier(object)).inserted {
          result.append(object)
        }
      }
    }
    return result
  }
}

extension CauldronError {
  fileprivate static func endlessWillSave(
    _ objects: [ManagedObject], in context: String
  ) -> CauldronError {
    let names = objects.prefix(3).map { "\($0.layout.name) \(ObjectNames.name($0.key))" }
    let more = objects.count > 3 ? " and \(objects.count - 3) more" : ""
    return CauldronError(
      .validationFailed,
      "Cannot save \"\(context)\": willSave() still changes \(names.joined(separator: ", "))\(more)"
        + " after \(EventState.mostRounds) rounds.",
      hint: "Set a value in willSave() only if it differs from what the object has."
    ).with {
      $0.entity = objects.first?.layout.name
      $0.objectIDs = objects.prefix(3).map(\.objectID)
    }
  }
}
