extension ContextQueue {
  /// Runs what is queued now on the calling thread, which has the queue.
  ///
  /// It is for a thread that ends its own work, such as one that closes the stack; a thread that
  /// only waits runs nobody's blocks.
  package func runQueued() {
    let thread = Scheduler.thread
    let (outer, count) = Scheduler.shared.withLock { (holder, waitingCount) }
    for _ in 0..<count {
      switch Scheduler.shared.withLock({ takeHere(thread) }) {
      case .block(let block): block()
      case .wait(let wait): finish(wait)
      case nil: break
      }
      Scheduler.shared.withLock { holder = outer }
    }
    let schedule = Scheduler.shared.withLock { claimSchedule() }
    if schedule { start() }
  }
}
