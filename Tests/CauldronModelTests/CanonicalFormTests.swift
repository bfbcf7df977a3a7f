import CauldronModel
import Foundation
import TestSupport
import Testing

/// Long texts are decomposed and composed in pieces, and come to the same as in one.
struct CanonicalFormTests {
  private static let letters: [String] = [
    "a", "ä", "a\u{308}", "Å", "\u{212B}", "\u{1E69}", "s\u{307}\u{323}", "한", "\u{1112}",
    "\u{1161}", "\u{11AB}", "か\u{3099}", "\u{9C7}\u{9BE}", "\u{F71}\u{F72}", "\u{F73}", "漢", "😀",
    "\u{344}", "\u{16D67}", " ", "\n",
  ]

  @Test func `pieces make the same text`() {
    var generator = SeededGenerator(seed: 12)
    for length in [10, 600, 2_000] {
      for _ in 0..<40 {
        let text = (0..<length).map { _ in Self.letters.randomElement(using: &generator) ?? "" }
          .joined()
        let (whole, put) = (
          text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping
        )
        #expect(Array(text.decomposed.unicodeScalars) == Array(whole.unicodeScalars))
        #expect(Array(text.composed.unicodeScalars) == Array(put.unicodeScalars))
      }
    }
  }
}
