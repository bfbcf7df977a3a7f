package import Logging

/// Passes on what the process-wide level allows; without one, what the logger's own level allows.
struct LeveledLogHandler: LogHandler {
  private var base: any LogHandler

  init(_ base: any LogHandler) { self.base = base }

  var logLevel: Logger.Level {
    get { LogThreshold.level?.loggerLevel ?? base.logLevel }
    set { base.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  var metadataProvider: Logger.MetadataProvider? {
    get { base.metadataProvider }
    set { base.metadataProvider = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    // `.critical` stands for it, but "off" is nothing at all.
    if LogThreshold.level == .off { return }
    base.log(event: event)
  }
}

extension Logger {
  /// The same logger, which follows the process-wide level.
  package var leveled: Logger {
    if handler is LeveledLogHandler { return self }
    return Logger(label: label) { _ in LeveledLogHandler(handler) }
  }

  /// What reports where a program gives no logger: that of the program's logging system, or else lines
  /// for people on standard error; quiet in release builds, where nobody looks on.
  package static var standard: Logger {
    let style = Stack.logStyle
    let isPlain = style == .plain || style == .automatic && isUnconfigured
    let logger =
      isPlain ? Logger(label: "cauldron") { PlainLogHandler(label: $0) } : Logger(label: "cauldron")
    #if DEBUG
      return logger
    #else
      return quiet(logger)
    #endif
  }

  /// The same logger, which reports failures only.
  static func quiet(_ logger: Logger) -> Logger {
    var logger = logger
    logger.logLevel = max(logger.logLevel, .error)
    return logger
  }
}
