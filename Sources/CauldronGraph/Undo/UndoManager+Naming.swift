extension UndoManager {
  /// The name of what ``undo()`` would undo; empty where it has none.
  public var undoActionName: String { open.first?.name ?? done.last?.name ?? "" }

  /// The name of what ``redo()`` would make again; empty where it has none.
  public var redoActionName: String { undone.last?.name ?? "" }

  /// "Undo" with the name, as for a menu.
  public var undoMenuItemTitle: String { Self.title("Undo", name: undoActionName) }

  /// "Redo" with the name, as for a menu.
  public var redoMenuItemTitle: String { Self.title("Redo", name: redoActionName) }

  /// Names what the running event changes; where it has changed nothing, what was done last.
  ///
  /// ```swift
  /// person.name = "jack"
  /// context.undoManager?.setActionName("Rename")
  /// ```
  public func setActionName(_ name: String) {
    noteChanges()
    if !open.isEmpty {
      open[0].name = name
    } else if !done.isEmpty {
      done[done.count - 1].name = name
    }
  }

  private static func title(_ verb: String, name: String) -> String {
    name.isEmpty ? verb : "\(verb) \(name)"
  }
}
