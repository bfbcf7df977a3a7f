import CauldronModel
package import CauldronStore

/// Takes back what was changed in a context, event by event, and makes it again.
///
/// ```swift
/// context.undoManager = UndoManager()
/// person.name = "jack"
/// try context.undo()  // "jim" again
/// try context.redo()  // "jack"
/// ```
/// Each event is a group: what one `perform` changes, or one turn of the main queue. Undoing restores the
/// properties and links that the event has changed, and no others. It is a new change, also after a save;
/// where somebody else has changed the same property since, saving it is a conflict, which the context's
/// merge policy decides. Merges, saves of children, refreshes and batches are not noted; a rollback or a
/// reset forgets all that was noted. Transient properties are not restored.
///
/// It belongs to the queue of its context, as the context's objects do, and is not Sendable.
public final class UndoManager {
  package weak var target: (any UndoTarget)?
  /// What can be undone, the oldest first.
  @exclusivity(unchecked) package internal(set) var done: [UndoGroup] = []
  /// What can be made again, the oldest first.
  var undone: [UndoGroup] = []
  /// The groups that are open, each inside the one before.
  @exclusivity(unchecked) package internal(set) var open: [UndoGroup] = []
  /// Whether the outermost open group ends with the event.
  var isOpenedByEvent = false
  var names = UndoNames()
  /// What is changed while something is undone, beside that.
  @exclusivity(unchecked) package internal(set) var besides: [ChangeSet]?
  let registration = UndoRegistration()
  /// Whether objects are told that they will be saved.
  @exclusivity(unchecked) package var isSaving = false
  /// Whether an undo was the last thing that was done.
  var isAfterUndo = false
  /// How often all was forgotten.
  private(set) var clearings = 0
  /// Whether what changes is no step of the program's.
  private var isSuspended = false

  /// Whether each event is a group; true by default. With false, changes outside
  /// ``beginUndoGrouping()`` and ``endUndoGrouping()`` are a group each time they are processed.
  public var groupsByEvent = true

  /// How many groups are kept at most, the newest ones; 0, the default, for all of them.
  public var levelsOfUndo = 0 { didSet { trim() } }

  /// Whether a group is taken back as a whole, including cascades from objects that it created. A
  /// caller that sets it is the only one to change the context, so nothing came later.
  package var takesAllBack = false

  /// Whether ``undo()`` runs.
  public internal(set) var isUndoing = false

  /// Whether ``redo()`` runs.
  public internal(set) var isRedoing = false

  /// Makes an undo manager for one context: assign it to ``ManagedObjectContext/undoManager``.
  /// - Parameter levelsOfUndo: How many groups are kept at most; 0 for all of them.
  public init(levelsOfUndo: Int = 0) { self.levelsOfUndo = levelsOfUndo }

  /// Whether there is something to undo; what was changed in the running event counts once it is
  /// processed.
  public var canUndo: Bool {
    target != nil && (!done.isEmpty || open.contains { !$0.isEmpty })
  }

  /// Whether there is something to make again.
  public var canRedo: Bool { target != nil && !undone.isEmpty }

  /// Whether changes are noted.
  public var isUndoRegistrationEnabled: Bool { registration.isEnabled }

  /// Notes nothing from now on, until ``enableUndoRegistration()`` has been called as often.
  ///
  /// What was changed before is noted first; in Core Data the caller sees to that with
  /// `processPendingChanges()`.
  public func disableUndoRegistration() {
    noteChanges()
    registration.disablings += 1
  }

  /// Notes changes again; what was changed meanwhile is not noted.
  ///
  /// Traps where ``disableUndoRegistration()`` was not called before.
  public func enableUndoRegistration() {
    guard !registration.isEnabled else {
      trap(
        "Undo registration is not disabled; call disableUndoRegistration() before each call of this."
      )
    }
    noteChanges()
    registration.disablings -= 1
  }

  /// Forgets all that could be undone or made again, what the running event has changed so far included;
  /// open groups stay open.
  public func removeAllActions() {
    if target != nil { noteChanges() }
    forget()
  }

  func forget() {
    (done, undone) = ([], [])
    open = open.map { _ in UndoGroup() }
    names = UndoNames()
    clearings += 1
  }

  /// Does what is not to be undone, though it changes objects.
  func withoutNoting(_ body: () -> Void) {
    let before = isSuspended
    isSuspended = true
    body()
    isSuspended = before
  }

  /// An event of the context has changed something.
  func note(_ changes: ChangeSet) {
    if isSuspended { return }
    if besides != nil {
      besides?.append(changes)
      return
    }
    if !registration.isEnabled { return }
    if isSaving { return noteOfSave(changes) }
    undone = []
    isAfterUndo = false
    if open.isEmpty, !groupsByEvent {
      var group = UndoGroup()
      group.append(changes)
      return keep(group)
    }
    openByEvent()
    open[open.count - 1].append(changes)
  }

  /// Adds changes from hooks of a save to the last group: they are no step of their own, and leave
  /// the groups to redo as they are.
  private func noteOfSave(_ changes: ChangeSet) {
    if let last = open.indices.last {
      open[last].append(changes)
    } else if isAfterUndo, let last = undone.indices.last {
      undone[last].append(changes)
    } else if let last = done.indices.last {
      done[last].append(changes)
    }
  }

  /// Has what was changed so far noted.
  func noteChanges() {
    target?.proveUndo()
    target?.noteForUndo()
  }

  /// The context has another undo manager now.
  package func leave() {
    target = nil
    open = []
    forget()
  }

  func keep(_ group: UndoGroup) {
    if group.isEmpty { return }
    done.append(group)
    trim()
  }

  private func trim() {
    guard levelsOfUndo > 0 else { return }
    done.removeFirst(max(0, done.count - levelsOfUndo))
    undone.removeFirst(max(0, undone.count - levelsOfUndo))
  }
}

/// Whether changes are noted, so that they can be undone.
final class UndoRegistration {
  /// How often registration was disabled and not enabled again.
  var disablings = 0

  var isEnabled: Bool { disablings == 0 }
}

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
