import CCauldron
package import Foundation

/// Grants contexts to threads, and sees every wait of one thread for another's context.
///
/// One lock guards all queues, because a circle of waits spans several of them. It is held for a
/// few field updates, never across anybody's code.
///
/// `@unchecked Sendable` because all state is only touched with `lock` held.
package final class Scheduler: @unchecked Sendable {
  package static let shared = Scheduler()

  package let lock = NSLock()
  /// What each blocked thread waits for.
  package var waits: [UInt: Wait] = [:]

  /// The calling thread, as an address that is unique while the thread lives.
  @inlinable package static var thread: UInt { UInt(cauldron_thread_id()) }

  package func withLock<R>(_ body: () -> R) -> R {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// Finds the blocked thread that can serve `wait` without breaking anybody's turn: the owner of
  /// the wanted queue, if its own chain of waits leads back to the waiting thread.
  ///
  /// Called with the lock held.
  func server(for wait: Wait) -> Wait? {
    guard let owner = owner(of: wait.queue), let first = waits[owner] else { return nil }
    var next = first
    var steps = 0
    while steps < 1_000 {
      guard let thread = self.owner(of: next.queue) else { return nil }
      if thread == wait.thread { return first }
      guard let following = waits[thread] else { return nil }
      next = following
      steps += 1
    }
    return nil
  }

  /// Forgets a wait that is over. Its thread may be in the middle of another one, which it began
  /// while it served somebody.
  ///
  /// Called with the lock held.
  package func end(_ wait: Wait) {
    if waits[wait.thread] === wait { waits[wait.thread] = nil }
  }

  /// Who waits for whom, a line for each blocked thread; for reports of waits that do not end.
  package var waitReport: [String] {
    withLock {
      waits.values.map { wait in
        let holder = owner(of: wait.queue).map { "thread \($0)" } ?? "nobody"
        return "thread \(wait.thread) waits for a context that \(holder) has"
      }
    }
  }

  /// The thread that has the queue's context now; for a main queue the blocked thread that runs it.
  private func owner(of queue: ContextQueue) -> UInt? {
    if queue.holder != 0 { return queue.holder }
    guard case .main(let main) = queue.kind else { return nil }
    return waits.values.first { $0.runs === main }?.thread
  }
}

/// One thread's wait for one context.
///
/// `@unchecked Sendable` because its fields are only touched with the scheduler's lock held.
package final class Wait: @unchecked Sendable {
  package let thread: UInt
  package let queue: ContextQueue
  /// The main queue that the waiting thread runs; it can serve work of that queue meanwhile.
  package let runs: MainQueue?
  let semaphore = DispatchSemaphore(value: 0)
  /// The work to do in the context, until it runs.
  private var body: (@Sendable () -> Void)?
  /// Set when the queue was handed to the waiting thread, which then does the work itself.
  var isGranted = false
  /// Set when another thread has done the work.
  package var isDone = false
  /// The work of others that only this thread can do.
  var services: [Wait] = []

  init(queue: ContextQueue, runs: MainQueue?, body: @escaping @Sendable () -> Void) {
    thread = Scheduler.thread
    self.queue = queue
    self.runs = runs
    self.body = body
  }

  /// Does the work and lets go of it: whoever keeps the wait a moment longer must not keep a block
  /// that is only lent. Called once, by the thread that was chosen.
  package func run() {
    let work = body
    body = nil
    work?()
  }
}
