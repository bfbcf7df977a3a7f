import CCauldron
import CauldronModel
import Foundation

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
