import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@Suite struct CollatorTests {
  private static let orders: [(locale: String, texts: [String])] = [
    ("en", ["", "a", "A", "ä", "b", "Item 2", "Item 10", "Item 10b", "z"]),
    ("de", ["o", "ö", "Of", "Öf", "p", "z"]), ("sv_SE", ["a", "o", "z", "å", "ä", "ö"]),
    ("sv-SE", ["z", "Å", "Ä"]), ("es", ["n", "nz", "ñ", "o"]), ("cs", ["cz", "d", "h", "ch", "i"]),
    ("da", ["az", "z", "æ", "ø", "å", "aab"]), ("root", ["!", "1", "a", "ä", "z", "日"]),
    ("", ["a", "ä", "z"]),
    ("de@collation=phonebook", ["ad", "ä", "af"]), ("de-u-co-phonebk", ["ad", "ä", "af"]),
  ]

  @Test(arguments: orders)
  func `texts are in the order of their language`(_ locale: String, _ texts: [String]) throws {
    let collator = try #require(Collator(locale: locale))
    let keys = texts.map(collator.key)
    for (a, b) in zip(keys, keys.dropFirst()) { #expect(a.lexicographicallyPrecedes(b)) }
  }

  @Test func `what looks alike is equal, and long numbers and texts are taken whole`() throws {
    let collator = try #require(Collator(locale: "en"))
    #expect(collator.key(of: "e\u{301}") == collator.key(of: "é"))
    #expect(collator.key(of: "02") == collator.key(of: "2"))
    let digits = String(repeating: "9", count: 250)
    #expect(collator.key(of: digits).lexicographicallyPrecedes(collator.key(of: "1" + digits)))
    let long = String(repeating: "ä1日", count: 50_000)
    #expect(collator.key(of: long + "a").lexicographicallyPrecedes(collator.key(of: long + "b")))
  }

  @Test(arguments: LanguageOrder.locales)
  func `keys of random texts are in the order in which the texts compare`(_ locale: String) throws {
    var random = SeededGenerator(seed: 731)
    let collator = try #require(Collator(locale: locale))
    let order = LanguageOrder(locale)
    for _ in 0..<4_000 {
      let (a, b) = (LanguageOrder.text(&random), LanguageOrder.text(&random))
      let keys = ScalarOrder.order(.blob(collator.key(of: a)), .blob(collator.key(of: b)))
      #expect(keys == order.compare(a, with: b), "\(a.debugDescription) \(b.debugDescription)")
    }
  }

  @Test func `one collator makes the same keys in many threads`() throws {
    let collator = try #require(Collator(locale: "sv"))
    var random = SeededGenerator(seed: 732)
    let texts = (0..<500).map { _ in LanguageOrder.text(&random) }
    let keys = texts.map(collator.key)
    let differences = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let found = zip(texts, keys).count { collator.key(of: $0) != $1 }
      differences.withLock { $0 += found }
    }
    #expect(differences.withLock { $0 } == 0)
  }

  @Test(arguments: [
    "zz", "german", "x", "sv SE", "sv_SE.UTF-8", "Ünix", "s", "1", "_SE", "no such",
  ])
  func `what is no locale, or none whose order is known, has no collator`(_ locale: String) {
    #expect(Collator(locale: locale) == nil)
  }

  @Test(arguments: [
    "en", "en_US", "de_AT", "nb", "no", "zh-Hant", "sr_Latn_RS", "und", "root", "EN_us", "deu",
  ])
  func `locales are known in all their forms`(_ locale: String) {
    #expect(Collator(locale: locale) != nil)
  }

  private static let environments: [(variables: [String: String], locale: String)] = [
    ([:], "root"), (["LANG": "sv_SE.UTF-8"], "sv_SE"), (["LANG": "C.UTF-8"], "root"),
    (["LANG": "POSIX"], "root"),
    (["LANG": "de_DE", "LC_COLLATE": "cs_CZ.utf8"], "cs_CZ"),
    (["LANG": "de_DE", "LC_COLLATE": "C"], "root"),
    (["LC_ALL": "da_DK", "LC_COLLATE": "cs_CZ", "LANG": "de_DE"], "da_DK"),
    (["LC_ALL": "", "LC_COLLATE": "", "LANG": "ca_ES.UTF-8@valencia"], "ca_ES"),
    (["LANG": "sr_RS@latin"], "sr_RS"),
    (["LC_MESSAGES": "de_DE"], "root"),
  ]

  @Test(arguments: environments)
  func `the environment's locale is that of the first variable with a value`(
    _ variables: [String: String], _ locale: String
  ) {
    #expect(TextOrder.locale(of: variables) == locale)
  }

  @Test(arguments: ["root", "en", "fr", "vi"])
  func `texts that look alike have one key`(_ locale: String) throws {
    let collator = try #require(Collator(locale: locale))
    let spellings = ["Vi\u{1EC7}t", "Vi\u{EA}\u{323}t", "Vie\u{302}\u{323}t", "Vie\u{323}\u{302}t"]
    #expect(Set(spellings.map(collator.key)).count == 1)
  }

  private static let letters: [(locale: String, text: String, letter: String)] = [
    ("sv", "Åsa", "å"), ("sv", "A\u{30A}sa", "å"), ("sv", "Anna", "a"), ("sv", "École", "e"),
    ("de", "Ärzte", "a"), ("de", "ßo", "s"), ("de", "4 a.m.", "4"), ("es", "Ñandú", "ñ"),
    ("fr", "Ñandú", "n"),
    ("cs", "Čapek", "č"), ("cs", "Ámos", "a"), ("en", "👨‍👩‍👧 x", "👨"), ("en", "한국", "\u{1112}"),
    ("en", "", ""),
    ("da", "Øst", "ø"), ("en", "\u{301}Ab", "a"), ("en", "日本", "日"),
    ("tr", "Ivan", "ı"), ("tr", "irmak", "i"), ("tr", "ıslak", "ı"), ("tr", "İstanbul", "i"),
    ("en", "Ivan", "i"), ("de", "Æsop", "a"), ("sv", "Łódź", "l"),
  ]

  @Test(arguments: letters)
  func `a letter is one of its own where the language says so`(
    _ locale: String, _ text: String, _ letter: String
  ) {
    #expect(SectionTransform.letter(locale: locale).apply(.text(text)) == .text(letter))
  }
}
