import CauldronModel
import Foundation
import Logging

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
