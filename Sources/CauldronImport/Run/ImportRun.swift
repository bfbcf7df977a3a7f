package import CauldronGraph
package import CauldronModel
package import CauldronSave

/// An import under way: takes chunks of records to a context. It belongs to the context's queue.
package final class ImportRun {
  private let state: ImportState
  private let keys: KeyFinding
  private let uniques: UniqueFinding
  private let checking: RecordChecking
  private let deleting: MemberDeleting
  private let waiting: WaitingLinks
  private let late: LateObjects
  private let record: RecordImport
  /// How many keys had been exchanged when IDs were noted.
  private var exchanges: UInt32 = 0
  /// The objects of the records, in their order; nil where nobody wants them.
  package var collected: [ManagedObjectID?]?

  package init(_ plan: ImportPlan, _ context: ManagedObjectContext, isPreview: Bool = false) {
    state = ImportState(plan, context, isPreview: isPreview)
    keys = KeyFinding(state)
    uniques = UniqueFinding(state, keys)
    checking = RecordChecking(state, keys)
    deleting = MemberDeleting(state)
    waiting = WaitingLinks(state, deleting)
    late = LateObjects(state)
    record = RecordImport(checking, keys, waiting, deleting, late, in: state)
    context.importJoins(by: plan.foundBy)
    if isPreview { context.importReservesNothing() }
  }

  /// What was imported so far.
  package var report: ImportReport { state.report }

  /// Tells the run the keys that the first reading has found.
  package func announce(_ keys: ImportKeys?) { state.announced = keys }

  /// Tells the run which object the only record is, so that no key has to.
  package func know(_ object: ManagedObject?) { state.known = object }

  /// Imports a chunk.
  /// - Throws: What the store meets; with `stopsAtFirst` also `import.refused`.
  package func take(_ chunk: ImportChunk) throws {
    state.begin(chunk)
    try keys.lookUp()
    try uniques.lookUp()
    var members = MemberReading(state, keys)
    try members.read()
    for record in chunk.records { try take(record) }
    state.context.processPendingChanges()
    keys.endChunk()
    uniques.endChunk()
    state.endChunk()
  }

  private func take(_ draft: RecordDraft) throws {
    state.begin(draft)
    record.beginRecord()
    deleting.beginRecord()
    late.beginRecord()
    begin(isUndoable: false)
    collected?.append(nil)
    if let problem = draft.problem { return try state.refuse(problem) }
    var isUndoable = false
    do {
      isUndoable = try checking.check(draft) || state.plan.needsUndo
      begin(isUndoable: isUndoable)
      if isUndoable { beginUndo() }
      let object = try record.object(draft.objects.lowerBound)
      if state.plan.needsUndo { try validate() }
      if isUndoable { endUndo() }
      keep(object)
    } catch let refusal as Refusal {
      if isUndoable { try undo() }
      try state.refuse(refusal)
    }
  }

  private func begin(isUndoable: Bool) {
    keys.begin(isUndoable: isUndoable)
    waiting.begin(isUndoable: isUndoable)
  }

  /// The record stays: what it has done is done.
  private func keep(_ object: ManagedObject?) {
    record.outcome.count(in: &state.report, state.plan)
    deleting.keepRecord(object)
    late.keepRecord()
    if let object, let collected { self.collected?[collected.count - 1] = object.objectID }
  }

  /// The input has ended: what has waited for more is left out, and reported.
  package func finish() throws {
    begin(isUndoable: false)
    followExchanges()
    let left = LeftOutLinks(state, waiting)
    try late.refuse()
    left.report(but: late.refused)
    try deleting.deleteRemoved()
    state.context.processPendingChanges()
    state.context.undoManager = nil
  }

  /// Whether all imported objects can be saved: one that still lacks a required link holds this up.
  package func mayCommit() throws -> Bool {
    followExchanges()
    return try late.mayCommit()
  }

  /// All that was imported so far is saved.
  /// - Parameter outcome: What the save wrote; nil where nothing was saved anew.
  package func noteCommit(_ outcome: SaveOutcome?) {
    if let outcome { state.report.outcome = outcome }
    state.report.committed = state.report.records
    keys.noteCommit()
    uniques.noteCommit()
    followExchanges()
  }

  /// Replaces the IDs in all notes by the present ones. A save exchanges the keys of objects that were created with
  /// provisional keys.
  /// - Complexity: O(what waits, and what is left to be done at the end), where keys were exchanged since.
  private func followExchanges() {
    let count = state.context.importExchangeCount
    guard count != exchanges else { return }
    exchanges = count
    waiting.follow(state.context.importFollowed)
    deleting.follow(state.context.importFollowed)
    late.follow(state.context.importFollowed)
  }
}

// Records that can be refused after something of them was set.
extension ImportRun {
  private func beginUndo() {
    if state.context.undoManager == nil {
      let manager = UndoManager(levelsOfUndo: 1)
      manager.groupsByEvent = false
      manager.takesAllBack = true
      state.context.undoManager = manager
    }
    state.context.processPendingChanges()
    state.context.undoManager?.removeAllActions()
    // Finding and validating process changes, too: all that the record does is one group.
    state.context.undoManager?.beginUndoGrouping()
  }

  private func endUndo() {
    state.context.undoManager?.endUndoGrouping()
    if !state.plan.needsUndo { state.context.undoManager = nil }
  }

  private func undo() throws {
    state.context.undoManager?.endUndoGrouping()
    if state.context.undoManager?.canUndo == true { try state.context.undo() }
    state.context.undoManager?.removeAllActions()
    if !state.plan.needsUndo { state.context.undoManager = nil }
    waiting.undo()
    keys.undo()
  }

  /// Validates as a save would the objects that the record has changed, but none that waits for a
  /// link.
  private func validate() throws {
    state.context.processPendingChanges()
    var touched = state.context.importTouched()
    if state.plan.tellsOfSaves {
      state.context.importWillSave(touched)
      touched = state.context.importTouched()
    }
    let problem: CauldronError?
    do {
      problem = try state.context.importProblem(touched) { [waiting, late] object in
        waiting.waits.contains(object.objectID) || late.contains(object.objectID)
      }
    } catch { throw Refusal(error.code, error.message.trimmed) }
    if let problem { throw Refusal(problem.code, problem.message.trimmed) }
    try uniques.check(touched)
    record.outcome.noteEdits(touched)
  }
}
