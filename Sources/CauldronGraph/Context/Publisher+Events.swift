import CauldronLedger
import CauldronModel
import Dispatch
import Logging

extension Publisher {
  /// Runs work as one event: what arrived meanwhile is taken in before it, and what it changed is
  /// published after it. Nested events belong to the outermost one.
  package func runEvent<R>(_ body: () throws -> R) rethrows -> R {
    let previous = core.ownership.thread.value
    core.ownership.thread.setCurrent()
    if event.enter() { core.catchUp.run() }
    defer {
      if event.isOutermost { endEvent() }
      event.leave()
      core.ownership.thread.set(previous)
    }
    return try body()
  }

  /// Runs a block of the program as an event of its own: what was changed before it is another step of an
  /// undo.
  func runBlock<R>(_ body: () throws -> R) rethrows -> R {
    if event.depth == 0, let undoManager = core.undoManager,
      !event.isEmpty || undoManager.isOpenedByEvent
    {
      runEvent {}
      undoManager.eventEnded()
    }
    return try runEvent(body)
  }

  /// Publishes what the event changed, and lets go of unused rows and objects.
  func endEvent() {
    // Observers of the change may change something themselves.
    var rounds = 0
    repeat {
      publish()
      core.hooks.runWaitingHooks()
      coordinator.eventHook.call(node)
      rounds += 1
    } while !event.isEmpty && rounds < 100
    core.undoManager?.eventEnded()
    if event.objects.isEmpty {
      // What the event has written lies in the ledger now, which keeps what is still of use.
      core.drafts.builder.dropFinishedBlocks()
      if core.settings.habits.value & 1 == 0 { core.registry.map.sweepIfWorthwhile() }
    }
    if let observed = core.announcer.cells { observed.eventEnds() }
    coordinator.kept.endUnused()
  }

  /// Ends what was done so far, as the end of an event would.
  package func processPending() {
    core.catchUp.run()
    publish()
    core.hooks.runWaitingHooks()
    coordinator.eventHook.call(node)
    core.announcer.tellObservers()
  }

  // MARK: Queues

  /// Runs `body` as an event of the context and returns when it has run.
  package func performAndWait(_ body: @escaping @Sendable () -> Void) {
    refuseIfConfined()
    core.ancestors.publish()
    core.ownership.endClaim(.queue)
    hold { self.runBlock(body) }
  }

  /// Runs `body` while the calling thread has the queue, so that nobody else works here meanwhile.
  package func hold(_ body: @escaping @Sendable () -> Void) {
    let main = coordinator.mainQueue
    core.ownership.queue.sync(
      runs: main.isCurrent ? main : nil,
      longWait: { logLongWait() },
      body)
  }

  /// What is awaited may go on on any thread, and a confined context must stay on its own.
  /// - Throws: `context.confined`.
  package func refuseFollowingConfined() throws {
    guard core.ownership.isConfined else { return }
    throw CauldronError(
      .contextConfined,
      "Nothing can be awaited in context \"\(core.name)\", which is confined to the thread that made it.",
      hint: "Use performFetchAndWait() there, or a .private context.")
  }

  /// A context without a queue has nowhere to run a block.
  func refuseIfConfined() {
    guard core.ownership.isConfined else { return }
    trap(
      "Context \"\(core.name)\" is confined to the thread that made it and has no queue;"
        + " make a .private context to use perform(_:).")
  }

  private func logLongWait() {
    let last = core.ownership.lastThread
    coordinator.logger.warning(
      "A thread has waited for context \"\(core.name)\" for a second (last used by thread \(last))."
    )
  }
}

/// Carries what a block returns or throws over a wait.
///
/// `@unchecked Sendable` because the block writes it before the waiting caller reads it.
final class ResultBox<Value>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}

/// Lends a closure that is not Sendable to the thread that runs it while its owner waits.
///
/// `@unchecked Sendable` because caller and block never run at the same time.
struct LentClosure<Value>: @unchecked Sendable {
  let run: () throws -> Value
}
