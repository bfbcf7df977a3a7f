import CauldronModel
import CauldronQuery
import Testing

extension StoreContract {
  static let sections: [Promise] = [
    Promise("Sorts and selects by what lists make sections of") { harness in
      let values = randomValues()
      try harness.mustSave(
        harness.changes(
          inserted: values.enumerated().map {
            harness.row("Person", Int64($0 + 1), ["name": $1.name, "birthday": $1.date])
          }))
      for (transform, name) in transforms {
        let property = harness.model.entity("Person").property(name)
        let section = BoundExpression.section(transform, .attribute(property))
        let expected = values.map { transform.apply(name == "name" ? $0.name : $0.date) }
        for isAscending in [true, false] {
          var query = try harness.query("Person")
          query.sort = [StoreQuery.SortKey(section, ascending: isAscending)]
          let order = expected.indices.sorted { a, b in
            let order = ScalarOrder.order(expected[a], expected[b])
            return order == 0 ? a < b : (order < 0) == isAscending
          }
          #expect(try harness.fetch(query).map(\.key) == order.map { Int64($0 + 1) })
          query.limit = 7
          query.offset = 3
          let page = order.dropFirst(3).prefix(7)
          #expect(try harness.fetch(query).map(\.key) == page.map { Int64($0 + 1) })
        }
        for wanted in Set(expected) {
          var query = try harness.query("Person")
          query.predicate = .compare(section, .equal, .constant(wanted))
          let found = expected.indices.filter { expected[$0] == wanted }
          #expect(try harness.fetch(query).map(\.key) == found.map { Int64($0 + 1) })
        }
      }
    }
  ]

  private static let transforms: [(SectionTransform, String)] = [
    (.firstLetter, "name"), (.day(timeZone: "Europe/Berlin"), "birthday"),
    (.day(timeZone: "America/New_York"), "birthday"), (.day(timeZone: "GMT"), "birthday"),
    (.month(timeZone: "Europe/Berlin"), "birthday"), (.month(timeZone: "GMT"), "birthday"),
  ]

  /// Names of few letters, and dates of few days, round changes of the clock and before 2001.
  private static func randomValues() -> [(name: AttributeScalar, date: AttributeScalar)] {
    var random = SeededGenerator(seed: 133)
    let letters = ["a", "Ä", "A\u{308}", "ß", "z", "한", "\u{301}", "", "1", " ", "É", "👨‍👩‍👧"]
    // 2024-03-31 and 2024-11-03, 2001-01-01 and 1995-10-29, each at midnight by GMT.
    let days: [Double] = [733_536_000, 752_284_800, 0, -163_123_200]
    return (0..<300).map { _ in
      let name = (0..<Int.random(in: 0...3, using: &random)).map { _ in random.pick(letters) }
      var seconds = random.pick(days) + Double.random(in: -200_000...200_000, using: &random)
      // Whole seconds are kept as integers.
      if random.once(in: 3) { seconds.round() }
      return (
        random.once(in: 9) ? .null : .text(name.joined()),
        random.once(in: 9) ? .null : .real(seconds)
      )
    }
  }
}
