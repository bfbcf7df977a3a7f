package import Dispatch
import Foundation

/// The dispatch queue that counts as "main" for a stack, and the question whether we are on it.
///
/// On Linux `Thread.isMainThread` is false on the main queue under an async `main` and under
/// `dispatchMain()`, so the queue is asked, by a queue-specific key.
///
/// A program whose main thread runs another loop than Dispatch's has it drain the queue: see
/// ``attach()``.
///
/// `@unchecked Sendable` because both properties are immutable, and dispatch is thread-safe.
public final class MainQueue: @unchecked Sendable {
  package static let standard = MainQueue(.main)

  package let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  package init(_ queue: DispatchQueue) {
    self.queue = queue
    queue.setSpecific(key: key, value: true)
  }

  /// Whether the calling code runs on the queue.
  package var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true
      || (queue === DispatchQueue.main && Thread.isMainThread)
  }
}
