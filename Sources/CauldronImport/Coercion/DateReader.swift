import CauldronModel
import Foundation

/// Reads and writes dates of one form.
///
/// `@unchecked Sendable` because a formatter is set up once and only asked afterwards, which Foundation
/// allows from any thread.
final class DateReader: @unchecked Sendable {
  private let format: ImportDateFormat
  private let formatters: [DateFormatter]
  /// Whether a text of digits is a number.
  private let takesTexts: Bool

  private init(_ format: ImportDateFormat, takesTexts: Bool = false) {
    self.format = format
    self.takesTexts = takesTexts
    formatters = if case .pattern(let pattern) = format { [Self.formatter(pattern)] } else { [] }
  }

  /// The forms that are tried, where these or none are named.
  static func readers(for named: [ImportDateFormat], in mode: ImportMode) -> [DateReader] {
    if mode == .strict { return (named.isEmpty ? [.iso8601] : named).map { DateReader($0) } }
    let all = named.isEmpty ? [.iso8601, .pattern("yyyy-MM-dd'T'HH:mm:ssz")] : named
    let readers = all.map { DateReader($0, takesTexts: true) }
    // MagicalRecord takes numbers for seconds whatever the pattern says. A text of digits may as well be
    // `20261124`.
    let readsNumbers = readers.contains(where: \.writesNumbers)
    return readsNumbers ? readers : readers + [DateReader(.secondsSince1970)]
  }

  var name: String {
    switch format {
    case .iso8601: "2026-11-24T08:00:00Z"
    case .secondsSince1970: "seconds since 1970"
    case .millisecondsSince1970: "milliseconds since 1970"
    case .pattern(let pattern): pattern
    }
  }

  /// Seconds since 2001; nil where the value is no date of this form.
  func date(_ value: JSONValue) -> Double? {
    switch format {
    case .iso8601:
      guard value.kind == .string, let text = value.text else { return nil }
      return ISODate.seconds(text)
    case .secondsSince1970: return number(value).map { $0 - Self.epoch }
    case .millisecondsSince1970: return number(value).map { $0 / 1_000 - Self.epoch }
    case .pattern:
      guard value.kind == .string, let text = value.text, Self.hasPlainLetters(text) else {
        return nil
      }
      return formatters.first?.date(from: text)?.timeIntervalSinceReferenceDate
    }
  }

  /// Whether each letter is one scalar. Foundation stops the program where a formatter reads half a letter, and
  /// no date has any other.
  private static func hasPlainLetters(_ text: String) -> Bool {
    text.count == text.unicodeScalars.count
  }

  /// The date in this form as JSON; nil where it has none.
  func json(_ seconds: Double) -> String? {
    guard seconds.isFinite else { return nil }
    return writesNumbers ? text(seconds) : JSONText.quoted(text(seconds))
  }

  /// The date in this form.
  private func text(_ seconds: Double) -> String {
    switch format {
    case .iso8601: ISODate.text(seconds)
    case .secondsSince1970: Self.number(seconds + Self.epoch)
    case .millisecondsSince1970: Self.number((seconds + Self.epoch) * 1_000)
    case .pattern:
      formatters.first?.string(from: Date(timeIntervalSinceReferenceDate: seconds)) ?? ""
    }
  }

  /// Whether the form writes a number.
  private var writesNumbers: Bool {
    format == .secondsSince1970 || format == .millisecondsSince1970
  }

  /// Whether two dates are written alike.
  func isSame(_ a: Double, as b: Double) -> Bool {
    a == b || abs(a - b) < 1e-6 || text(a) == text(b)
  }

  private func number(_ value: JSONValue) -> Double? {
    guard value.kind == .number || (takesTexts && value.kind == .string) else { return nil }
    let number = value.text.flatMap(JSONNumber.digits).flatMap(Double.init)
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static let epoch = Date.timeIntervalBetween1970AndReferenceDate

  private static func formatter(_ pattern: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = pattern
    return formatter
  }
}
