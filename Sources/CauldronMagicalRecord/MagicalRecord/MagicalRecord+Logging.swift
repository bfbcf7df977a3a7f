public import Cauldron

/// How much is reported, by its old name.
@available(*, deprecated, renamed: "Stack.LogLevel")
public typealias MagicalRecordLoggingLevel = Stack.LogLevel

extension Stack.LogLevel {
  /// Everything.
  @available(*, deprecated, renamed: "verbose")
  public static var all: Stack.LogLevel { .verbose }
}

extension MagicalRecord {
  /// How much all stacks report; where nothing is set, what the library's own logger does.
  @available(*, deprecated, renamed: "getter:Stack.logLevel()")
  public static func loggingLevel() -> Stack.LogLevel {
    #if DEBUG
      Stack.logLevel ?? .info
    #else
      Stack.logLevel ?? .error
    #endif
  }

  /// Sets how much all stacks report.
  @available(*, deprecated, message: "set 'Stack.logLevel'")
  public static func setLoggingLevel(_ level: Stack.LogLevel) { Stack.logLevel = level }
}
