import CauldronModel

extension ContextCore {
  /// Runs work as one event: what arrived meanwhile is taken in before it, and what it changed is
  /// published after it. Nested events belong to the outermost one.
  func runEvent<R>(_ body: () throws -> R) rethrows -> R {
    let previous = ownership.thread.value
    ownership.thread.setCurrent()
    if event.enter() { catchUp.run() }
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
    catchUp.run()
    publish()
    runWaitingHooks()
    coordinator.eventHook.call(node)
    tellObservers()
  }
}
