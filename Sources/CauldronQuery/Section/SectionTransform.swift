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
