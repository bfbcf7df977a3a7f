import CauldronModel
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

  private let level: Logger.Level
  private let sentence: String
  private let data: String

  /// - Parameter metadata: All data of the event, those of its logger included.
  package init(_ event: LogEvent, _ metadata: Logger.Metadata) {
    let message = "\(event.message)"
    let words = LogWords(metadata, message, event.level, isOwn: Self.isOwn(event)).words
    level = event.level
    sentence = Self.word(event.level) + message.withVisibleControls
    data = words.joined(separator: " ").withVisibleControls
  }

  /// The line without its end.
  /// - Parameter isColoured: Whether it is for a terminal that shows colours.
  package func text(at time: LogTime, isColoured: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, Self.width - sentence.count) + 1)
    let end = data.isEmpty ? "" : "\(space)\(data)"
    guard isColoured else { return "\(time) \(sentence)\(end)" }
    let start = LogColor.faint.text("\(time)")
    return "\(start) \(colouredSentence)\(end.isEmpty ? "" : LogColor.faint.text(end))"
  }

  /// A warning is yellow, an error red, and the mark of a save that has ended well green.
  private var colouredSentence: String {
    if level >= .error { return LogColor.red.text(sentence) }
    if level >= .warning { return LogColor.yellow.text(sentence) }
    guard sentence.hasPrefix("✓") else { return sentence }
    return LogColor.green.text("✓") + sentence.dropFirst()
  }

  /// What makes warnings and errors stand out.
  private static func word(_ level: Logger.Level) -> String {
    level >= .warning ? "\(level.rawValue.uppercased()) " : ""
  }

  /// Whether the library tells it, and not the program by the library's logger.
  private static func isOwn(_ event: LogEvent) -> Bool { modules.contains(event.source) }

  private static let modules: Set<String> = [
    "Cauldron", "CauldronGraph", "CauldronImport", "CauldronLedger", "CauldronList", "CauldronLive",
    "CauldronMagicalRecord", "CauldronModel", "CauldronQuery", "CauldronSQLite", "CauldronSave",
    "CauldronStore",
  ]
}

/// How a terminal shows a part of a line.
enum LogColor: Int {
  case faint = 2
  case red = 31
  case green = 32
  case yellow = 33

  func text(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}

/// A time of day, by the local clock.
package struct LogTime: CustomStringConvertible {
  /// For instance `18:07:54.126`.
  package let description: String

  package init(seconds: Int, milliseconds: Int) {
    var (seconds, parts) = (seconds, tm())
    localtime_r(&seconds, &parts)
    func digits(_ number: Int, count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    description =
      [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0), count: 2) }
      .joined(separator: ":") + "." + digits(milliseconds, count: 3)
  }

  package static var now: LogTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LogTime(seconds: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
  }
}

/// The data of a log line in few words, in the order in which they are looked for.
///
/// Lines of the library's own leave out what their sentences say; a warning and an error leave out
/// nothing.
struct LogWords {
  private(set) var words: [String] = []
  private var rest: Logger.Metadata

  init(_ metadata: Logger.Metadata, _ message: String, _ level: Logger.Level, isOwn: Bool) {
    rest = metadata
    if isOwn {
      if level < .warning { leaveOut(message, at: level) }
      addPlaceAndCounts()
    }
    addRest()
  }

  /// The parts of one datum.
  /// - Parameter isSave: Whether it is a save; the parts of others may be called as those of saves are.
  private init(_ parts: Logger.Metadata, isSave: Bool) {
    rest = parts
    if isSave { addPlaceAndCounts() }
    addRest()
  }

  /// What sentences about contexts always say.
  private static let said = ["context", "queue", "thread"]
  /// Details, and counts that the lines of other levels have.
  private static let details = [
    "parent", "entity", "waited", "took", "store", "from", "rows", "statements", "records",
    "created", "refused", "carrier",
  ]
  private static let saves = ["mine", "theirs"]
  private static let counts = [("inserted", "+"), ("updated", "~"), ("deleted", "-")]
  /// What comes after place and counts; everything else follows by its name.
  private static let order = [
    "code", "entity", "property", "object", "objects", "path", "sqlite", "level", "carrier",
    "values", "mine", "theirs",
  ]

  private mutating func leaveOut(_ message: String, at level: Logger.Level) {
    for key in Self.said { rest[key] = nil }
    guard level >= .info else { return }
    for key in Self.details { rest[key] = nil }
    for (key, _) in Self.counts {
      if let count = rest[key], message.contains("\(count) \(key)") { rest[key] = nil }
    }
    if let links = rest["links"], message.contains("\(links) link") { rest["links"] = nil }
    for key in ["at", "name", "worked"] {
      if let value = rest[key], message.contains("\(value)") { rest[key] = nil }
    }
  }

  private mutating func addPlaceAndCounts() {
    take("at") { Self.place($0) }
    take("name") { Self.quoted($0) }
    take("save") { "#\($0)" }
    take("step") { $0 }
    for (key, sign) in Self.counts { take(key) { sign + $0 } }
    take("links") { "links=\($0)" }
    take("waited") { "waited \($0)" }
    take("worked") { "worked \($0)" }
  }

  private mutating func addRest() {
    let order = Self.order.filter { rest[$0] != nil }
    for key in order + rest.keys.sorted().filter({ !order.contains($0) }) {
      if let value = rest[key] { words.append("\(key)=\(Self.text(value, of: key))") }
    }
  }

  private mutating func take(_ key: String, _ word: (String) -> String) {
    guard let value = rest.removeValue(forKey: key) else { return }
    words.append(word("\(value)"))
  }

  private static func text(_ value: Logger.MetadataValue, of key: String) -> String {
    switch value {
    case .dictionary(let part):
      "(\(LogWords(part, isSave: saves.contains(key)).words.joined(separator: " ")))"
    case .array(let values): "[\(values.map { text($0, of: key) }.joined(separator: ", "))]"
    default: quoted("\(value)")
    }
  }

  /// A line of the program without the name of its module.
  private static func place(_ text: String) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return quoted(parts.count == 2 && parts[1].contains(".swift:") ? String(parts[1]) : text)
  }

  /// A text that shows where it begins and ends.
  private static func quoted(_ text: String) -> String {
    let isPlain = !text.isEmpty && !text.contains { $0.isWhitespace || "\"()[]".contains($0) }
    if isPlain { return text }
    return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
