import CauldronModel
import CauldronStore
import Foundation
import Testing

extension StoreContract {
  static let writing = [
    Promise("reads back every type as it was written") { (harness) throws in
      let values: [String: AttributeScalar] = [
        "name": .text("Zoë 🙂 \u{0} end"), "age": .integer(.min), "height": .real(1.85),
        "balance": .text("12.5"), "email": .text(""), "isActive": .integer(1),
        "birthday": .real(-86_400.25), "token": .blob(Data(0..<16)), "photo": .blob(Data()),
        "employer": .null, "passport": .null,
      ]
      try harness.mustSave(harness.changes(inserted: [harness.row("Person", 7, values)]))
      let row = try #require(try harness.stored("Person", 7))
      #expect(harness.model.entity("Person").values(of: row.row) == values)
      #expect(row.row.version == 1)
      #expect(row.row.entityNumber == harness.model.entity("Person").number)
    },
    Promise("keeps large texts and bytes") { (harness) throws in
      let text = String(repeating: "0123456789", count: 20_000)
      let photo = Data(repeating: 7, count: 300_000)
      let rows = (1...3).map {
        harness.row("Person", $0, ["name": .text("\($0)\(text)"), "photo": .blob(photo)])
      }
      try harness.mustSave(harness.changes(inserted: rows))
      #expect(try harness.value("Person", 2, "name") == .text("2\(text)"))
      #expect(try harness.value("Person", 3, "photo") == .blob(photo))
    },
    Promise("keeps nil as nil in every column") { (harness) throws in
      try harness.mustSave(harness.changes(inserted: [harness.row("Manager", 1)]))
      let row = try #require(try harness.stored("Manager", 1))
      let values = harness.model.entity("Manager").values(of: row.row)
      #expect(values.count == 13)
      #expect(values.values.allSatisfy { $0.isNull })
    },
    Promise("writes the changed values and the new version of an update") { (harness) throws in
      let row = harness.row("Employee", 1, ["name": .text("jack"), "salary": .integer(10)])
      try harness.mustSave(harness.changes(inserted: [row]))
      let update = harness.factory.update(row.row, ["name": .text("jill"), "age": .integer(5)])
      try harness.mustSave(harness.changes(updated: [update]))
      #expect(try harness.value("Employee", 1, "name") == .text("jill"))
      #expect(try harness.value("Employee", 1, "age") == .integer(5))
      #expect(try harness.value("Employee", 1, "salary") == .integer(10))
      #expect(try harness.stored("Employee", 1)?.row.version == 2)
    },
    Promise("writes nil over a value") { (harness) throws in
      let row = harness.row("Person", 1, ["name": .text("jack"), "age": .integer(5)])
      try harness.mustSave(harness.changes(inserted: [row]))
      let update = harness.factory.update(row.row, ["name": .null, "age": .null])
      try harness.mustSave(harness.changes(updated: [update]))
      #expect(try harness.value("Person", 1, "name") == .null)
      #expect(try harness.value("Person", 1, "age") == .null)
    },
    Promise("deletes rows") { (harness) throws in
      let rows = (1...3).map { harness.row("Person", $0) }
      try harness.mustSave(harness.changes(inserted: rows))
      try harness.mustSave(harness.changes(deleted: [rows[1].row]))
      #expect(try harness.keys(of: "Person") == [1, 3])
    },
    Promise("counts the rows that it wrote") { (harness) throws in
      let rows = (1...4).map { harness.row("Person", $0) }
      try harness.mustSave(harness.changes(inserted: rows))
      let update = harness.factory.update(rows[0].row, ["age": .integer(1)])
      let set = harness.changes(
        inserted: [harness.row("Company", 1)], updated: [update], deleted: [rows[1].row])
      let receipt = try harness.store.save(SavePlan([set], storeNumber: 1), willCommit: {})
      #expect(receipt.rowCount == 3)
      #expect(receipt.failures.count == 1)
    },
    Promise("calls willCommit once, while readers still see the old rows") { (harness) throws in
      var seen: [[Int64]?] = []
      try harness.save(harness.changes(inserted: [harness.row("Person", 1)])) {
        seen.append(try? harness.keys(of: "Person"))
      }
      #expect(seen == [[]])
      #expect(try harness.keys(of: "Person") == [1])
    },
    Promise("tells what a commit writes before it and after it, while nobody else can write") {
      (harness) throws in
      var told: [String] = []
      let bad = harness.changes(
        inserted: [harness.row("Person", 1, ["employer": .integer(9)])])
      let good = harness.changes(inserted: [harness.row("Person", 2)])
      let plan = SavePlan([bad, good], storeNumber: 1)
      let receipt = try harness.store.save(plan) { survivors in
        told.append("will \(survivors) \((try? harness.keys(of: "Person")) ?? [])")
      } didCommit: { receipt in
        let failures = receipt?.failures.map { $0?.code }
        #expect(failures == [.storeDanglingReference, nil])
        told.append("did \(receipt?.rowCount ?? 0) \((try? harness.keys(of: "Person")) ?? [])")
      }
      #expect(told == ["will [1] []", "did 1 [2]"])
      #expect(receipt.failures.map { $0?.code } == [.storeDanglingReference, nil])
    },
    Promise("tells of no commit where no layer can be written") { (harness) throws in
      let bad = harness.changes(
        inserted: [harness.row("Person", 1, ["employer": .integer(9)])])
      let receipt = try harness.store.save(SavePlan([bad], storeNumber: 1)) { _ in
        Issue.record("nothing is committed")
      } didCommit: { _ in
        Issue.record("nothing was committed")
      }
      #expect(receipt.survivors.isEmpty)
    },
  ]
}
