import Dispatch

extension ContextQueue {
  /// Runs `body` while the calling thread has the queue, and returns when it has run.
  ///
  /// A thread that waits here serves only threads whose own waits lead back to it; so a circle of
  /// waits makes progress, and user code never runs in the middle of other code by surprise.
  /// - Parameter longWait: Called once, when the wait has lasted a second.
  package func sync(
    runs main: MainQueue?, longWait: () -> Void, _ body: @escaping @Sendable () -> Void
  ) {
    let thread = Scheduler.thread
    switch enterAtOnce(thread) {
    case .nested:
      body()
      return
    case .run:
      body()
      leave(thread)
      return
    case nil: break
    }
    let wait = Wait(queue: self, runs: main, body: body)
    let decision = Scheduler.shared.withLock { enter(wait) }
    switch decision {
    case .run:
      body()
      leave(thread)
    case .wait(let schedule):
      if schedule { start() }
      self.wait(wait, longWait: longWait)
    }
  }

  private enum Entry {
    /// The thread has the queue already.
    case nested
    /// The queue was free and is the thread's now.
    case run
  }

  /// How the calling thread can go on without a wait; nil where it cannot.
  private func enterAtOnce(_ thread: UInt) -> Entry? {
    if case .main(let main) = kind, main.isCurrent { return .nested }
    return Scheduler.shared.withLock {
      if holder == thread { return .nested }
      guard case .background = kind, isIdle else { return nil }
      holder = thread
      return .run
    }
  }

  private enum Decision {
    case run
    case wait(schedule: Bool)
  }

  /// Called with the lock held.
  private func enter(_ wait: Wait) -> Decision {
    if case .background = kind, isIdle {
      holder = wait.thread
      return .run
    }
    let outer = Scheduler.shared.waits[wait.thread]
    precondition(outer == nil, "A thread waits for one context at a time.")
    Scheduler.shared.waits[wait.thread] = wait
    append(.wait(wait))
    if let server = Scheduler.shared.server(for: wait) {
      remove(wait)
      server.services.append(wait)
      server.semaphore.signal()
      return .wait(schedule: false)
    }
    return .wait(schedule: claimSchedule())
  }

  private func wait(_ wait: Wait, longWait: () -> Void) {
    var warned = false
    while true {
      if warned {
        wait.semaphore.wait()
      } else if wait.semaphore.wait(timeout: .now() + 1) == .timedOut {
        warned = true
        warn(wait, longWait: longWait)
        continue
      }
      let step = Scheduler.shared.withLock { nextStep(wait) }
      switch step {
      case .done: return
      case .granted:
        wait.run()
        leave(wait.thread)
        return
      case .serve(let other): serve(other, for: wait)
      case .none: continue
      }
    }
  }

  /// While it warns it is not waiting: a log handler may use a context, and wait for that.
  private func warn(_ wait: Wait, longWait: () -> Void) {
    Scheduler.shared.withLock { Scheduler.shared.waits[wait.thread] = nil }
    longWait()
    Scheduler.shared.withLock { goOnWaiting(wait) }
  }

  /// Called with the lock held.
  private func goOnWaiting(_ wait: Wait) {
    if !wait.isDone, !wait.isGranted { Scheduler.shared.waits[wait.thread] = wait }
  }

  private enum Step {
    case done
    case granted
    case serve(Wait)
    case none
  }

  private func nextStep(_ wait: Wait) -> Step {
    if !wait.services.isEmpty {
      // While it serves it is not waiting, so that it may wait for something else inside.
      Scheduler.shared.waits[wait.thread] = nil
      return .serve(wait.services.removeFirst())
    }
    if wait.isDone { return .done }
    return wait.isGranted ? .granted : .none
  }

  private func serve(_ other: Wait, for wait: Wait) {
    other.run()
    Scheduler.shared.withLock {
      other.isDone = true
      Scheduler.shared.end(other)
      goOnWaiting(wait)
    }
    other.semaphore.signal()
    // The signal that told of a grant may have been used up by the service.
    wait.semaphore.signal()
  }

  /// Gives the queue back and lets the next one have it.
  private func leave(_ thread: UInt) {
    let schedule = Scheduler.shared.withLock {
      holder = 0
      return handOver() ? false : claimSchedule()
    }
    if schedule { start() }
  }
}
