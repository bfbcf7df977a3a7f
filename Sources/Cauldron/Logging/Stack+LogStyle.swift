import CauldronModel

extension Stack {
  /// Where the library's own logger writes.
  public enum LogStyle: Sendable, Hashable {
    /// Lines for people where the program has bootstrapped no logging system, and else that system.
    case automatic
    /// Lines for people on standard error, whatever the program has bootstrapped.
    case plain
    /// swift-log's system, also where the program has bootstrapped none.
    case system
  }

  /// Where stacks write that have no logger of their own; `.automatic` by default.
  ///
  /// ```swift
  /// LoggingSystem.bootstrap { StreamLogHandler.standardOutput(label: $0) }
  /// Stack.logStyle = .system       // swift-log does not tell that its own handler was meant
  /// ```
  /// Set it after the logging system is bootstrapped, and before the first `StackConfiguration` is made or stack set
  /// up. May be used on any thread.
  public static var logStyle: LogStyle {
    get { style.withLock { $0 } }
    set { style.withLock { $0 = newValue } }
  }

  private static let style = Locked(LogStyle.automatic)
}
