import Dispatch
import Foundation

/// Lets the program clean up where it is ended from outside.
///
/// `@unchecked Sendable` because a dispatch source may be cancelled on any thread.
final class EndingSignals: @unchecked Sendable {
  private let sources: [any DispatchSourceSignal]

  /// - Parameter end: Called at SIGINT or SIGTERM, which do nothing else then.
  init(_ end: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler(handler: end)
      source.activate()
      return source
    }
  }

  func cancel() { for source in sources { source.cancel() } }
}
