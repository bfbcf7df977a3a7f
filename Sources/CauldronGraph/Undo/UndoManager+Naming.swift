import CauldronModel

extension UndoManager {
  /// The name of what ``undo()`` would undo; empty where it has none.
  public var undoActionName: String { open.first?.name ?? done.last?.name ?? "" }

  /// The name of what ``redo()`` would make again; empty where it has none.
  public var redoActionName: String { undone.last?.name ?? "" }

  /// "Undo" with the name, as for a menu.
  public var undoMenuItemTitle: String { Self.title("Undo", name: undoActionName) }

  /// "Redo" with the name, as for a menu.
  public var redoMenuItemTitle: String { Self.title("Redo", name: redoActionName) }

  /// Names what the running event changes, before its first change or after it; where the event changes
  /// nothing, the name is forgotten with it.
  ///
  /// ```swift
  /// person.name = "jack"
  /// context.undoManager?.setActionName("Rename")
  /// ```
  /// Without ``groupsByEvent`` it names the open group, and where none is open what was done last.
  public func setActionName(_ name: String) {
    noteChanges()
    openByEvent()
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

extension UndoManager: CustomStringConvertible, CustomDebugStringConvertible {
  /// What can be undone and made again, on one line.
  ///
  /// ```swift
  /// print(manager)  // <UndoManager: 3 to undo ("Rename"), 1 to redo ("Delete"), 1 group open>
  /// ```
  public var description: String {
    var parts = [
      Self.part(done.count, kind: "to undo", name: undoActionName),
      Self.part(undone.count, kind: "to redo", name: redoActionName),
    ]
    let groups = open.count - (isOpenedByEvent ? 1 : 0)
    if groups > 0 { parts.append("\(groups) \(groups == 1 ? "group" : "groups") open") }
    if !isUndoRegistrationEnabled { parts.append("notes nothing") }
    if target == nil { parts.append("of no context") }
    return "<UndoManager: \(parts.joined(separator: ", "))>"
  }

  public var debugDescription: String { description }

  private static func part(_ count: Int, kind what: String, name: String) -> String {
    "\(count) \(what)" + (name.isEmpty ? "" : " (\"\(name)\")")
  }
}
