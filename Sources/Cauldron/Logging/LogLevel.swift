public import Logging

extension Stack {
  /// How much the library reports; each level includes those before it.
  ///
  /// ```swift
  /// Stack.logLevel = .verbose
  /// ```
  public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Nothing.
    case off
    /// Each failure once.
    case error
    /// What stays unsaved, and threads that wait long.
    case warn
    /// Each level of a save, new contexts, migrations and repeated saves.
    case info
    /// What saves and merges did, with entities and keys.
    case debug
    /// Each SQL statement, with its rows and its time.
    case verbose

    /// Whether `a` reports less than `b`.
    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.position < b.position }

    /// The level as swift-log knows it: `.trace` for `.verbose`, and for `.off`, which it has not,
    /// `.critical`, at which the library reports nothing.
    public var loggerLevel: Logger.Level {
      switch self {
      case .off: .critical
      case .error: .error
      case .warn: .warning
      case .info: .info
      case .debug: .debug
      case .verbose: .trace
      }
    }

    /// The level with a name, in capitals or small letters; swift-log's names are known, too.
    init?(named name: String) {
      let name = name.lowercased()
      let synonyms = ["warning": "warn", "notice": "info", "trace": "verbose", "critical": "off"]
      self.init(rawValue: synonyms[name] ?? name)
    }

    /// The number that stands for the level: 1 for the first one, `.off`.
    var position: UInt8 {
      switch self {
      case .off: 1
      case .error: 2
      case .warn: 3
      case .info: 4
      case .debug: 5
      case .verbose: 6
      }
    }
  }
}
