internal import CSQLite
import CauldronModel

extension Connection {
  /// After how many steps of a statement somebody looks whether it was cancelled: in some microseconds.
  private static let steps: Int32 = 1_000

  /// Runs statements that end when they are cancelled.
  ///
  /// The statement asks the flag of its own read, so that none of another read can be met: interrupting a
  /// connection would meet whatever runs there by then (https://www.sqlite.org/c3ref/interrupt.html).
  /// - Throws: `CancellationError` where that was so.
  func run<R>(until cancellation: Cancellation, _ body: () throws -> R) throws -> R {
    try cancellation.check()
    sqlite3_progress_handler(
      handle, Self.steps,
      { flag in
        guard let flag else { return 0 }
        return Unmanaged<Cancellation>.fromOpaque(flag)._withUnsafeGuaranteedRef {
          $0.isCancelled ? 1 : 0
        }
      }, Unmanaged.passUnretained(cancellation).toOpaque())
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    do {
      return try body()
    } catch let failure as SQLiteFailure
      where failure.primary == SQLITE_INTERRUPT && cancellation.isCancelled
    {
      throw CancellationError()
    }
  }
}
