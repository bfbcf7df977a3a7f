import CauldronModel

extension UndoManager {
  /// Takes back the last group; nothing happens where there is none.
  ///
  /// It is an event of its own: observers are told of it, and ``redo()`` makes again what it has
  /// taken back. Deleted objects come back with their links and places: a saved object whose
  /// deletion is unsaved is the same object as before, any other is a new one with the same values.
  /// - Throws: `object.notFound` where an object that was changed, or that a relationship would
  ///   lead to, is not there any more; nothing is changed then, and the group is forgotten, so that
  ///   the next call goes on with the one before; `undo.blocked` likewise, where a delete rule
  ///   would take objects along that came later. `undo.groupOpen` while a group is open or
  ///   observers are told of a change, `validation.failed` in a hook, and what reading throws; then
  ///   the group stays.
  /// - Complexity: O(changes of the group); a statement for each few hundred objects that are faults.
  public func undo() throws {
    try begin("undo")
    guard let group = done.popLast() else { return }
    isUndoing = true
    defer { isUndoing = false }
    if let undone = try reversal(of: group, "undo", putBack: { self.done.append(group) }) {
      self.undone.append(undone)
    }
    isAfterUndo = true
  }

  /// Makes again what ``undo()`` has taken back last; nothing happens where there is nothing, or where
  /// something else was changed since.
  /// - Throws: As ``undo()``.
  /// - Complexity: As ``undo()``.
  public func redo() throws {
    try begin("redo")
    guard let group = undone.popLast() else { return }
    isRedoing = true
    defer { isRedoing = false }
    if let done = try reversal(of: group, "redo", putBack: { self.undone.append(group) }) {
      keep(done)
    }
    isAfterUndo = false
  }

  /// Takes back the group that was closed last, also one that lies in an open group and is the last thing
  /// there; without an open group as ``undo()``.
  ///
  /// Inside an open group what is taken back cannot be made again.
  /// - Throws: As ``undo()``, but for open groups.
  public func undoNestedGroup() throws {
    guard let target else { return }
    target.proveUndo()
    try target.prepareUndo("undo")
    guard let last = open.indices.last, let group = open[last].removeLastGroup() else {
      return try undo()
    }
    isUndoing = true
    defer { isUndoing = false }
    _ = try reversal(of: group, "undo", putBack: { self.open[last].append(group) })
  }

  private func begin(_ verb: String) throws {
    guard let target else { return }
    target.proveUndo()
    try target.prepareUndo(verb)
    eventEnded()
    if open.isEmpty { return }
    let name = open.first.map { $0.name.isEmpty ? "" : " (\"\($0.name)\")" } ?? ""
    throw CauldronError(
      .undoGroupOpen, "Cannot \(verb) while an undo group\(name) is open.",
      hint: "Call endUndoGrouping() first, as often as beginUndoGrouping() was called.")
  }

  /// Takes a group back.
  /// - Returns: What was done for that.
  private func reversal(
    of group: UndoGroup, _ verb: String, putBack: () -> Void
  ) throws -> UndoGroup? {
    guard let target else { return nil }
    let steps = group.steps.reversed().map(\.reversed)
    besides = []
    defer { besides = nil }
    let cover: UndoCover
    // A copy: who is told of the changes may forget all that can be undone.
    let clearings = clearings
    var names = names
    do {
      cover = try target.carryOut(steps, names: &names)
    } catch let error as CauldronError where error.code == .objectNotFound {
      throw error.missing(verb, name: group.name)
    } catch let error as CauldronError where error.code == .undoBlocked {
      throw error.ended(verb, name: group.name, reason: error.message)
    } catch {
      putBack()
      throw error
    }
    guard self.clearings == clearings else { return nil }
    self.names = names
    let rest = (besides ?? []).compactMap(cover.rest(of:))
    return UndoGroup(
      steps + rest.map { UndoStep(changes: $0, isReversal: false) }, name: group.name)
  }
}

extension CauldronError {
  fileprivate func missing(_ verb: String, name: String) -> CauldronError {
    let what = objectIDs.first.map { "\(entity ?? "object") \($0)" } ?? "an object"
    return ended(verb, name: name, reason: "\(what) is not there any more")
  }

  fileprivate func ended(_ verb: String, name: String, reason: String) -> CauldronError {
    let next = verb == "redo" ? "after" : "before"
    var error = CauldronError(
      code, "Cannot \(verb)\(name.isEmpty ? "" : " \"\(name)\""): \(reason).",
      hint:
        "Nothing was changed, and that step is forgotten; another call takes the one \(next) it.")
    error.entity = entity
    error.property = property
    error.objectIDs = objectIDs
    return error
  }
}
