import Cauldron
import Logging

/// Keeps what is logged at `error`.
final class LogCapture: Sendable {
  private let all = Locked<[(String, Logger.Metadata)]>([])

  var messages: [String] { all.withLock { $0.map(\.0) } }
  var metadata: [Logger.Metadata] { all.withLock { $0.map(\.1) } }

  var logger: Logger { Logger(label: "test") { _ in Handler(capture: self) } }

  private struct Handler: LogHandler {
    let capture: LogCapture
    var logLevel = Logger.Level.error
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = ("\(event.message)", event.metadata ?? [:])
      capture.all.withLock { $0.append(line) }
    }
  }
}
