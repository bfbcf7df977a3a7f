import CauldronModel

extension ContextCore {
  /// Runs work as one event: what arrived meanwhile is taken in before it, and what it changed is
  /// published after it. Nested events belong to the outermost one.
  func runEvent<R>(_ body: () throws -> R) rethrows -> R {
    let previous = owner.value
    owner.setCurrent()
    eventDepth += 1
    if eventDepth == 1 { catchUp() }
    defer {
      if eventDepth == 1 { endEvent() }
      eventDepth -= 1
      owner.set(previous)
    }
    return try body()
  }

  /// Publishes what the event changed and lets go of what nobody uses.
  func endEvent() {
    // Observers of the change may change something themselves.
    var rounds = 0
    repeat {
      publish()
      rounds += 1
    } while !(event.isEmpty && refreshed.isEmpty) && rounds < 100
    if event.isEmpty {
      // What the event has written lies in the ledger now, which keeps what is still of use.
      if builder.blocks.count > 1 { builder.dropFinishedBlocks() }
      identity.sweepIfWorthwhile()
    }
    coordinator.kept.endUnused()
  }

  /// Sees to it that an event on the main queue ends, although nobody called `perform`.
  func queueEventEnd() {
    guard !isEventEndQueued, let handle else { return }
    isEventEndQueued = true
    queue.async {
      let core = handle.core
      core.isEventEndQueued = false
      core.runEvent {}
      core.owner.clear()
    }
  }

  /// Tells the context that layers came or went; the objects follow at its next event.
  /// - Parameter isFollowed: Whether the caller sees to it that an event follows, as a save does
  ///   that goes on to this context; otherwise one is queued.
  func receive(_ changes: ChangeSet, _ reason: Arrival.Reason, isFollowed: Bool = false) {
    let handle = shared.withLock { shared -> Unmanaged<ManagedObjectContext>? in
      guard !shared.isDetached else { return nil }
      shared.append(Arrival(changes: changes, reason: reason))
      return isFollowed ? nil : shared.handleForCatchUp(kind)
    }
    guard let handle = handle?.takeRetainedValue() else { return }
    queueCatchUp(handle)
  }

  func queueCatchUp(_ handle: ManagedObjectContext) {
    queue.async {
      handle.core.shared.withLock { $0.isCatchUpQueued = false }
      handle.core.runEvent {}
    }
  }
}

extension ContextCore.Shared {
  /// The context, retained, if an event has to be queued in which it catches up.
  mutating func handleForCatchUp(
    _ kind: ManagedObjectContext.ConcurrencyType
  ) -> Unmanaged<ManagedObjectContext>? {
    guard !isDetached, !isCatchUpQueued, case .queue = effectiveClaim(kind),
      let handle = handle.retained
    else { return nil }
    isCatchUpQueued = true
    return handle
  }

  /// Remembers an arrival; a context whose queue stands still does not gather change sets for ever.
  mutating func append(_ arrival: ContextCore.Arrival) {
    if inbox.count >= inboxLimit { collapse() }
    inbox.append(arrival)
  }

  /// Keeps what came back, which has to be marked as unsaved, and only the keys of all else.
  private mutating func collapse() {
    for arrival in inbox where !arrival.isReturned { behind.add(arrival.changes) }
    inbox = inbox.filter(\.isReturned)
    inboxLimit = 256 + 2 * inbox.count
  }

  /// What came back and is discarded is no more to be marked as unsaved.
  mutating func forgetReturns() {
    inbox = inbox.map {
      $0.isReturned ? ContextCore.Arrival(changes: $0.changes, reason: .child) : $0
    }
  }

  /// A main context belongs to its queue from the start.
  func effectiveClaim(_ kind: ManagedObjectContext.ConcurrencyType) -> ContextClaim {
    kind == .main ? .queue : claim
  }
}
