import Foundation
import Logging
import Synchronization

/// The newest lines that the stack has logged.
final class SaveLog: Sendable {
  struct Line: Codable, Sendable {
    /// Counts the lines from 1.
    let number: Int
    let time: Date
    let level: String
    let text: String
  }

  /// How many lines are kept.
  private static let most = 200
  private let lines = Mutex<[Line]>([])

  /// The lines behind a number.
  func lines(after number: Int) -> [Line] {
    lines.withLock { lines in Array(lines.drop { $0.number <= number }) }
  }

  func add(_ level: Logger.Level, _ text: String) {
    lines.withLock { lines in
      let number = (lines.last?.number ?? 0) + 1
      if lines.count == Self.most { lines.removeFirst() }
      lines.append(Line(number: number, time: Date(), level: level.rawValue, text: text))
    }
  }
}
