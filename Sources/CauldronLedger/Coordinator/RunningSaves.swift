import CCauldron
import CauldronModel
import Foundation

/// A save, as its waiters know it.
package protocol RunningSave: AnyObject, Sendable {
  var id: UInt64 { get }
  /// The thread that a part of it runs on; 0 for none. Touched by `RunningSaves` alone.
  var thread: UInt { get set }
  /// The kernel's number of that thread. Touched by `RunningSaves` alone.
  var worker: Int { get set }
  /// What the save is called, and which contexts it passes, in order.
  var name: String { get }
  var path: [String] { get }
  /// The position of the context that it has come to. Asked only by the code that runs a part of
  /// it.
  var step: Int { get }
  /// Runs what waits for it on queues that are the caller's own.
  func runQueued()
  /// Has it end where it stands, as one that came too late. Called by `RunningSaves` alone.
  func giveUp()
  /// Whether it passes a context.
  func passes(_ node: LedgerNode) -> Bool
}

/// The saves that were asked for and have not ended; a stack that is being closed waits for them.
///
/// `@unchecked Sendable` because all state is only touched with `condition` held.
package final class RunningSaves: @unchecked Sendable {
  private let condition = NSCondition()
  private var runs: [UInt64: any RunningSave] = [:]
  /// The position of the context that each has come to, as of the part that began last.
  private var steps: [UInt64: Int] = [:]
  private var isClosing = false
  /// Counts ended parts of saves, to tell a stalled save from a long one.
  private var endedParts = 0

  /// Lists a save; false where the stack is being closed and the save came too late.
  /// - Parameter last: A save in whose place on the list it comes, so that it is not late.
  package func begin(_ run: any RunningSave, after last: (any RunningSave)? = nil) -> Bool {
    change {
      let isListed = last.flatMap { runs.removeValue(forKey: $0.id) } != nil
      if let last { steps[last.id] = nil }
      if !isClosing || isListed { runs[run.id] = run }
      return !isClosing || isListed
    }
  }

  /// Takes a save off the list.
  package func end(_ run: any RunningSave) {
    change {
      runs[run.id] = nil
      steps[run.id] = nil
      if isClosing { condition.broadcast() }
    }
  }

  /// Runs a part of a save, which the calling thread must not wait for meanwhile.
  package func run<R>(_ run: any RunningSave, body: () throws -> R) rethrows -> R {
    let step = run.step
    let outer = change {
      defer { (run.thread, run.worker) = (Scheduler.thread, cauldron_kernel_thread_id()) }
      if runs[run.id] != nil { steps[run.id] = step }
      return (run.thread, run.worker)
    }
    defer {
      change {
        (run.thread, run.worker) = outer
        endedParts += 1
        if isClosing { condition.broadcast() }
      }
    }
    return try body()
  }

  /// Waits until every save but those that run on the calling thread has ended, and lets no other
  /// begin. What they need from queues that the caller has is run here. A save stands still where no part of
  /// it ends and the thread of its part uses no processor time, as it waits for something.
  /// - Parameter patience: How long to wait for saves that stand still, in seconds.
  /// - Returns: How many saves stood still for so long; what is left of them does not run any more.
  package func finish(patience: Double) -> Int {
    change { isClosing = true }
    var (seen, deadline) = (-1, Date())
    while true {
      let (left, parts) = change {
        let left = runs.values.filter { $0.thread != Scheduler.thread }
        let working = left.filter { $0.thread != 0 }
        return (left, working.reduce(endedParts) { $0 + time(of: $1.worker) })
      }
      if left.isEmpty { return 0 }
      if parts != seen {
        (seen, deadline) = (parts, Date(timeIntervalSinceNow: patience))
      } else if Date() > deadline {
        change { for run in runs.values where run.thread == 0 { run.giveUp() } }
        return left.count
      }
      for run in left { run.runQueued() }
      condition.lock()
      // A save may be queued where only the caller can run it, of which nobody tells.
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.001))
      condition.unlock()
    }
  }

  /// Whether a save that passes a context does something on another thread right now.
  package func areAtWork(on node: LedgerNode) -> Bool {
    change {
      runs.values.contains { ![0, Scheduler.thread].contains($0.thread) && $0.passes(node) }
    }
  }

  /// The saves under way, one line each, in the order in which they were asked for.
  package var lines: [String] {
    let listed = change {
      runs.values.map { (run: $0, step: steps[$0.id], isAtWork: $0.thread != 0) }
    }
    return listed.sorted { $0.run.id < $1.run.id }.map { run, step, isAtWork in
      let path = run.path
      guard let step else { return "save \(run.id) (\(run.name)) waits for \(path[0])" }
      return "save \(run.id) (\(run.name)) \(isAtWork ? "in" : "waits after") \(path[step]),"
        + " \(step + 1)/\(path.count)"
    }
  }

  /// The processor time that a thread of this process has used, in nanoseconds; 0 for one that has ended.
  private func time(of thread: Int) -> Int {
    // The clock that `pthread_getcpuclockid` names, which has to be asked for while the thread lives.
    let clock = clockid_t(truncatingIfNeeded: ~thread << 3 | 6)
    var time = timespec()
    return clock_gettime(clock, &time) == 0 ? time.tv_sec * 1_000_000_000 + time.tv_nsec : 0
  }

  @discardableResult
  private func change<R>(_ body: () -> R) -> R {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}
