import CauldronModel
import Foundation
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
  private let isColoured: Bool
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - isColoured: Whether what takes the lines shows colours; by default whether standard error does.
  ///   - write: Takes a line with its end; by default it goes to standard error.
  package init(
    label: String, isColoured: Bool = StandardError.isColoured,
    write: @escaping @Sendable (String) -> Void = StandardError.write
  ) {
    self.label = label
    self.isColoured = isColoured
    self.write = write
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    if Stack.logStyle != .plain, let handler = bootstrapped.handler(label) {
      return pass(event, to: handler)
    }
    var data = metadata
    data.merge(metadataProvider?.get() ?? [:]) { $1 }
    data.merge(event.metadata ?? [:]) { $1 }
    if let error = event.error { data["error"] = "\(error)" }
    write(LogLine(event, data).text(at: .now, isColoured: isColoured) + "\n")
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
  /// the same type with another level, metadata or a metadata provider of its own has said something.
  fileprivate var isInitial: Bool {
    self is StreamLogHandler && logLevel == .info && metadata.isEmpty && metadataProvider == nil
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

/// The process's standard error.
package enum StandardError {
  /// Keeps lines of several threads apart that the system does not take at once.
  private static let turn = Locked(Reader.present)

  /// Whether something takes what is written.
  private enum Reader { case present, absent }

  /// Whether it is a terminal that shows colours; the variable `NO_COLOR` of the environment says no.
  package static let isColoured = isColoured(
    isTerminal: isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment)

  package static func isColoured(isTerminal: Bool, _ environment: [String: String]) -> Bool {
    isTerminal && environment["TERM"] != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
  }

  /// Writes a text at once, as far as whatever reads it takes it.
  @Sendable package static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      turn.withLock { write(UnsafeRawBufferPointer(bytes), to: &$0) }
    }
  }

  /// Writes, and waits a second at most where the pipe is full. After a wait in vain lines are left out,
  /// without another wait, until there is room again: a log must not hold up saves.
  private static func write(_ bytes: UnsafeRawBufferPointer, to reader: inout Reader) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(STDERR_FILENO, rest.baseAddress, rest.count)
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        reader = .present
      } else if errno == EAGAIN {
        guard reader == .present, isWritable(within: 1_000) else {
          reader = .absent
          return
        }
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Waits where a program has made standard error one that does not wait.
  private static func isWritable(within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }
}
