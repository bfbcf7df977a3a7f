import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@Suite("Predicates in memory")
struct RowTestTests {
  private let model: ManagedObjectModel
  private let person: EntityLayout
  private let factory: RowFactory

  init() throws {
    model = try TestModels.people()
    person = model.entity("Person")
    factory = RowFactory(model)
  }

  @Test("Random predicates select the rows that the naive oracle selects", arguments: 0..<50)
  func differential(seed: UInt64) throws {
    var people = RandomPeople(seed: seed)
    let oracle = QueryOracle(model)
    let rows = (1...30).map { people.row($0) }
    let packed = rows.map { factory.row($0.entity, $0.key, $0.values) }
    var selected = 0
    try withEvery("predicate", in: 0..<100) { _ in
      let node = people.predicate()
      let sort = people.sort()
      var query = StoreQuery(entity: person)
      query.predicate = try node.bound(to: person)
      query.sort = sort.map {
        .init(property: person.property($0.key), ascending: $0.ascending)
      }
      let matcher = QueryMatcher(query)
      let found = packed.map(\.row).filter(matcher.selects).sorted(by: matcher.precedes)
      #expect(found.map(\.key) == oracle.fetch(rows, where: node, by: sort), Trace.comment)
      let plain = packed.map(\.row).filter(query.selects).sorted(by: query.precedes)
      #expect(plain == found, Trace.comment)
      selected += found.count
    }
    #expect((300..<2_700).contains(selected), "the predicates select neither nothing nor all")
  }

  @Test("A comparison with nil is false, but for == nil and != value")
  func nils() throws {
    let row = factory.row("Person", 1)
    #expect(try holds(.comparison(key: "age", .equal, .null), row))
    #expect(try holds(.comparison(key: "age", .notEqual, .integer(5)), row))
    #expect(try !holds(.comparison(key: "age", .notEqual, .null), row))
    #expect(try !holds(.comparison(key: "age", .less, .integer(5)), row))
    #expect(try !holds(.comparison(key: "age", .lessOrEqual, .null), row))
    #expect(try holds(.not(.comparison(key: "age", .greater, .integer(5))), row))
    #expect(try !holds(.text(key: "name", .beginsWith, ""), row))
    #expect(try !holds(.isIn(key: "age", [.integer(5)]), row))
    #expect(try holds(.isIn(key: "age", [.integer(5), .null]), row))
  }

  @Test("NaN counts as nil in rows and in predicates")
  func notANumber() throws {
    let row = factory.row("Person", 1, ["height": .real(.nan)])
    #expect(try holds(.comparison(key: "height", .equal, .null), row))
    #expect(try holds(.comparison(key: "height", .equal, .real(.nan)), row))
    #expect(try holds(.comparison(key: "height", .notEqual, .real(1)), row))
    #expect(try !holds(.comparison(key: "height", .less, .real(1)), row))
    #expect(try holds(.isIn(key: "height", [.real(.nan)]), row))
  }

  @Test("Integers and reals compare exactly where a double has too few digits")
  func exact() throws {
    let row = factory.row("Person", 1, ["age": .integer(1 << 53 + 1)])
    #expect(try holds(.comparison(key: "age", .greater, .real(0x1p53)), row))
    #expect(try !holds(.comparison(key: "age", .equal, .real(0x1p53)), row))
    let largest = factory.row("Person", 2, ["age": .integer(.max)])
    #expect(try holds(.comparison(key: "age", .less, .real(0x1p63)), largest))
    #expect(try holds(.comparison(key: "age", .greater, .real(-.infinity)), largest))
  }

  @Test("A real is compared with an integer that no real is")
  func between() throws {
    let row = factory.row("Person", 1, ["height": .real(0x1p53)])
    let next = AttributeScalar.integer(1 << 53 + 1)
    #expect(try !holds(.comparison(key: "height", .equal, next), row))
    #expect(try holds(.comparison(key: "height", .notEqual, next), row))
    #expect(try holds(.comparison(key: "height", .less, next), row))
    #expect(try !holds(.comparison(key: "height", .greaterOrEqual, next), row))
    #expect(try !holds(.isIn(key: "height", [next, .real(1)]), row))
    #expect(try holds(.isIn(key: "height", [next, .integer(1 << 53)]), row))
    let greatest = factory.row("Person", 2, ["height": .real(0x1p63)])
    #expect(try holds(.comparison(key: "height", .greater, .integer(.max)), greatest))
  }

  @Test("Decimals compare with numbers of any kind")
  func decimalsWithNumbers() throws {
    let row = factory.row("Person", 1, ["balance": .text("9.5")])
    #expect(try holds(.comparison(key: "balance", .less, .integer(10)), row))
    #expect(try holds(.comparison(key: "balance", .equal, .real(9.5)), row))
    #expect(try holds(.isIn(key: "balance", [.integer(1), .real(9.5)]), row))
    #expect(try !holds(.isIn(key: "balance", [.integer(9)]), row))
  }

  @Test("Decimals compare as numbers, not as texts")
  func decimals() throws {
    let row = factory.row("Person", 1, ["balance": .text("9.50")])
    #expect(try holds(.comparison(key: "balance", .less, .text("10")), row))
    #expect(try holds(.comparison(key: "balance", .equal, .text("9.5")), row))
    #expect(try holds(.isIn(key: "balance", [.text("95e-1")]), row))
    let blank = factory.row("Person", 2, ["balance": .text("NaN")])
    #expect(try holds(.comparison(key: "balance", .equal, .null), blank))
  }

  @Test("Text is compared byte by byte, so composed and decomposed letters differ")
  func bytes() throws {
    let row = factory.row("Person", 1, ["name": .text("ä")])
    #expect(try holds(.comparison(key: "name", .equal, .text("ä")), row))
    #expect(try !holds(.comparison(key: "name", .equal, .text("a\u{308}")), row))
    #expect(try holds(.comparison(key: "name", .greater, .text("a\u{308}")), row))
    #expect(try !holds(.text(key: "name", .contains, "a"), row))
  }

  @Test("Membership tells composed and decomposed letters apart")
  func byteMembership() throws {
    let letters: [AttributeScalar] = [.text("ä"), .text("a\u{308}")]
    for letter in letters {
      let row = factory.row("Person", 1, ["name": letter])
      #expect(try holds(.isIn(key: "name", letters), row))
      #expect(try !holds(.isIn(key: "name", letters.filter { $0 != letter }), row))
    }
  }

  @Test("A search finds a part that begins inside a failed attempt")
  func overlapping() throws {
    let row = factory.row("Person", 1, ["name": .text("aaab")])
    #expect(try holds(.text(key: "name", .contains, "aab"), row))
    #expect(try holds(.text(key: "name", .endsWith, "aab"), row))
    #expect(try !holds(.text(key: "name", .beginsWith, "aab"), row))
    #expect(try !holds(.text(key: "name", .contains, "aaaab"), row))
  }

  private func holds(_ node: PredicateNode, _ row: HeldRow) throws -> Bool {
    try node.bound(to: person).matches(row.row)
  }
}
