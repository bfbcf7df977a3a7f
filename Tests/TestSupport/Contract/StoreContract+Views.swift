import CauldronModel
import CauldronStore
import Testing

extension StoreContract {
  static let views = [
    Promise("a pinned reader sees one moment, whatever is saved since") { (harness) throws in
      let rows = (1...2).map { harness.row("Person", $0, ["name": .text("jack")]) }
      try harness.mustSave(harness.changes(inserted: rows))
      let reader = try harness.store.reader()
      defer { reader.finish() }
      try reader.pin()
      let update = harness.factory.update(rows[0].row, ["name": .text("jill")])
      try harness.mustSave(
        harness.changes(
          inserted: [harness.row("Person", 3)], updated: [update], deleted: [rows[1].row]))
      let query = try harness.query("Person")
      let person = harness.model.entity("Person")
      let list = try reader.fetch(query)
      #expect(list.map(\.key) == [1, 2])
      #expect(list.map { person.value("name", in: $0) } == [.text("jack"), .text("jack")])
      #expect(try reader.count(query) == 2)
      #expect(try reader.rows([2, 3], of: person).map(\.key) == [2])
      #expect(try harness.keys(of: "Person") == [1, 3])
    },
    Promise("a reader that is not pinned sees each save") { (harness) throws in
      let reader = try harness.store.reader()
      defer { reader.finish() }
      let query = try harness.query("Person")
      #expect(try reader.count(query) == 0)
      try harness.mustSave(harness.changes(inserted: [harness.row("Person", 1)]))
      #expect(try reader.count(query) == 1)
    },
    Promise("rows stay readable after their reader and their deletion") { (harness) throws in
      let row = harness.row("Person", 1, ["name": .text("jack")])
      try harness.mustSave(harness.changes(inserted: [row]))
      let list = try harness.fetch(harness.query("Person"))
      try harness.mustSave(harness.changes(deleted: [row.row]))
      let person = harness.model.entity("Person")
      #expect(list.map { person.value("name", in: $0) } == [.text("jack")])
      #expect(list.withRows { $0.allSatisfy { list.memory.holds($0.block) } })
    },
  ]
}
