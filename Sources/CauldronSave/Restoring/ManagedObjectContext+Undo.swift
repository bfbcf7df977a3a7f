public import CauldronGraph
import CauldronModel

extension ManagedObjectContext {
  /// What takes back changes of this context; nil by default, and then nothing is noted.
  ///
  /// Each context has its own, and each undo manager one context. What was changed before it is assigned
  /// is not noted.
  /// ```swift
  /// context.undoManager = UndoManager(levelsOfUndo: 50)
  /// ```
  public var undoManager: UndoManager? {
    get {
      prove()
      return core.undoManager
    }
    set {
      prove()
      core.publisher.publish()
      if let target = newValue?.target, target !== core.undoTarget {
        trap("An undo manager belongs to one context; make another one for \"\(name)\".")
      }
      if core.undoManager === newValue { return }
      core.undoManager?.leave()
      core.undoManager = newValue
      // What it has noted in a context that is gone is of no use here.
      if newValue?.target == nil { newValue?.leave() }
      if let newValue { newValue.target = undoTarget }
    }
  }

  /// Takes back the last group of changes; see ``UndoManager/undo()``. Nothing happens without an undo
  /// manager.
  /// - Throws: As ``UndoManager/undo()``.
  public func undo() throws {
    prove()
    try core.undoManager?.undo()
  }

  /// Makes again what ``undo()`` has taken back last; see ``UndoManager/redo()``.
  /// - Throws: As ``UndoManager/undo()``.
  public func redo() throws {
    prove()
    try core.undoManager?.redo()
  }

  /// What carries out the steps of an undo manager here; made for the first one.
  private var undoTarget: any UndoTarget {
    if let target = core.undoTarget { return target }
    let target = Undoer(core)
    core.undoTarget = target
    return target
  }
}

extension LocalContext {
  /// What takes back changes of the context; see ``ManagedObjectContext``.
  public var undoManager: UndoManager? {
    get { context.undoManager }
    set { context.undoManager = newValue }
  }
}
