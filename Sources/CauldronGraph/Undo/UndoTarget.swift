import CauldronModel

/// The context whose changes an undo manager notes.
protocol UndoTarget: AnyObject {
  /// Traps where the caller may not use the context.
  func proveUndo()

  /// Has the changes so far noted.
  func noteForUndo()

  /// Takes in changes from elsewhere, and has the changes so far noted.
  /// - Throws: Why nothing can be undone now.
  func prepareUndo(_ verb: String) throws

  /// Carries out steps, one after the other; all of them, or none.
  /// - Throws: `object.notFound` where an object is not there any more; what reading throws.
  /// - Returns: What the steps have changed.
  func carryOut(_ steps: [UndoStep], _ names: inout UndoNames) throws -> UndoCover

  /// Outside an event, what was processed is a step.
  func endUndoStep()
}
