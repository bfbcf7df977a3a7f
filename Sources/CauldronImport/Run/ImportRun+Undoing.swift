import CauldronGraph
import CauldronModel

// Records that can be refused after something of them was set.
extension ImportRun {
  func beginUndo() {
    if context.undoManager == nil {
      let manager = UndoManager(levelsOfUndo: 1)
      manager.groupsByEvent = false
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
    case .keyed(let ref): keyed[ref]?.removeLast()
    case .waits(let ref): waiting[ref]?.removeLast()
    case .hasArrived(let ref, let links): waiting[ref] = links
    case .stub(let ref): stubs[ref] = nil
    case .linksStub(let ref): stubLinks[ref]?.removeLast()
    case .isFilled(let ref, let id, let links):
      stubs[ref] = id
      stubLinks[ref] = links
    case .lapsed(let place, let former): lapsed[place] = former
    }
  }

  /// Asks what a save would ask of the record's objects.
  func validate() throws {
    context.processPendingChanges()
    for object in unit.objects where object.hasChanges && !unit.waits.contains(object.objectID) {
      do { try object.validateForSave() } catch let error as CauldronError {
        throw Refusal(error.code, error.message)
      }
    }
  }
}
