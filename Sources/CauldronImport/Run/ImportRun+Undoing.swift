import CauldronGraph
import CauldronModel

// Records that can be refused after something of them was set.
extension ImportRun {
  func beginUndo() {
    if context.undoManager == nil {
      let manager = UndoManager(levelsOfUndo: 1)
      manager.groupsByEvent = false
      manager.takesAllBack = true
      context.undoManager = manager
    }
    context.processPendingChanges()
    context.undoManager?.removeAllActions()
    // Finding and validating process changes, too: all that the record does is one group.
    context.undoManager?.beginUndoGrouping()
  }

  func endUndo() {
    context.undoManager?.endUndoGrouping()
    if !plan.needsUndo { context.undoManager = nil }
  }

  func undo() throws {
    context.undoManager?.endUndoGrouping()
    if context.undoManager?.canUndo == true { try context.undo() }
    context.undoManager?.removeAllActions()
    if !plan.needsUndo { context.undoManager = nil }
    for step in unit.steps.reversed() { takeBack(step) }
  }

  /// Notes how something is forgotten where the record is refused.
  func note(_ step: RecordUnit.Step) {
    if unit.isUndoable { unit.steps.append(step) }
  }

  private func takeBack(_ step: RecordUnit.Step) {
    switch step {
    case .keyed(let ref, let slot): takeBack(ref, slot)
    case .waits(let ref): waiting[ref]?.removeLast()
    case .hasArrived(let ref, let links): waiting[ref] = links
    case .stub(let id): stubs[id] = nil
    case .linksStub(let id): stubLinks[id]?.removeLast()
    case .isFilled(let id, let ref, let links):
      stubs[id] = ref
      stubLinks[id] = links
    case .lapsed(let place, let former): lapsed[place] = former
    }
  }

  /// Asks what a save would ask of all that the record has changed, and of nothing that waits for a link.
  func validate() throws {
    context.processPendingChanges()
    var touched = context.importTouched()
    if plan.tellsOfSaves {
      context.importWillSave(touched)
      touched = context.importTouched()
    }
    let problem: CauldronError?
    do {
      problem = try context.importProblem(touched) { [self] object in
        unit.waits.contains(object.objectID) || late[object.objectID] != nil
      }
    } catch { throw Refusal(error.code, error.message.trimmed) }
    if let problem { throw Refusal(problem.code, problem.message.trimmed) }
    try checkUnique(touched)
    noteEdits(touched)
  }

  /// What code of the class has set is a change, too.
  private func noteEdits(_ touched: ImportTouched) {
    for (object, number, isOwn) in unit.untouched
    where touched.edited.contains(object.objectID) {
      if isOwn {
        unit.outcome = .updated
      } else {
        unit.related[number, default: (0, 0)].updated += 1
      }
    }
  }
}
