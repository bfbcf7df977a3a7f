import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@Suite("Texts in conditions")
struct QueryTextTests {
  @Test(
    "Case and diacritics are folded by one rule",
    arguments: [
      ("ABC", "abc", TextOptions.ignoringCase), ("STRASSE", "straße", .ignoringCase),
      ("ΟΔΟΣ", "οδος", .ignoringCase), ("É", "e\u{301}", .ignoringCase),
      ("Éa", "ea", .ignoringCaseAndDiacritics), ("é", "e", .ignoringDiacritics),
      ("a\u{308}", "ä", .ignoringCase), ("ǅ", "ǆ", .ignoringCase), ("ｱﾞ", "ｱﾞ", .ignoringCase),
    ])
  func folds(_ a: String, _ b: String, _ options: TextOptions) {
    #expect(Array(TextFold(options)(a).utf8) == Array(TextFold(options)(b).utf8))
  }

  @Test(
    "What differs in more than the options stays apart",
    arguments: [
      ("ABC", "abc", TextOptions.ignoringDiacritics), ("é", "e", .ignoringCase),
      ("ı", "i", .ignoringCaseAndDiacritics), ("か", "が", .ignoringCaseAndDiacritics),
      ("é", "e\u{301}", TextOptions()), ("क", "कि", .ignoringCaseAndDiacritics),
      ("ø", "o", .ignoringCaseAndDiacritics),
    ])
  func foldsNoMore(_ a: String, _ b: String, _ options: TextOptions) {
    #expect(Array(TextFold(options)(a).utf8) != Array(TextFold(options)(b).utf8))
  }

  @Test(
    "Folding twice changes nothing more",
    arguments: ["Straße", "ΟΔΟΣ", "İstanbul", "ﬁne", "Å\u{323}", "👨‍👩‍👧", "ŉ", "ΐ"])
  func foldsOnce(_ text: String) {
    for options in [TextOptions.ignoringCase, .ignoringDiacritics, .ignoringCaseAndDiacritics] {
      let fold = TextFold(options)
      #expect(Array(fold(fold(text)).utf8) == Array(fold(text).utf8))
    }
  }

  @Test("LIKE takes time in proportion to text and pattern")
  func like() {
    #expect(LikePattern("a*c?").matches("abbbcd"))
    #expect(!LikePattern("a*c?").matches("abbbc"))
    #expect(LikePattern("\\*\\?\\\\").matches("*?\\"))
    #expect(LikePattern("*").matches("") && !LikePattern("?").matches(""))
    let text = String(repeating: "a", count: 20_000)
    #expect(!LikePattern(String(repeating: "*a", count: 50) + "*b").matches(text))
  }

  @Test(
    "An expression matches what it matches elsewhere",
    arguments: [
      "a.*", "[ab]+", "(a|b)?c", "", "a{2,3}b?", "a{2,}", "[^a-c]x", "\\d+\\.\\d{2}", "(?:ab)*c+?",
      "^ab$", "\\bab\\b", "[\\d_-]+", "a|bc|", "x(a|b|c){2}y", "\\u0061b", "(?i)AB", "[]a]+", "é",
    ])
  func matches(_ pattern: String) throws {
    let ours = try RegularPattern(pattern, [])
    let theirs = try PatternMatcher(pattern == "[]a]+" ? "[\\]a]+" : pattern)
    for text in [
      "", "a", "ab", "aab", "aaab", "aaaab", "c", "ac", "bc", "abab", "ababc", "dx", "ax", "12.50",
      "1_2-3", "xaby", "xabcy", "AB", "]a", "é", "e\u{301}",
    ] {
      #expect(ours.matches(text) == theirs.matches(text), "\(pattern) of \(text)")
    }
  }

  @Test("The letter without a dot is none with one, where case is ignored, too")
  func dotless() throws {
    #expect(try !RegularPattern("i", .ignoringCase).matches("ı"))
    #expect(try !RegularPattern("ı", .ignoringCase).matches("I"))
    #expect(try RegularPattern("i", .ignoringCase).matches("I"))
  }

  @Test("No expression takes long, and too large ones are refused")
  func bounded() throws {
    let text = String(repeating: "a", count: 2_000)
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try !RegularPattern("(a+)+b", []).matches(text))
    #expect(try !RegularPattern("(a|aa)*b", []).matches(text))
    #expect(try RegularPattern("(a*)*(a*)*", []).matches(text))
    #expect(clock.now - start < .seconds(slack * 5))
    for pattern in ["(((a{900}){900}){900}){900}", "((((){900}){900}){900}){900}", "a{2000}"] {
      #expect(throws: (any Error).self) { try RegularPattern(pattern, []) }
    }
  }

  @Test(
    "What a walk cannot do is refused",
    arguments: [
      "(a)\\1", "(?=a)", "(?<!a)b", "a++", "*a", "(a", "a)", "[a", "a{2", "a{3,1}", "\\", "[z-a]",
      "\\q",
    ])
  func refused(_ pattern: String) {
    #expect(throws: (any Error).self) { try RegularPattern(pattern, []) }
  }
}
