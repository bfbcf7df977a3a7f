import CauldronModel

extension ContextCore {
  /// Runs work as one event: what arrived meanwhile is taken in before it, and what it changed is
  /// published after it. Nested events belong to the outermost one.
  func runEvent<R>(_ body: () throws -> R) rethrows -> R {
    let previous = ownership.thread.value
    ownership.thread.setCurrent()
    if event.enter() { catchUp() }
    defer {
      if event.isOutermost { endEvent() }
      event.leave()
      ownership.thread.set(previous)
    }
    return try body()
  }

  /// Runs a block of the program as an event of its own: what was changed before it is another step of an
  /// undo.
  func runBlock<R>(_ body: () throws -> R) rethrows -> R {
    if event.depth == 0, let undoManager, !event.isEmpty {
      runEvent {}
      undoManager.eventEnded()
    }
    return try runEvent(body)
  }

  /// Publishes what the event changed and lets go of what nobody uses.
  func endEvent() {
    // Observers of the change may change something themselves.
    var rounds = 0
    repeat {
      publish()
      runWaitingHooks()
      coordinator.eventHook.call(node)
      rounds += 1
    } while !event.isEmpty && rounds < 100
    undoManager?.eventEnded()
    if event.objects.isEmpty {
      // What the event has written lies in the ledger now, which keeps what is still of use.
      builder.dropFinishedBlocks()
      if habits.value & 1 == 0 { identity.map.sweepIfWorthwhile() }
    }
    if let observed = identity.observed { observed.eventEnds() }
    coordinator.kept.endUnused()
  }

  /// Sees to it that an event on the main queue ends, although nobody called `perform`.
  func queueEventEnd() {
    guard !event.isEndQueued, let handle else { return }
    event.isEndQueued = true
    ownership.queue.async {
      let core = handle.core
      core.event.isEndQueued = false
      core.runEvent {}
      core.ownership.thread.clear()
    }
  }

  /// Ends what was done so far, as the end of an event would.
  func processPending() {
    catchUp()
    publish()
    runWaitingHooks()
    coordinator.eventHook.call(node)
    tellObservers()
  }

  /// Tells the context that layers came or went; the objects follow at its next event.
  /// - Parameter isFollowed: Whether the caller sees to it that an event follows, as a save does
  ///   that goes on to this context; otherwise one is queued.
  func receive(_ changes: ChangeSet, _ reason: Arrival.Reason, isFollowed: Bool = false) {
    // In this order, so that the two locks decide as one would: who takes from the inbox before the
    // question is asked has seen to the arrival, and the event that follows finds nothing; an event
    // that is on its way already takes from the inbox after this. An ended context takes nothing.
    inbox.append(Arrival(changes: changes, reason: reason))
    if !isFollowed { catchUpSoon() }
  }

  /// Tells the context that a batch has changed rows; the objects follow at its next event.
  func receive(_ batch: BatchKeys) {
    inbox.append(batch)
    catchUpSoon()
  }

  /// Tells the context that another process may have changed any row; the objects follow at its next
  /// event.
  func receiveEverything() {
    inbox.appendEverything()
    catchUpSoon()
  }

  /// Has an event follow in which the objects catch up, unless one is on its way already, or whoever
  /// has claimed the context sees to that.
  func catchUpSoon() {
    guard let handle = ownership.handleForCatchUp() else { return }
    ownership.queue.async {
      handle.core.ownership.beginCatchUp()
      handle.core.runEvent {}
    }
  }
}
