package import CauldronModel
import Foundation

/// What a list makes sections of: something coarser than a value, in the order of the values.
package enum SectionTransform: Sendable, Hashable {
  /// The first Unicode scalar of a text as it is compared where case and diacritics are ignored; ""
  /// of a text that has none.
  case firstLetter
  /// The same, but for letters of their own in the language of a locale, such as the Swedish "å".
  case letter(locale: String)
  /// The day of a date, counted from 2001-01-01, in the time zone with an identifier.
  case day(timeZone: String)
  /// The month of a date, twelve times its year and 0 for January, in the time zone with an
  /// identifier.
  case month(timeZone: String)

  /// What it makes of a value; of nil, and of what is of another kind, nil.
  ///
  /// A greater value never gives a smaller result: texts as they are folded, dates as they are. For
  /// many values make one `SectionMap`.
  package func apply(_ scalar: AttributeScalar) -> AttributeScalar { SectionMap(self)(scalar) }
}

/// A transform that is prepared for many values.
package struct SectionMap: Sendable {
  private enum Rule {
    case firstLetter
    case letter(LetterMap?)
    case day(ZoneDays)
    case month(ZoneDays)
  }

  private let rule: Rule
  private static let fold = TextFold(.ignoringCaseAndDiacritics)

  package init(_ transform: SectionTransform) {
    switch transform {
    case .firstLetter: rule = .firstLetter
    case .letter(let locale): rule = .letter(LetterMap(locale: locale))
    case .day(let zone): rule = .day(.of(zone))
    case .month(let zone): rule = .month(.of(zone))
    }
  }

  /// What the transform makes of a value.
  /// - Complexity: O(log changes of the clock) for a date, O(length of a letter) for a text.
  package func callAsFunction(_ scalar: AttributeScalar) -> AttributeScalar {
    switch rule {
    case .firstLetter:
      guard case .text(let text) = scalar else { return .null }
      return .text(Self.firstLetter(of: text))
    case .letter(let letters):
      guard case .text(let text) = scalar else { return .null }
      return .text(Self.firstLetter(of: text, by: letters))
    case .day(let days):
      return Self.seconds(scalar).map { .integer(days.day(of: $0)) } ?? .null
    case .month(let days):
      return Self.seconds(scalar).map { .integer(ZoneDays.month(of: days.day(of: $0))) } ?? .null
    }
  }

  private static func firstLetter(of text: String) -> String {
    // Nothing that comes behind a letter of ASCII changes it.
    if let byte = text.utf8.first, byte < 0x80 {
      let isLarge = byte >= 0x41 && byte <= 0x5A
      return String(Unicode.Scalar(isLarge ? byte | 0x20 : byte))
    }
    for character in text {
      if let first = fold(String(character)).unicodeScalars.first { return String(first) }
    }
    return ""
  }

  private static func firstLetter(of text: String, by letters: LetterMap?) -> String {
    let folded = firstLetter(of: text)
    guard let letters else { return folded }
    if text.utf8.prefix(2).allSatisfy({ $0 < 0x80 }) { return letters.letter(of: text, folded) }
    guard let character = text.first(where: { !fold(String($0)).isEmpty }) else { return folded }
    let letter = TextFold(.ignoringCase)(String(character)).composed
    return letters.letter(beyondASCII: letter, folded)
  }

  /// Whole seconds since 2001, which no sensible date is beyond.
  private static func seconds(_ scalar: AttributeScalar) -> Int64? {
    let limit: Int64 = 1_000_000_000_000_000
    switch scalar {
    case .integer(let value): return max(-limit, min(limit, value))
    case .real(let value) where !value.isNaN:
      return Int64(max(-Double(limit), min(Double(limit), value)).rounded(.down))
    case .null, .real, .text, .blob: return nil
    }
  }
}

/// The letters of a language: what it orders by a letter below belongs to that one.
private struct LetterMap: Sendable {
  private let collator: Collator
  /// The letters of ASCII, with their keys.
  private let bases: [(letter: String, key: Data)]
  /// Whether a large I is the small letter without a dot, as in Turkish.
  private let hasDotlessI: Bool

