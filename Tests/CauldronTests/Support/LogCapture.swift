import CauldronModel
import Logging

/// Keeps what is logged.
final class LogCapture: Sendable {
  struct Line: Sendable {
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata
  }

  private let all = Locked<[Line]>([])
  private let level: Logger.Level
  private let listener = Locked<(@Sendable (Line) -> Void)?>(nil)

  /// - Parameter level: The least level that is kept; what is below is not even made.
  init(_ level: Logger.Level = .debug) { self.level = level }

  var lines: [Line] { all.withLock { $0 } }

  var logger: Logger { Logger(label: "test") { _ in Handler(capture: self, logLevel: level) } }

  /// The messages of one level and above.
  func messages(_ level: Logger.Level = .info) -> [String] {
    lines.filter { $0.level >= level }.map(\.message)
  }

  /// The statements that read rows of objects, logged at `trace`. Other statements come at times of their
  /// own: a stack looks in the background whether another process has written.
  var reads: [String] { messages(.trace).filter { $0.contains("z_pack(") } }

  /// Has something done for each line, where it is logged, as a log handler of a program would.
  func onLine(_ body: @escaping @Sendable (Line) -> Void) { listener.withLock { $0 = body } }

  private struct Handler: LogHandler {
    let capture: LogCapture
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = Line(
        level: event.level, message: "\(event.message)", metadata: event.metadata ?? [:])
      capture.all.withLock { $0.append(line) }
      capture.listener.withLock { $0 }?(line)
    }
  }
}
