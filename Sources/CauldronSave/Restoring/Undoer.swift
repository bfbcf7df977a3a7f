public import CauldronGraph
import CauldronLedger
import CauldronModel

/// Carries out for a context what its undo manager asks for.
final class Undoer: UndoTarget {
  /// The context, which owns this as long as it lives.
  private unowned let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  private var coordinator: PersistentStoreCoordinator { core.coordinator }
  private var node: LedgerNode { core.node }

  func proveUndo() { if !core.isCurrent { core.proveOwner() } }

  func noteForUndo() { publishAll() }

  func prepareUndo(_ verb: String) throws {
    if let hook = core.event.hook {
      throw CauldronError(
        .validationFailed, "Cannot \(verb) while \(hook) runs.",
        hint: "Do it afterwards.")
    }
    if core.event.isPublishing || core.undoManager?.besides != nil {
      throw CauldronError(
        .undoGroupOpen, "Cannot \(verb) while \"\(core.name)\" tells of a change.",
        hint: "Do it afterwards, in a perform block of its own.")
    }
    core.publisher.processPending()
    publishAll()
  }

  /// Ends a step of undo outside an event: the processed changes, with those made by observers of
  /// them.
  func endUndoStep() {
    guard core.event.depth == 0, let undoManager = core.undoManager else { return }
    publishAll()
    undoManager.eventEnded()
  }

  /// Publishes the changes, and those that observers make in answer.
  private func publishAll() {
    var rounds = 0
    repeat {
      core.publisher.publish()
      core.hooks.runWaitingHooks()
      rounds += 1
    } while !core.event.isEmpty && !core.event.isPublishing && rounds < 100
  }

  func carryOut(_ steps: [UndoStep], names: inout UndoNames) throws -> UndoCover {
    core.keys.followExchanges()
    let known = names
    let restorations = merged(steps).map { step in
      Restoration(step, storeNumber: coordinator.storeNumber) {
        known.current($0, follow: core.keys.followed)
      }
    }
    let plan = try UndoPlanner(core).plan(restorations, names: names)
    Restorer(core).carryOut(restorations, plan: plan, names: &names)
    // Objects are told before observers are.
    core.hooks.runWaitingHooks()
    publishAll()
    let cover = cover(restorations, names: names)
    CancelledChanges(core).dropCancelled(cover.ids)
    CancelledChanges(core).dropSetBack(cover.edited)
    coordinator.eventHook.call(node)
    return cover
  }

  /// Steps of the same direction as one.
  private func merged(_ steps: [UndoStep]) -> [UndoStep] {
    var result: [UndoStep] = []
    for step in steps {
      let changes = coordinator.ledger.followed(step.changes)
      guard let last = result.last, last.isReversal == step.isReversal else {
        result.append(UndoStep(changes: changes, isReversal: step.isReversal))
        continue
      }
      // Reversals come newest first.
      let (a, b) = step.isReversal ? (changes, last.changes) : (last.changes, changes)
      let both = ChangeSetMerge.merge(a, with: b, id: coordinator.ledger.changeSetID())
      result[result.count - 1] = UndoStep(changes: both, isReversal: step.isReversal)
    }
    return result
  }

  private func cover(_ restorations: [Restoration], names: UndoNames) -> UndoCover {
    var cover = UndoCover(storeNumber: coordinator.storeNumber)
    for restoration in restorations {
      for arrival in restoration.arrivals {
        cover.add(names.current(arrival.id, follow: core.keys.followed))
      }
      for departure in restoration.departures { cover.add(departure.id) }
      for edit in restoration.edits {
        cover.add(edit.id, properties: edit.properties.union(edit.nullified).union(edit.restated))
      }
      for link in restoration.linked + restoration.moved + restoration.unlinked {
        let ends = link.ends.map { names.current($0, follow: core.keys.followed).key }
        guard let key = JoinKey.key(ends[0], ends[1], isSwapped: false) else { continue }
        cover.add(coordinator.id(key, of: link.join))
      }
    }
    return cover
  }
}

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
