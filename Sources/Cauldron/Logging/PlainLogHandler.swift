import CauldronModel
package import Logging

/// A log that is read as it is: the time, the sentence and few data, one line each.
///
/// It is what the library's own logger has where the program has bootstrapped no logging system. A
/// program may do so later; from then on the lines go there.
package struct PlainLogHandler: LogHandler {
  package var logLevel = Logger.Level.info
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  private let label: String
  private let bootstrapped = BootstrappedHandler()
  private let write: @Sendable (String) -> Void

  /// - Parameter write: Takes a line with its end; by default it goes to standard error.
  package init(
    label: String, write: @escaping @Sendable (String) -> Void = StandardError.write
  ) {
    self.label = label
    self.write = write
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    if let handler = bootstrapped.handler(label) { return pass(event, to: handler) }
    var data = metadata
    data.merge(metadataProvider?.get() ?? [:]) { $1 }
    data.merge(event.metadata ?? [:]) { $1 }
    if let error = event.error { data["error"] = "\(error)" }
    write(LogLine(event, data).text(at: .now) + "\n")
  }

  private func pass(_ event: LogEvent, to handler: any LogHandler) {
    // A level of the process goes before that of every handler.
    guard event.level >= handler.logLevel || LogThreshold.level != nil else { return }
    var handler = handler
    for (key, value) in metadata { handler[metadataKey: key] = value }
    handler.log(event: event)
  }
}

extension Logger {
  /// Whether nobody has said where logs go, so that swift-log's own handler would write them.
  static var isUnconfigured: Bool { Logger(label: "cauldron").handler.isInitial }
}

extension LogHandler {
  /// Whether the handler is as swift-log makes it where a program says nothing. A program that bootstraps
  /// the same type with another level or metadata of its own has said something.
  fileprivate var isInitial: Bool {
    self is StreamLogHandler && logLevel == .info && metadata.isEmpty
  }
}

/// The handler of the logging system that the program has bootstrapped since, made once.
private final class BootstrappedHandler: Sendable {
  private let found = Locked<(any LogHandler)?>(nil)

  /// - Returns: Nil as long as there is no logging system.
  func handler(_ label: String) -> (any LogHandler)? {
    if let handler = found.withLock({ $0 }) { return handler }
    let handler = Logger(label: label).handler
    if handler.isInitial { return nil }
    return found.withLock { found in
      if found == nil { found = handler }
      return found
    }
  }
}
