import Logging

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
      if level < .warning { leaveOut(message, level) }
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

  private mutating func leaveOut(_ message: String, _ level: Logger.Level) {
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
