import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// Texts in which very many accents stand behind a letter.
@Suite(
  .againstHanging, .ownThread, .serialized,
  .enabled(if: !Sanitizer.isOn, "a sanitizer says nothing about time")) struct OrderedMarksTests
{
  /// A letter with so many pairs of accents, which are in no order.
  private static func letter(_ count: Int) -> String {
    "a" + String(repeating: "\u{301}\u{323}", count: count)
  }

  @Test func `few accents, and accents in order, stay as they are`() {
    for text in [
      "", "abc", "e\u{301}\u{323}", "\u{301}\u{323}" + String(repeating: "x", count: 99),
    ] {
      #expect(text.withOrderedMarks.utf8.elementsEqual(text.utf8))
    }
    let ordered =
      "a" + String(repeating: "\u{323}", count: 50) + String(repeating: "\u{301}", count: 50)
    #expect(ordered.withOrderedMarks.utf8.elementsEqual(ordered.utf8))
  }

  @Test func `many accents in another order are the same text`() {
    // Of several classes, of some that come apart, and behind nothing.
    let marks = [
      "\u{301}", "\u{323}", "\u{344}", "\u{F73}", "\u{F81}", "\u{5B0}", "\u{345}", "\u{3099}",
    ]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var text = ["", "a", "\u{1EA5}", "가", "\u{F71}"].randomElement(using: &random) ?? ""
      for _ in 0..<Int.random(in: 33...80, using: &random) {
        text += marks.randomElement(using: &random) ?? ""
      }
      text += "b"
      let ordered = text.withOrderedMarks
      #expect(ordered == text)
      #expect(
        ordered.decomposedStringWithCanonicalMapping.utf8.elementsEqual(
          text.decomposedStringWithCanonicalMapping.utf8))
      #expect(
        ordered.precomposedStringWithCanonicalMapping.utf8.elementsEqual(
          text.precomposedStringWithCanonicalMapping.utf8))
    }
  }

  @Test(arguments: ["[c]", "[d]", "[cd]"])
  func `searches take time in proportion to the accents`(_ options: String) throws {
    let model = try TestModels.people()
    let factory = RowFactory(model)
    for comparison in ["CONTAINS", "BEGINSWITH", "==", "LIKE", "MATCHES"] {
      // A regular expression has at most 5,000 steps, one for each accent that counts.
      let growth = try Growth.ofFourfold(comparison == "MATCHES" ? 600 : 1_500) { count in
        let text = Self.letter(count)
        let row = factory.row("Person", 1, ["name": .text(text)])
        return {
          let node = try PredicateNode(format: "name \(comparison)\(options) %@", text)
          let predicate = try node.bound(to: model.entity("Person"))
          let isSelected = try withExtendedLifetime(row) {
            try RowEvaluation(NoRows()).holds(predicate, [row.row])
          }
          #expect(isSelected == [true])
        }
      }
      #expect(growth < Growth.limit, "\(comparison)")
    }
  }

  @Test func `what is left without accents is the letter`() {
    #expect(TextFold(.ignoringCaseAndDiacritics)(Self.letter(100)) == "a")
  }

  @Test func `a name of accents is looked for in proportion`() throws {
    let growth = try Growth.ofFourfold(1_500) { count in
      let name = Self.letter(count)
      return {
        for format in ["\(name)(s) > 1", "\(name) > 1", "\(name):(s) > 1", "x.\(name) > 1"] {
          _ = try? PredicateNode(format: format)
        }
      }
    }
    #expect(growth < Growth.limit)
  }

  @Test func `nothing is suggested for a name that nobody types`() throws {
    let long = String(repeating: "a", count: 101)
    #expect(Suggestion.hint(for: long, among: [long, "name"]).isEmpty)
    #expect(Suggestion.hint(for: "nmae", among: [long, "name"]) == "Did you mean \"name\"?")
    let growth = try Growth.ofFourfold(1_000) { count in
      let name = Self.letter(count)
      return { _ = Suggestion.hint(for: name, among: [name, "name"]) }
    }
    #expect(growth < Growth.limit)
  }
}

/// No other row: conditions on a row alone ask for none.
private struct NoRows: RowSource {
  func rows(_ keys: [Int64], of entity: EntityLayout) -> RowSet { RowSet() }

  func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) -> RowSet { RowSet() }
}
