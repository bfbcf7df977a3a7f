import CauldronModel
import CauldronQuery
import FormatKit
import Foundation
import Testing

@Suite("Random format strings")
struct FormatFuzzTests {
  /// How many texts are read; fewer under sanitizers.
  private static let count =
    ProcessInfo.processInfo.environment["CAULDRON_FORMAT_TEXTS"].flatMap(Int.init) ?? 40_000

  @Test("Every text is a tree that prints and parses back, or an error with a position in it")
  func texts() {
    let samples = FormatSamples.good.formats + FormatSamples.bad.formats
    var fuzz = FormatFuzz(seed: 12, samples: samples)
    var trees = 0
    for _ in 0..<Self.count {
      let format = fuzz.next()
      let (finding, isTree) = FormatCheck.finding(
        format, fuzz.arguments(for: format), FormatFuzz.variables)
      if isTree { trees += 1 }
      guard let finding else { continue }
      Issue.record("\(format.debugDescription): \(finding)")
      return
    }
    // Both happen, so that both are tried.
    #expect(trees > Self.count / 20 && trees < Self.count * 9 / 10, "\(trees) of \(Self.count)")
  }

  @Test("What lies within one another is read up to 500 levels, whatever it is")
  func nesting() throws {
    for (open, inner, close) in [
      ("(", "a == 1", ")"), ("NOT (b == 1 OR ", "a == 1", ")"), ("abs:(", "a", ")"),
      ("SUBQUERY($x.a, $x, ", "TRUEPREDICATE", ").@count > 0"), ("ANY (", "a.b == 1", ")"),
      ("TERNARY(a == 1, 1, ", "2", ")"), ("(1 + ", "a", ")"),
    ] {
      let isValue = !close.hasSuffix("0") && !inner.contains("==") && inner != "TRUEPREDICATE"
      func nested(_ count: Int) -> String {
        let text =
          String(repeating: open, count: count) + inner + String(repeating: close, count: count)
        // The outermost one has no variable around it.
        return text.replacing("SUBQUERY($x.", with: "SUBQUERY(", maxReplacements: 1)
          + (isValue ? " == 1" : "")
      }
      let node = try PredicateNode(format: nested(500))
      #expect(FormatCheck.finding(node) == nil, "\(open)")
      for count in [501, 20_000] {
        let error = #expect(throws: CauldronError.self) { try PredicateNode(format: nested(count)) }
        #expect(error?.code == .queryTooDeep, "\(open)")
      }
    }
  }

  @Test("Chains of any length are flat, and chains of arithmetic are not")
  func chains() throws {
    let chain = Array(repeating: "a == 1", count: 20_000).joined(separator: " AND ")
    let node = try PredicateNode(format: chain)
    guard case .joined(let junction) = node else {
      Issue.record("no chain")
      return
    }
    #expect(junction.conditions.count == 20_000)
    let twice = String(repeating: "NOT ", count: 20_000) + "a == 1"
    #expect(try PredicateNode(format: twice) == junction.conditions[0])
    let sum = Array(repeating: "1", count: 600).joined(separator: " + ")
    let error = #expect(throws: CauldronError.self) { try PredicateNode(format: "\(sum) == a") }
    #expect(error?.code == .queryTooDeep)
  }
}
