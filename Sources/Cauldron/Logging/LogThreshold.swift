import Foundation
import Logging
import Synchronization

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
