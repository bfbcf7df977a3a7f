import CCauldron
import CauldronLedger
import CauldronModel
import Foundation

/// Who may use a private context while none of its work runs on its queue.
package enum ContextClaim {
  /// Nobody has touched it: the first who does claims it.
  case open
  /// The thread that touched it first.
  case thread(UInt)
  /// The task that touched it first, wherever it runs.
  case task(Int)
  /// Its queue alone; from the first `perform` on.
  case queue
}

extension ContextClaim {
  /// Whoever calls: the current task, or else the thread.
  static var caller: ContextClaim {
    withUnsafeCurrentTask { task in
      if let task { .task(task.hashValue) } else { .thread(Scheduler.thread) }
    }
  }

  /// Whether the caller holds this claim.
  var isCallers: Bool {
    switch self {
    case .open, .queue: false
    case .thread(let thread): thread == Scheduler.thread
    case .task(let task): withUnsafeCurrentTask { $0?.hashValue } == task
    }
  }
}

extension Ownership {
  /// Whom the context belongs to, as messages say it.
  var home: String {
    if kind == .main { return "the main queue" }
    if isConfined { return "the thread that made it" }
    return switch state.withLock({ $0.claim }) {
    case .open, .queue: "its private queue"
    case .thread: "the thread that used it first"
    // The methods of an actor run in the tasks of those who call them.
    case .task: "the task that used it first"
    }
  }

  /// Claims the context for the caller, or finds that it is claimed by the caller.
  func claim() -> Bool {
    let isIdle = Scheduler.shared.withLock { queue.isIdle }
    return state.withLock { state in
      switch state.claim {
      case .queue: return false
      case .open:
        guard isIdle else { return false }
        state.claim = .caller
        noteUser()
      case .thread, .task:
        guard state.claim.isCallers else { return false }
      }
      // With the lock held: a look whether the context is still needed comes before or after.
      thread.setCurrent()
      return true
    }
  }

  /// Runs what reads and takes no lock, if the calling code may use the context as it is; what nobody
  /// has claimed stays so.
  func ifUsable<R>(_ body: () -> R) -> R? {
    if state.withLock({ $0.isDetached }) { return nil }
    if isCallers { return body() }
    guard kind != .main else { return nil }
    // With both locks held nobody claims it meanwhile, and its queue begins nothing.
    return Scheduler.shared.withLock {
      guard queue.isIdle else { return nil }
      return state.withLock { state in
        guard !state.isDetached, case .open = state.claim else { return nil }
        return body()
      }
    }
  }

  /// Ends the caller's claim: the queue takes over, or the next one who touches the context.
  package func endClaim(_ next: ContextClaim) {
    // A main context belongs to its queue from the start, and another thread must not touch it.
    guard kind == .private else { return }
    state.withLock { state in
      guard !state.claim.isQueue else { return }
      state.claim = next
      // With the lock held: whoever calls next may have the context run somewhere at once.
      thread.clear()
    }
  }

  /// Whether the context's queue does what the context has to do; otherwise whoever claims it does.
  package var isQueueRun: Bool { state.withLock { $0.effectiveClaim(kind).isQueue } }

  /// Whether the calling code has the context: it runs on its queue, or has claimed it.
  ///
  /// Not by the thread that was proven last: that may have been another task's.
  package var isCallers: Bool { queue.isCurrent || isClaimedByCaller }

  var isClaimedByCaller: Bool { state.withLock { $0.claim.isCallers } }
}

extension Ownership.State {
  /// A main context belongs to its queue from the start.
  func effectiveClaim(_ kind: ManagedObjectContext.ConcurrencyType) -> ContextClaim {
    kind == .main ? .queue : claim
  }
}

extension ContextClaim {
  var isQueue: Bool { if case .queue = self { true } else { false } }

  /// Whether a thread or task has claimed the context that is not the caller.
  var isForeign: Bool {
    switch self {
    case .open, .queue: false
    case .thread, .task: !isCallers
    }
  }
}

extension Ownership {
  /// Proves that the calling code owns the context, or stops the program.
  ///
  /// A new private context belongs to the thread or task that first touches it, until its first
  /// `perform`; after a save the next one who touches it may claim it again.
  func proveOwner(of name: @autoclosure () -> String, event: EventState) {
    switch prove() {
    // A main queue may move between threads, so the proof holds for the current event only.
    case .queue: if kind == .main { queueEnd(of: event) }
    case .claim: return
    case .ended: trap("\(Self.goneSentence(name()))")
    case .foreign: if ConfinementCheck.isEnabled { trapForeignUse(of: name()) }
    }
  }

  private func trapForeignUse(of name: String) -> Never {
    let (last, current) = (lastThread, cauldron_kernel_thread_id())
    let lastUse =
      switch last {
      case 0: ""
      // A block that is waited for runs on the waiting thread.
      case current: ", whose last block ran on the same thread"
      default: " (last used on thread \(last))"
      }
    trap(
      "Context \"\(name)\" was used outside perform(_:) and performAndWait(_:): on thread \(current),"
        + " but it belongs to \(home)\(lastUse).")
  }

  static func goneSentence(_ name: String) -> String {
    "An object was used that belongs to a context that no longer exists: \"\(name)\"."
      + " Hold the context for as long as its objects are used."
  }
}

/// Whether use from a foreign queue stops the program.
enum ConfinementCheck {
  /// On in debug builds, and in release builds where the environment variable
  /// `CAULDRON_CONFINEMENT_CHECKS` is 1.
  static let isEnabled: Bool = {
    #if DEBUG
      true
    #else
      ProcessInfo.processInfo.environment["CAULDRON_CONFINEMENT_CHECKS"] == "1"
    #endif
  }()
}
