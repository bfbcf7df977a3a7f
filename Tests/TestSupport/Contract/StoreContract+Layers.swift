import CauldronModel
import CauldronStore
import Testing

extension StoreContract {
  static let layers = [
    Promise("undoes a layer that fails, and writes the others") { (harness) throws in
      let person = harness.row("Person", 1, ["email": .text("a@b")])
      try harness.mustSave(harness.changes(inserted: [person]))
      let update = harness.factory.update(person.row, ["age": .integer(5)])
      let failing = harness.changes(
        inserted: [harness.row("Company", 1), harness.row("Person", 2, ["email": .text("a@b")])],
        updated: [update])
      let good = harness.changes(inserted: [harness.row("Passport", 1)])
      let failures = try harness.save(failing, good)
      #expect(failures.map(\.?.code) == [.saveConstraint, nil])
      #expect(try harness.keys(of: "Company") == [])
      #expect(try harness.keys(of: "Passport") == [1])
      #expect(try harness.value("Person", 1, "age") == .null)
      #expect(try harness.stored("Person", 1)?.row.version == 1)
    },
    Promise("does not count the rows of a layer that failed") { (harness) throws in
      let failing = harness.changes(inserted: [harness.row("Person", 1, ["employer": .integer(9)])])
      let good = harness.changes(inserted: [harness.row("Company", 1), harness.row("Company", 2)])
      let receipt = try harness.store.save(
        SavePlan([failing, good], storeNumber: 1), willCommit: {})
      #expect(receipt.rowCount == 2)
    },
    Promise("lets a layer change and delete what an earlier one wrote") { (harness) throws in
      let person = harness.row("Person", 1, ["name": .text("jack")])
      let company = harness.row("Company", 1)
      let update = harness.factory.update(person.row, ["name": .text("jill")])
      let again = harness.factory.update(update.row, ["employer": .null, "age": .integer(3)])
      let failures = try harness.save(
        harness.changes(inserted: [person, company]), harness.changes(updated: [update]),
        harness.changes(updated: [again], deleted: [company.row]))
      #expect(failures.allSatisfy { $0 == nil })
      #expect(try harness.value("Person", 1, "name") == .text("jill"))
      #expect(try harness.stored("Person", 1)?.row.version == 3)
      #expect(try harness.keys(of: "Company") == [])
    },
    Promise("fails the layers that build on a failed one, and no others") { (harness) throws in
      let company = harness.row("Company", 1)
      let bad = harness.row("Person", 1, ["employer": .integer(99)])
      let update = harness.factory.update(company.row, ["name": .text("x")])
      let hired = harness.row("Person", 2, ["employer": .integer(1)])
      let renamed = harness.factory.update(hired.row, ["name": .text("y")])
      let failures = try harness.save(
        harness.changes(inserted: [company, bad]), harness.changes(updated: [update]),
        harness.changes(inserted: [hired]), harness.changes(updated: [renamed]),
        harness.changes(inserted: [harness.row("Person", 3)]))
      #expect(failures.map { $0 == nil } == [false, false, false, false, true])
      #expect(try harness.keys(of: "Company") == [])
      #expect(try harness.keys(of: "Person") == [3])
    },
    Promise("saves in a later plan what failed in an earlier one") { (harness) throws in
      let person = harness.changes(inserted: [harness.row("Person", 1, ["employer": .integer(9)])])
      #expect(try harness.save(person).first ?? nil != nil)
      let company = harness.changes(inserted: [harness.row("Company", 9)])
      try harness.mustSave(company, person)
      #expect(try harness.value("Person", 1, "employer") == .integer(9))
    },
  ]
}