  init?(locale: String) {
    guard let collator = Collator(locale: locale, lettersAlone: true) else { return nil }
    self.collator = collator
    bases = (0x61...0x7A as ClosedRange<UInt8>).map { byte in
      let letter = String(Unicode.Scalar(byte))
      return (letter, collator.key(of: letter))
    }
    hasDotlessI = collator.key(of: "I") != collator.key(of: "i")
  }

  func letter(of text: String, _ folded: String) -> String {
    hasDotlessI && text.utf8.first == 0x49 ? "\u{131}" : folded
  }

  /// An accent makes another letter where the language does not order it by the letter below, as in "ß" it
  /// orders an s.
  func letter(beyondASCII letter: String, _ folded: String) -> String {
    let key = collator.key(of: letter)
    if let base = bases.first(where: { key.starts(with: $0.key) }) { return base.letter }
    return key.starts(with: collator.key(of: folded)) ? folded : letter
  }
}

/// The days of a time zone by arithmetic: its changes of the clock are looked up once.
///
/// Where a clock is put back over midnight, some minutes of a day come twice; the second time they
/// count as the next day, so that a later date never has an earlier day. Changes are known from 1840
/// to 2200; before and after, the clock stays as it is.
struct ZoneDays: Sendable {
  /// The time between two changes of the clock.
  private struct Span {
    let start: Int64
    let offset: Int64
    /// The day before which no later one is.
    let leastDay: Int64
  }

  private let spans: [Span]
  private static let known = Locked<[String: ZoneDays]>([:])

  /// The days of the time zone with an identifier; those of GMT where there is none, which queries
  /// refuse.
  static func of(_ identifier: String) -> ZoneDays { days(identifier) ?? ZoneDays(.gmt) }

  /// Whether there is a time zone with an identifier.
  /// - Complexity: O(1) for one that was asked for before.
  static func isKnown(_ identifier: String) -> Bool { days(identifier) != nil }

  private static func days(_ identifier: String) -> ZoneDays? {
    if let days = known.withLock({ $0[identifier] }) { return days }
    guard let zone = TimeZone(identifier: identifier) else { return nil }
    let days = ZoneDays(zone)
    known.withLock { $0[identifier] = days }
    return days
  }

  private init(_ zone: TimeZone) {
    let year: TimeInterval = 365.2425 * 86_400
    var date = Date(timeIntervalSinceReferenceDate: -161 * year)
    let end = Date(timeIntervalSinceReferenceDate: 200 * year)
    var spans = [Span(start: .min, offset: Int64(zone.secondsFromGMT(for: date)), leastDay: .min)]
    while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next < end {
      let start = Int64(next.timeIntervalSinceReferenceDate.rounded(.down))
      let last = spans[spans.count - 1]
      spans.append(
        Span(
          start: start, offset: Int64(zone.secondsFromGMT(for: next)),
          leastDay: max(last.leastDay, Self.day(start - 1, last.offset))))
      date = next
    }
    self.spans = spans
  }

  /// The days from 2001-01-01 to the one of a time in seconds since 2001 by GMT.
  func day(of seconds: Int64) -> Int64 {
    // The last span that has begun.
    var low = 0
    var high = spans.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if spans[middle].start <= seconds { low = middle } else { high = middle }
    }
    return max(spans[low].leastDay, Self.day(seconds, spans[low].offset))
  }

  private static func day(_ seconds: Int64, _ offset: Int64) -> Int64 {
    floor(seconds + offset, by: 86_400)
  }

  /// Twelve times the year of a day, and 0 for January, in the Gregorian calendar.
  static func month(of day: Int64) -> Int64 {
    // Years begin in March here, so that the day that is not always there is the last one; 400 of
    // them have 146,097 days. 2001-01-01 is 730,791 days after 0000-03-01.
    let shifted = day + 730_791
    let era = floor(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let year =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (era * 400 + year) * 12 + month + 2
  }

  private static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
    (value - (value % divisor + divisor) % divisor) / divisor
  }
}
