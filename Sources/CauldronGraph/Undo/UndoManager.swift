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
