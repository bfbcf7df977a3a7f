import Dispatch
package import Testing

/// Runs tasks on a thread of its own, which may be blocked without holding up others.
///
/// Swift's tasks share as many threads as the machine has cores; a test that computes for minutes,
/// or waits for a lock, takes one of them from all tests beside it.
package final class OwnThreadExecutor: TaskExecutor {
  // A serial queue that targets no other has its threads made beyond the number of cores.
  private let queue = DispatchQueue(label: "a test's own thread")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Runs each case of a test, or of all tests of a suite, on a thread of its own.
package struct OwnThread: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(OwnThreadExecutor()) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// For tests that compute long or block, so that tests beside them are not held up.
  package static var ownThread: Self { OwnThread() }
}
