/// Whether the task that waits for a read was cancelled; whoever reads looks at it now and then.
///
/// A flag of the read's own, so that ending it can disturb no other one.
package final class Cancellation: Sendable {
  private let flag = Locked(false)

  package init() {}

  package var isCancelled: Bool { flag.withLock { $0 } }

  package func cancel() { flag.withLock { $0 = true } }

  /// - Throws: `CancellationError` where the task was cancelled.
  package func check() throws { if isCancelled { throw CancellationError() } }
}
