import CauldronModel
import CauldronQuery
import CauldronStore
import Foundation
import Testing

extension StoreContract {
  static let reading = [
    Promise("fetches an entity with its subentities, or alone") { (harness) throws in
      let entities = ["Person", "Manager", "Employee", "Person"]
      let rows = entities.enumerated().map { harness.row($1, Int64($0 + 1)) }
      try harness.mustSave(harness.changes(inserted: rows))
      #expect(try harness.keys(of: "Person") == [1, 2, 3, 4])
      #expect(try harness.keys(of: "Employee") == [2, 3])
      var query = try harness.query("Person")
      query.includesSubentities = false
      #expect(try harness.fetch(query).map(\.key) == [1, 4])
    },
    Promise("sorts nil first ascending and last descending, ties by key") { (harness) throws in
      let ages: [AttributeScalar] = [.integer(3), .null, .integer(1), .integer(3), .null]
      let rows = ages.enumerated().map { harness.row("Person", Int64($0 + 1), ["age": $1]) }
      try harness.mustSave(harness.changes(inserted: rows.reversed()))
      var query = try harness.query("Person")
      let age = harness.model.entity("Person").property("age")
      query.sort = [.init(property: age, ascending: true)]
      #expect(try harness.fetch(query).map(\.key) == [2, 5, 3, 1, 4])
      query.sort = [.init(property: age, ascending: false)]
      #expect(try harness.fetch(query).map(\.key) == [1, 4, 3, 2, 5])
    },
    Promise("sorts text by its bytes") { (harness) throws in
      let names = ["b", "B", "ä", "a", "ab", "🙂", "\u{FFFD}", ""]
      let rows = names.enumerated().map {
        harness.row("Company", Int64($0 + 1), ["name": .text($1)])
      }
      try harness.mustSave(harness.changes(inserted: rows))
      var query = try harness.query("Company")
      let company = harness.model.entity("Company")
      query.sort = [.init(property: company.property("name"), ascending: true)]
      let sorted = try harness.fetch(query).map { company.value("name", in: $0) }
      #expect(sorted == ["", "B", "a", "ab", "b", "ä", "\u{FFFD}", "🙂"].map { .text($0) })
    },
    Promise("applies offset and limit after the order, to rows and counts") { (harness) throws in
      try harness.mustSave(harness.changes(inserted: (1...9).map { harness.row("Person", $0) }))
      let pages: [(Int?, Int, [Int64])] = [
        (3, 0, [1, 2, 3]), (3, 7, [8, 9]), (nil, 6, [7, 8, 9]), (0, 0, []), (5, 9, []),
      ]
      for (limit, offset, keys) in pages {
        var query = try harness.query("Person")
        query.limit = limit
        query.offset = offset
        #expect(try harness.fetch(query).map(\.key) == keys)
        let reader = try harness.store.reader()
        defer { reader.finish() }
        #expect(try reader.count(query) == keys.count)
      }
    },
    Promise("reads rows of an entity by key, those that exist, each once") { (harness) throws in
      let rows = [harness.row("Person", 1), harness.row("Manager", 5), harness.row("Person", 6)]
      try harness.mustSave(harness.changes(inserted: rows))
      let reader = try harness.store.reader()
      defer { reader.finish() }
      let person = harness.model.entity("Person")
      let list = try reader.rows([5, 1, 5, 77], of: person)
      #expect(list.map(\.key).sorted() == [1, 5])
      #expect(try reader.rows([], of: person).isEmpty)
      let employee = harness.model.entity("Employee")
      #expect(try reader.rows([1, 5], of: employee).map(\.key) == [5])
      #expect(try reader.rows([1], of: employee).isEmpty)
      #expect(try reader.rows(Array(1...3_000), of: person).count == 3)
    },
    Promise("selects what the naive oracle selects, in its order") { (harness) throws in
      var people = RandomPeople(seed: 11)
      let oracle = QueryOracle(harness.model)
      let companies = (1...5).map { harness.row("Company", $0) }
      let rows = (1...30).map { people.row($0) }
      let packed = rows.map { harness.row($0.entity, $0.key, $0.values) }
      try harness.mustSave(harness.changes(inserted: companies + packed))
      let person = harness.model.entity("Person")
      try withEvery("predicate", in: 0..<300) { _ in
        let node = people.predicate()
        let sort = people.sort()
        var query = try harness.query("Person", where: node)
        query.sort = sort.map {
          .init(property: person.property($0.key), ascending: $0.ascending)
        }
        let expected = oracle.fetch(rows, where: node, by: sort)
        #expect(try harness.fetch(query).map(\.key) == expected, Trace.comment)
      }
    },
  ]
}
