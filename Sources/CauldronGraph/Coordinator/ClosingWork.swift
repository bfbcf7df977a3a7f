import Foundation

/// What is done once, and waited for by whoever comes meanwhile.
///
/// `@unchecked Sendable` because the state is only touched with `lock` held.
final class ClosingWork: @unchecked Sendable {
  private let lock = NSLock()
  private var isDone = false

  /// - Returns: What `body` returns; nil where it has run before.
  func once<R>(_ body: () -> R) -> R? {
    lock.lock()
    defer { lock.unlock() }
    if isDone { return nil }
    isDone = true
    return body()
  }
}
