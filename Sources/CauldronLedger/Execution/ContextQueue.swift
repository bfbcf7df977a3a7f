import Dispatch

/// The queue that a context is confined to: first come, first served, one at a time.
///
/// A private queue has no thread of its own. Asynchronous work runs on a global dispatch queue;
/// synchronous work runs on the caller's thread, to which the queue is handed.
///
/// `@unchecked Sendable` because mutable state is only touched with the scheduler's lock held.
package final class ContextQueue: @unchecked Sendable {
  package enum Kind: Sendable {
    case main(MainQueue)
    case background
  }

  package enum Item {
    case block(@Sendable () -> Void)
    case wait(Wait)
  }

  package let kind: Kind
  /// The thread that has the queue now; 0 for none.
  @exclusivity(unchecked) package var holder: UInt = 0
  @exclusivity(unchecked) private var items: [Item] = []
  @exclusivity(unchecked) private var next = 0
  @exclusivity(unchecked) private var isScheduled = false

  package init(kind: Kind) { self.kind = kind }

  package var isIdle: Bool { holder == 0 && next == items.count && !isScheduled }

  /// Appends work and returns at once.
  package func async(_ block: @escaping @Sendable () -> Void) {
    let schedule = Scheduler.shared.withLock {
      items.append(.block(block))
      return claimSchedule()
    }
    if schedule { start() }
  }

  /// Whether the calling thread has the queue.
  package var isCurrent: Bool {
    if case .main(let main) = kind, main.isCurrent { return true }
    return Scheduler.shared.withLock { holder == Scheduler.thread }
  }

  package func append(_ item: Item) { items.append(item) }

  package func remove(_ wait: Wait) {
    for index in next..<items.count {
      if case .wait(let other) = items[index], other === wait {
        items.remove(at: index)
        return
      }
    }
  }

  /// Hands a private queue to the thread whose turn it is, if a waiting one is next. So a queue
  /// goes from one waiting thread to another even where dispatch has no thread left to run it.
  ///
  /// Called with the lock held.
  func handOver() -> Bool {
    guard case .background = kind, !isScheduled, next < items.count,
      case .wait(let wait) = items[next]
    else { return false }
    advance()
    grant(wait)
    return true
  }

  /// Whether somebody has to call `start()`, with the lock released. Called with the lock held.
  func claimSchedule() -> Bool {
    guard !isScheduled, holder == 0, next < items.count else { return false }
    isScheduled = true
    return true
  }

  package func start() {
    switch kind {
    case .main(let main): main.queue.async { self.drain() }
    case .background: DispatchQueue.global(qos: .userInitiated).async { self.drain() }
    }
  }

  /// Runs what is queued. A private queue runs until it is empty or handed to a waiting thread; a
  /// main queue runs one item a turn, so that the program's own work gets its turn, too.
  private func drain() {
    let thread = Scheduler.thread
    while let item = Scheduler.shared.withLock({ take(thread) }) {
      switch item {
      case .block(let block): block()
      case .wait(let wait): finish(wait)
      }
      let again = Scheduler.shared.withLock { release(thread) }
      if case .main = kind {
        if again { start() }
        return
      }
    }
  }

  /// The next item for the draining thread; nil where there is none or a waiting thread takes over.
  private func take(_ thread: UInt) -> Item? {
    guard next < items.count else {
      isScheduled = false
      return nil
    }
    let item = items[next]
    advance()
    if case .wait(let wait) = item, case .background = kind {
      isScheduled = false
      grant(wait)
      return nil
    }
    holder = thread
    return item
  }

  private func release(_ thread: UInt) -> Bool {
    holder = 0
    if case .main = kind {
      isScheduled = next < items.count
      return isScheduled
    }
    return true
  }

  /// How many items wait. Called with the lock held.
  var waitingCount: Int { items.count - next }

  /// The next item, for a thread that has the queue. Called with the lock held.
  func takeHere(_ thread: UInt) -> Item? {
    guard next < items.count else { return nil }
    let item = items[next]
    advance()
    holder = thread
    return item
  }

  private func advance() {
    next += 1
    if next == items.count {
      items.removeAll(keepingCapacity: true)
      next = 0
    } else if next > 64, next > items.count / 2 {
      items.removeFirst(next)
      next = 0
    }
  }

  private func grant(_ wait: Wait) {
    holder = wait.thread
    wait.isGranted = true
    Scheduler.shared.end(wait)
    wait.semaphore.signal()
  }

  package func finish(_ wait: Wait) {
    wait.run()
    Scheduler.shared.withLock {
      wait.isDone = true
      Scheduler.shared.end(wait)
    }
    wait.semaphore.signal()
  }
}

extension ContextQueue {
  /// Runs what is queued now on the calling thread, which has the queue.
  ///
  /// It is for a thread at the end of its own work, such as the closing of a stack. A waiting thread runs
  /// no blocks of other threads.
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
