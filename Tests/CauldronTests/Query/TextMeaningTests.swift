import Cauldron
import CauldronModel
import CauldronQuery
import TestSupport
import Testing

/// What a search finds in a text, in the file, in a store in memory, and of what is unsaved.
@Suite(.againstHanging) struct TextMeaningTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let search: PredicateNode.TextOperator
    let part: String
    let options: TextOptions
    let isFound: Bool

    init(
      _ text: String, _ search: PredicateNode.TextOperator, _ part: String,
      _ options: TextOptions, _ isFound: Bool
    ) {
      self.text = text
      self.search = search
      self.part = part
      self.options = options
      self.isFound = isFound
    }

    var testDescription: String { "\(text) \(search) \(part) \(options.rawValue)" }
  }

  private static let cd = TextOptions.ignoringCaseAndDiacritics
  private static let c = TextOptions.ignoringCase
  private static let d = TextOptions.ignoringDiacritics

  private static let letters: [Case] = [
    Case("café", .contains, "cafe", c, false), Case("café", .contains, "CAFÉ", c, true),
    Case("cafe\u{301}", .contains, "CAFÉ", c, true),
    Case("cafe\u{301}", .contains, "cafe", c, false),
    Case("café", .contains, "cafe", cd, true), Case("école", .beginsWith, "e", c, false),
    Case("école", .beginsWith, "E", cd, true), Case("école", .endsWith, "LE", c, true),
    Case("café", .endsWith, "\u{301}", c, false), Case("café", .like, "cafe*", c, false),
    Case("café", .like, "CAFE*", cd, true), Case("한", .beginsWith, "하", c, false),
    Case("한국", .beginsWith, "한", c, true), Case("straße", .contains, "ASSE", c, true),
    Case("straße", .beginsWith, "stras", c, false), Case("strasse", .beginsWith, "STRAS", c, true),
    Case("ab\u{301}abe", .contains, "AB", c, true), Case("aab\u{301}", .contains, "ab", c, false),
    Case("कि", .contains, "क", c, true), Case("👨‍👩‍👧", .contains, "👨", c, true),
    Case("abc", .contains, "", c, true), Case("", .contains, "a", c, false),
  ]

  private static let patterns: [Case] = [
    Case("café", .like, "caf?", [], true), Case("café", .like, "CAF?", c, true),
    Case("cafe\u{301}", .like, "CAF?", c, true), Case("café", .like, "CAF??", c, false),
    Case("ß", .like, "?", c, true), Case("Straße", .like, "*ASS?", c, true),
    Case("Straße", .like, "stra?e", c, true), Case("한", .like, "?", d, true),
    Case("한", .matches, ".", d, true), Case("한국", .matches, "[가-힣]+", d, true),
    Case("한국", .matches, "[가-힣]+", cd, true), Case("한", .matches, ".", [], true),
    Case("straße", .matches, "STRASSE", c, true), Case("strasse", .matches, "STRAßE", c, true),
    Case("e\u{301}", .matches, "É", c, true), Case("É", .matches, "e\u{301}+", c, true),
    Case("e\u{301}", .matches, "É", [], false), Case("éé", .matches, "e{2}", d, true),
    Case("é", .matches, "[e]", c, false), Case("é", .matches, "[e]", d, true),
    Case("é", .matches, "[a-z]", d, true), Case("É", .matches, "[à-ý]", c, true),
    Case("É", .matches, "[^é]", c, false), Case("e", .matches, "[é]", cd, true),
    Case("e\u{301}t", .matches, "\\w\\Bt", c, true), Case("é a", .matches, "\\w\\s\\w", c, true),
    Case("STRASSE", .matches, "(?i)straße", [], true), Case("ß", .matches, ".", c, true),
  ]

  @Test(arguments: StoreKind.allCases)
  func `letters are found whole, and folded, in every store and unsaved`(
    _ kind: StoreKind
  ) throws {
    try check(Self.letters, kind)
  }

  @Test(arguments: StoreKind.allCases)
  func `a character of a pattern is a letter with its accents`(_ kind: StoreKind) throws {
    try check(Self.patterns, kind)
  }

  private func check(_ cases: [Case], _ kind: StoreKind) throws {
    let bench = try Bench(kind, model: try Trade.model())
    let saved = bench.child("Saved")
    for text in Set(cases.map { Array($0.text.utf8) }) {
      Worker.create(in: saved).name = String(decoding: text, as: UTF8.self)
    }
    try saved.saveAndWait(toPersistentStore: true)
    let unsaved = bench.child("Unsaved")
    for worker in try Worker.findAll(in: unsaved) {
      let name = worker.name
      worker.name = nil
      unsaved.processPendingChanges()
      worker.name = name
    }
    for one in cases {
      let node = PredicateNode.text(
        .property("name"), one.search, .value(.text(one.part)), one.options)
      for context in [saved, unsaved] {
        var request = FetchRequest<Worker>()
        request.predicate = node
        let found = try context.fetch(request).contains {
          ($0.name ?? "").utf8.elementsEqual(one.text.utf8)
        }
        #expect(found == one.isFound, "\(one.testDescription) in \(context.name)")
      }
    }
  }

  @Test func `an option never finds less where accents are no scalars of their own`() throws {
    let texts = [
      "", "a", "É", "ß", "한국", "ﬁne", "İ", "Straße", "👨‍👩‍👧", "कि", "a\r\nb", "ǆ", "ΌΔΌΣ", "e-é",
    ]
    let parts = texts + ["?", "*", "?*", "*a*", "\\*", "s", "??", "*ß?", "É*"]
    let patterns = [
      ".", ".*", "[a-é]+", "[가-힣]+", "\\w+", ".\\s+.", "ß|É", "İ", "[É-ß]", "\\W*", "(?:ﬁ|Ό).*",
    ]
    let all: [TextOptions] = [[], Self.c, Self.d, Self.cd]
    for less in all {
      for more in all where more.isSuperset(of: less) {
        for text in texts {
          for kind in [PredicateNode.TextOperator.beginsWith, .contains, .endsWith, .like] {
            for part in parts where TextNeedle(part, TextSearch(kind, less)).isFound(in: text) {
              #expect(
                TextNeedle(part, TextSearch(kind, more)).isFound(in: text),
                "\(text) \(kind) \(part) \(less.rawValue) \(more.rawValue)")
            }
          }
          for pattern in patterns where try RegularPattern(pattern, less).matches(text) {
            #expect(
              try RegularPattern(pattern, more).matches(text),
              "\(text) \(pattern) \(less.rawValue) \(more.rawValue)")
          }
        }
      }
    }
  }

  @Test func `a search in a long text takes a look at each letter`() {
    let text = String(repeating: "é", count: 20_000)
    let part = String(repeating: "é", count: 10_000) + "e"
    #expect(!TextNeedle(part, TextSearch(.contains, Self.c)).isFound(in: text))
    #expect(TextNeedle(part, TextSearch(.contains, Self.cd)).isFound(in: text))
  }
}
