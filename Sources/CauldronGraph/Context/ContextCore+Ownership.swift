import CCauldron
import CauldronModel
import Foundation

extension ContextCore {
  /// Proves that the calling code owns the context, or stops the program.
  ///
  /// A new private context belongs to the thread or task that first touches it, until its first
  /// `perform`; after a save the next one who touches it may claim it again.
  @usableFromInline
  package func proveOwner() {
    let isDetached = shared.withLock { $0.isDetached }
    if isDetached { trap("\(Self.goneSentence(name))") }
    if queue.isCurrent {
      setOwner()
      return
    }
    if kind != .main, claim() { return }
    if ConfinementCheck.isEnabled { trapForeignUse() }
  }

  /// Makes the calling thread the owner; on a main queue that moves between threads the proof
  /// holds for the current event only.
  private func setOwner() {
    owner.setCurrent()
    shared.withLock { $0.lastThread = cauldron_kernel_thread_id() }
    if kind == .main { queueEventEnd() }
  }

  /// Claims the context for the caller, or finds that it is claimed by the caller.
  func claim() -> Bool {
    let isIdle = Scheduler.shared.withLock { queue.isIdle }
    return shared.withLock { shared in
      switch shared.claim {
      case .queue: return false
      case .open:
        guard isIdle else { return false }
        shared.claim = .caller
        shared.lastThread = cauldron_kernel_thread_id()
      case .thread, .task:
        guard shared.claim.isCallers else { return false }
      }
      // With the lock held: a look whether the context is still needed comes before or after.
      owner.setCurrent()
      return true
    }
  }

  /// Ends the caller's claim: the queue takes over, or the next one who touches the context.
  func endClaim(_ next: ContextClaim) {
    // A main context belongs to its queue from the start, and another thread must not touch it.
    guard kind == .private else { return }
    shared.withLock { shared in
      guard !shared.claim.isQueue else { return }
      shared.claim = next
      // With the lock held: whoever calls next may have the context run somewhere at once.
      owner.clear()
    }
  }

  var isClaimedByCaller: Bool { shared.withLock { $0.claim.isCallers } }

  private func trapForeignUse() -> Never {
    let (name, last) = shared.withLock { ($0.name, $0.lastThread) }
    let home =
      kind == .main
      ? "the main queue" : isConfined ? "the thread that made it" : "its private queue"
    let lastUse = last == 0 ? "" : " (last used on thread \(last))"
    trap(
      "Context \"\(name)\" was used outside perform(_:): on thread \(cauldron_kernel_thread_id()),"
        + " but it belongs to \(home)\(lastUse).")
  }

  static func goneSentence(_ name: String) -> String {
    "An object was used that belongs to a context that no longer exists: \"\(name)\"."
  }
}

extension ContextClaim {
  var isQueue: Bool { if case .queue = self { true } else { false } }
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
