import Foundation
package import Logging

/// A line of a plain log.
///
/// ```
/// 18:07:54.126 → Saving <ManagedObjectContext (0x…): Root Saving Context> on a background thread main.swift:22 #1 3/3 +1
/// ```
package struct LogLine {
  /// So long are the sentences about contexts that have usual names; data stand in a column then.
  private static let width = 92

  private let sentence: String
  private let data: String

  /// - Parameter metadata: All data of the event, those of its logger included.
  package init(_ event: LogEvent, _ metadata: Logger.Metadata) {
    let message = "\(event.message)"
    let words = LogWords(metadata, message, event.level, isOwn: Self.isOwn(event)).words
    sentence = Self.word(event.level) + message.withVisibleControls
    data = words.joined(separator: " ").withVisibleControls
  }

  /// The line without its end.
  package func text(at time: LogTime) -> String {
    if data.isEmpty { return "\(time) \(sentence)" }
    let space = String(repeating: " ", count: max(0, Self.width - sentence.count) + 1)
    return "\(time) \(sentence)\(space)\(data)"
  }

  /// What makes warnings and errors stand out.
  private static func word(_ level: Logger.Level) -> String {
    level >= .warning ? "\(level.rawValue.uppercased()) " : ""
  }

  /// Whether the library tells it, and not the program by the library's logger.
  private static func isOwn(_ event: LogEvent) -> Bool { modules.contains(event.source) }

  private static let modules: Set<String> = [
    "Cauldron", "CauldronGraph", "CauldronImport", "CauldronList", "CauldronMagicalRecord",
    "CauldronModel", "CauldronSQLite",
  ]
}

/// A time of day, by the local clock.
package struct LogTime: CustomStringConvertible {
  /// For instance `18:07:54.126`.
  package let description: String

  package init(seconds: Int, milliseconds: Int) {
    var (seconds, parts) = (seconds, tm())
    localtime_r(&seconds, &parts)
    func digits(_ number: Int, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    description =
      [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0), 2) }
      .joined(separator: ":") + "." + digits(milliseconds, 3)
  }

  package static var now: LogTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LogTime(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
  }
}
