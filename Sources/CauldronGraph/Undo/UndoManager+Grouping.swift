import CauldronModel

extension UndoManager {
  /// How many groups are open, that of the running event included.
  public var groupingLevel: Int { open.count }

  /// Opens a group, inside that of the event where events are groups; what was changed before does not
  /// belong to it.
  ///
  /// ```swift
  /// manager.beginUndoGrouping()
  /// manager.setActionName("Import")
  /// …
  /// manager.endUndoGrouping()
  /// ```
  /// As long as it is open, ``undo()`` is refused, and the event's own group does not end.
  public func beginUndoGrouping() {
    noteChanges()
    openByEvent()
    open.append(UndoGroup())
  }

  /// Closes the group that was opened last; one in which nothing was changed leaves nothing.
  ///
  /// Traps where none was opened with ``beginUndoGrouping()``.
  public func endUndoGrouping() {
    noteChanges()
    guard open.count > (isOpenedByEvent ? 1 : 0), let group = open.popLast() else {
      trap(
        "No undo group is open; call beginUndoGrouping() first, after the undo manager was assigned to"
          + " its context.")
    }
    if open.isEmpty {
      keep(group)
    } else {
      open[open.count - 1].append(group)
    }
  }

  /// The context's event has ended.
  package func eventEnded() {
    guard isOpenedByEvent, open.count == 1, besides == nil else { return }
    isOpenedByEvent = false
    let group = open.removeLast()
    keep(group)
  }

  /// Sees to it that the event has a group, where events are groups.
  func openByEvent() {
    guard open.isEmpty, groupsByEvent else { return }
    open.append(UndoGroup())
    isOpenedByEvent = true
  }
}
