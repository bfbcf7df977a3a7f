import CauldronLedger

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
