public import Foundation

/// The one lock of the package: guards a value, and is understood by ThreadSanitizer.
///
/// `Synchronization.Mutex` is not used because its futex is invisible to ThreadSanitizer on Linux.
///
/// `@unchecked Sendable` because the value is only reachable while the lock is held.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  @usableFromInline let lock = NSLock()
  @usableFromInline @exclusivity(unchecked) final var value: Value

  package init(_ value: sending Value) { self.value = value }

  /// Runs `body` with the value while the lock is held; keep it short and call nothing foreign.
  @inlinable
  package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Does the same if nobody holds the lock, and never waits; nil where somebody does.
  package func withLockIfFree<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R? {
    guard lock.try() else { return nil }
    defer { lock.unlock() }
    return try body(&value)
  }
}

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
