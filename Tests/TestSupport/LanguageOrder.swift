import Foundation

#if canImport(_FoundationICU)
  internal import _FoundationICU
#endif

/// Compares texts by language and number, one pair after the other, as Foundation does: the oracle of sort
/// keys. Use it in one thread.
package final class LanguageOrder {
  package static let locales = ["en", "de", "sv", "es", "cs", "da"]

  /// Parts of texts that languages order in their own ways.
  package static let parts = [
    "a", "A", "ä", "Å", "aa", "ö", "o", "z", "Z", "ch", "CH", "h", "c", "č", "ñ", "n", "ß", "ss",
    "1", "2",
    "10", "010", "02", " ", "-", "_", "😀", "👍🏽", "é", "e\u{301}", "e", "ł", "l", "ø", "æ", "日", "あ",
    "!", "\u{0}",
  ]

  /// A text of up to four parts.
  package static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(parts) }.joined()
  }

  #if canImport(_FoundationICU)
    private let collator: OpaquePointer?

    package init(_ locale: String) {
      var status = U_ZERO_ERROR
      collator = swift_ucol_open(locale, &status)
      swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
    }

    deinit { swift_ucol_close(collator) }

    /// Negative, 0 or positive.
    package func compare(_ a: String, with b: String) -> Int {
      let (left, right) = (Array(a.utf16), Array(b.utf16))
      return Int(
        swift_ucol_strcoll(collator, left, Int32(left.count), right, Int32(right.count)).rawValue)
    }
  #else
    private let locale: Locale

    package init(_ locale: String) { self.locale = Locale(identifier: locale) }

    package func compare(_ a: String, with b: String) -> Int {
      a.compare(b, options: .numeric, range: nil, locale: locale).rawValue
    }
  #endif

  /// Nil comes first.
  package func compare(_ a: String?, with b: String?) -> Int {
    guard let a, let b else { return (a == nil ? 0 : 1) - (b == nil ? 0 : 1) }
    return compare(a, with: b)
  }
}
