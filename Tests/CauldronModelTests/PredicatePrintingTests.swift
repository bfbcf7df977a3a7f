import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@Suite("Printing and coding conditions")
struct PredicatePrintingTests {
  static let texts: [(PredicateNode, String)] = [
    (.comparison(key: "age", .greaterOrEqual, .integer(18)), "age >= 18"),
    (
      .and([
        .comparison(key: "employer.name", .notEqual, .text("A\"c\\me\n")),
        .or([.isNil(key: "email"), .constant(false)]),
      ]), #"employer.name != "A\"c\\me\n" AND (email == NIL OR FALSEPREDICATE)"#
    ),
    (
      .text(key: "name", .beginsWith, "jö", .ignoringCaseAndDiacritics),
      "name BEGINSWITH[cd] \"jö\""
    ),
    (
      .not(.quantified(.any, "skills", .comparison(key: "level", .greater, .integer(3)))),
      "NOT SUBQUERY(skills, $x, $x.level > 3).@count > 0"
    ),
    (
      .comparison(
        .arithmetic(
          .multiply, .arithmetic(.add, .property("a"), .value(.real(0.5))), .property("in")),
        .less, .aggregate(.average, of: "skills", .property("level")), []),
      "(a + 0.5) * #in < skills.@avg.level"
    ),
    (.isIn(key: "age", [.integer(1), .null]), "age IN {1, NIL}"),
    (.not(.isNil(key: "age")), "age != NIL"),
    (.not(.comparison(key: "age", .equal, .null)), "age != NIL"),
    (.not(.comparison(key: "age", .notEqual, .null)), "age == NIL"),
    (
      .quantified(.all, "staff", .comparison(key: "age", .notEqual, .null)),
      "SUBQUERY(staff, $x, $x.age == NIL).@count == 0"
    ),
    (
      .quantified(
        .all, "staff",
        .or([.isNil(key: "name"), .quantified(.none, "skills", .constant(true))])),
      "SUBQUERY(staff, $x, NOT ($x.name == NIL OR SUBQUERY($x.skills, $x2, TRUEPREDICATE).@count"
        + " == 0)).@count == 0"
    ),
    (
      .comparison(key: "height", .equal, .real(.infinity)),
      "height == CAST(\"inf\", \"Double\")"
    ),
  ]

  @Test("A condition prints as a format string", arguments: texts)
  func printing(_ node: PredicateNode, _ text: String) {
    #expect("\(node)" == text)
  }

  @Test("A condition is the same after it was encoded and decoded")
  func coding() throws {
    let model = try TestModels.people()
    var queries = RandomQueries(seed: 9)
    for (node, _) in Self.texts { try check(node) }
    for _ in 0..<500 { try check(queries.predicate(model.entity("Company"), depth: 4)) }
    // JSON has no digit for NaN, which must be kept all the same.
    let data = try JSONEncoder().encode(AttributeScalar.real(.nan))
    guard case .real(let number) = try JSONDecoder().decode(AttributeScalar.self, from: data) else {
      Issue.record("no number")
      return
    }
    #expect(number.isNaN)
  }

  private func check(_ node: PredicateNode) throws {
    let data = try JSONEncoder().encode(node)
    #expect(try JSONDecoder().decode(PredicateNode.self, from: data) == node)
  }
}
