import CauldronModel
import Foundation
public import Logging
import Synchronization

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

    // The names that swift-log has for the same.

    /// The same as ``off``: the library reports nothing that is worse than an error.
    public static let critical = LogLevel.off
    /// The same as ``warn``.
    public static let warning = LogLevel.warn
    /// The same as ``info``.
    public static let notice = LogLevel.info
    /// The same as ``verbose``.
    public static let trace = LogLevel.verbose

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
    package init?(named name: String) {
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

extension Stack {
  /// How much all stacks of the process report; nil, the default, leaves that to their loggers.
  ///
  /// ```swift
  /// Stack.logLevel = .verbose      // and back: Stack.logLevel = nil
  /// ```
  /// It holds from the next message on, also for stacks that are open, and goes before the level of
  /// every `StackConfiguration.logger`. The variable `CAULDRON_LOG` of the environment sets it when
  /// the program starts: `CAULDRON_LOG=debug ./program`. Without either, the library's own logger
  /// reports at `.info` in debug builds and at `.error` in release builds. May be used on any thread.
  public static var logLevel: LogLevel? {
    get { LogThreshold.level }
    set { LogThreshold.level = newValue }
  }

  /// Tells once if the environment names a level that there is not.
  func reportUnknownLevel() {
    let isKnown = Self.wasLevelChecked.withLock { flag in
      defer { flag = true }
      return flag
    }
    guard !isKnown, let complaint = LogThreshold.complaint(ProcessInfo.processInfo.environment)
    else { return }
    coordinator.logger.warning("\(complaint)")
  }

  private static let wasLevelChecked = Locked(false)
}

/// The level that holds for all stacks of the process, where one is set.
///
/// Loggers ask it before each message, on any thread, so that it is one word.
enum LogThreshold {
  /// The variable of the environment that sets the level before the program can.
  static let variable = "CAULDRON_LOG"

  /// 0 where nothing is set, else the position of the level.
  private static let word = Atomic<UInt8>(start(ProcessInfo.processInfo.environment))

  /// Made once: loggers ask before each message.
  private static let levels = Stack.LogLevel.allCases

  /// The level that is set; nil where each logger has its own.
  static var level: Stack.LogLevel? {
    get {
      let position = word.load(ordering: .relaxed)
      return position == 0 ? nil : levels[Int(position) - 1]
    }
    set { word.store(newValue?.position ?? 0, ordering: .relaxed) }
  }

  /// What is wrong with the variable; nil where nothing is.
  static func complaint(_ environment: [String: String]) -> String? {
    guard let text = environment[variable], !text.isEmpty, Stack.LogLevel(named: text) == nil
    else { return nil }
    let names = Stack.LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
    return "\(variable)=\(text) is no log level, and is ignored. The levels are: \(names)."
  }

  private static func start(_ environment: [String: String]) -> UInt8 {
    Stack.LogLevel(named: environment[variable] ?? "")?.position ?? 0
  }
}
