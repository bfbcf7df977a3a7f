import CauldronModel

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
