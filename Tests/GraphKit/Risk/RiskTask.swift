import Dispatch

/// A run that a task on another queue works with, while the thread that has lent it waits.
///
/// `@unchecked Sendable` because one of the two uses it at a time.
final class RiskLoan: @unchecked Sendable {
  var run: RiskRun

  init(_ run: RiskRun) { self.run = run }
}

/// What runs on the main queue of a run's stack, as the code of a view does on the main actor.
actor RiskTask {
  private nonisolated let executor: RiskExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ queue: DispatchQueue) { executor = RiskExecutor(queue) }

  /// Runs asynchronous code, and has the calling thread wait for it.
  nonisolated func runAndWait(
    _ work: @escaping @Sendable (isolated RiskTask) async throws -> Void
  ) throws {
    let (ending, done) = (RiskEnding(), DispatchSemaphore(value: 0))
    Task {
      do { try await work(self) } catch { ending.error = error }
      done.signal()
    }
    done.wait()
    if let error = ending.error { throw error }
  }
}

/// `@unchecked Sendable` because it is read after the task that writes it has ended.
private final class RiskEnding: @unchecked Sendable {
  var error: (any Error)?
}

/// Runs jobs on a dispatch queue.
private final class RiskExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ queue: DispatchQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
