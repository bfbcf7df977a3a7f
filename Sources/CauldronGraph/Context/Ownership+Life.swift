import CauldronLedger
import CauldronModel
import Synchronization

// A context lives as long as its handle; after that it is kept as long as somebody holds an unsaved
// object of it, and while it is kept a handle may be made anew.
extension Ownership {
  /// Ties the context to its handle; a confinement context belongs to the calling thread from now on.
  func adopt(_ context: ManagedObjectContext) {
    state.withLock {
      $0.handle = LapsingReference(context)
      if isConfined { $0.claim = .thread(Scheduler.thread) }
    }
  }

  /// The handle; nil once the context has ended.
  /// - Parameter make: Makes one where only an unsaved object keeps the context.
  func handle(or make: () -> ManagedObjectContext?) -> ManagedObjectContext? {
    let (known, made) = state.withLock { state -> (Known?, ManagedObjectContext?) in
      if let known = state.handle.retained { return (known, nil) }
      if state.isDetached { return (nil, nil) }
      guard let made = make() else { return (nil, nil) }
      state.handle = LapsingReference(made)
      kept.store(false, ordering: .relaxed)
      return (nil, made)
    }
    return known?.takeRetainedValue() ?? made
  }

  private typealias Known = Unmanaged<ManagedObjectContext>

  /// The handle, if an event has to be queued in which the context catches up; from then on until
  /// `beginCatchUp()` nobody else gets it.
  func handleForCatchUp() -> ManagedObjectContext? {
    let handle = state.withLock { state -> Unmanaged<ManagedObjectContext>? in
      guard !state.isDetached, !state.isCatchUpQueued, case .queue = state.effectiveClaim(kind),
        let handle = state.handle.retained
      else { return nil }
      state.isCatchUpQueued = true
      return handle
    }
    return handle?.takeRetainedValue()
  }

  /// The queued event begins: what arrives from now on may need another one.
  func beginCatchUp() { state.withLock { $0.isCatchUpQueued = false } }

  /// Notes that a handle goes away.
  /// - Returns: Whether the context has no other one, which may have been made for an object that
  ///   asked for its context.
  func letGo(of handle: ManagedObjectContext) -> Bool {
    state.withLock { state in
      guard state.handle.leads(to: handle) else { return false }
      state.handle.lapse()
      return true
    }
  }

  /// Sees to it that an event on the main queue ends, although nobody called `perform`.
  func queueEnd(of event: EventState) {
    guard !event.isEndQueued, let handle else { return }
    event.isEndQueued = true
    queue.async {
      let core = handle.core
      core.event.isEndQueued = false
      core.publisher.runEvent {}
      core.ownership.thread.clear()
    }
  }

  /// Whether the context has no handle and is kept for the sake of an unsaved object.
  var isKept: Bool { kept.load(ordering: .relaxed) }

  /// Runs what changes the lists of unsaved objects; while the context is kept no look at them comes
  /// between.
  @inline(__always)
  func changeLists(_ body: () -> Void) {
    if isKept { state.withLock { _ in body() } } else { body() }
  }

  /// What became of a context that was looked at.
  enum Fate { case unchanged, kept, ended }

  /// Decides in one step whether a context without a handle ends or is kept; the lists of unsaved
  /// objects are looked at with the lock held.
  /// - Parameters:
  ///   - isFirst: Whether its handle has only just gone, and another thread may be in the middle of
  ///     an edit that knows nothing of the lock.
  ///   - triesUntilHeld: How many unsaved objects were looked at until one was found that somebody
  ///     holds; nil for none.
  func endUnlessHeld(
    isFirst: Bool, hasUnsaved: () -> Bool, triesUntilHeld: () -> Int?
  ) -> Fate {
    state.withLock { state in
      guard !state.isDetached, !state.handle.isSet else { return .unchanged }
      guard hasUnsaved(), state.mustKeep(isFirst, triesUntilHeld: triesUntilHeld) else {
        state.isDetached = true
        return .ended
      }
      kept.store(true, ordering: .relaxed)
      // Whoever used it until now has to prove it again, and learns that it is kept.
      thread.clear()
      return .kept
    }
  }
}

extension Ownership.State {
  fileprivate mutating func mustKeep(_ isFirst: Bool, triesUntilHeld: () -> Int?) -> Bool {
    if isFirst, claim.isForeign { return true }
    if !isFirst, looksToSkip > 0 {
      looksToSkip -= 1
      return true
    }
    guard let tries = triesUntilHeld() else { return false }
    looksToSkip = tries / 64
    return true
  }
}
