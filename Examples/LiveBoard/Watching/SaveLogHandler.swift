import Logging

/// Writes the sentences of the stack into a ``SaveLog``.
struct SaveLogHandler: LogHandler {
  private let log: SaveLog
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  init(_ log: SaveLog) { self.log = log }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { log.add(event.level, "\(event.message)") }
}
