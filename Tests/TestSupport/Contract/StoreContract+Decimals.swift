import CauldronModel
import CauldronQuery
import Testing

extension StoreContract {
  /// Groups of texts that stand for one number, in ascending order.
  private static let numbers: [[String]] = [
    ["-12345678901234567890", "-12345678901234600000"],
    ["-9223372036854775808"],
    ["-0.12345678901234612", "-0.123456789012346"],
    ["0", "0.0", "-0"],
    ["0.00000000001234567890123456", "0.0000000000123456789012346"],
    ["0.1"],
    ["0.123456789012345", "0.1234567890123454999"],
    ["0.123456789012346", "0.12345678901234612", "0.1234567890123457"],
    ["0.3333333333333333333333", "0.333333333333333"],
    ["12.5", "12.50"],
    ["1234567890123.41", "1234567890123.4099999"],
    ["1234567890123.45"],
    ["123456789012345678"],
    ["123456789012345679"],
    ["9223372036854775806"],
    ["9223372036854775807"],
    ["9223372036854775999", "9223372036854780000"],
    ["100000000000000000000000000000"],
  ]

  static let decimals = [
    Promise("compares decimals as far as they are kept, however many digits they have") {
      (harness) throws in
      var key: Int64 = 0
      var groups: [[Int64]] = []
      for texts in numbers {
        var keys: [Int64] = []
        for text in texts {
          key += 1
          keys.append(key)
          let row = harness.row("Person", key, ["balance": .text(text)])
          try harness.mustSave(harness.changes(inserted: [row]))
        }
        groups.append(keys)
      }
      for (position, texts) in numbers.enumerated() {
        let below = groups[..<position].flatMap { $0 }
        let above = groups[(position + 1)...].flatMap { $0 }
        for text in texts {
          let expected: [(PredicateNode.ComparisonOperator, [Int64])] = [
            (.equal, groups[position]), (.notEqual, below + above), (.less, below),
            (.lessOrEqual, below + groups[position]), (.greater, above),
            (.greaterOrEqual, groups[position] + above),
          ]
          for (comparison, keys) in expected {
            let node = PredicateNode.comparison(key: "balance", comparison, .text(text))
            let found = try harness.fetch(harness.query("Person", where: node)).map(\.key)
            #expect(found == keys.sorted(), "\(comparison) \(text)")
          }
          let node = PredicateNode.isIn(key: "balance", [.text(text), .text("77")])
          let found = try harness.fetch(harness.query("Person", where: node)).map(\.key)
          #expect(found == groups[position], "in \(text)")
        }
      }
      var query = try harness.query("Person")
      query.sort = [
        .init(property: harness.model.entity("Person").property("balance"), ascending: true)
      ]
      #expect(try harness.fetch(query).map(\.key) == groups.flatMap { $0 })
    }
  ]
}
