import CauldronModel
import CauldronStore
import Testing

extension StoreContract {
  static let owners = [
    Promise("lets the versions of a new and a former owner grow, and no other") {
      (harness) throws in
      let people = (1...4).map { harness.row("Person", $0, ["employer": .integer($0 % 2 + 1)]) }
      let companies = (1...3).map { harness.row("Company", $0) }
      try harness.mustSave(harness.changes(inserted: companies + people))
      // What is written anyway has its version already.
      #expect(try harness.companyVersions() == [1, 1, 1])
      let moved = harness.factory.update(people[0].row, ["employer": .integer(3)])
      let receipt = try harness.store.save(
        SavePlan([harness.changes(updated: [moved])], storeNumber: 1), willCommit: {})
      #expect(try harness.companyVersions() == [1, 2, 2])
      #expect(receipt.owners.map(\.entity.name) == ["Company"])
      #expect(receipt.owners.map(\.keys) == [[2, 3]])
    },
    Promise("lets the version of an owner grow once for each save, by each kind of change") {
      (harness) throws in
      let company = harness.row("Company", 1)
      let people = (1...2).map { harness.row("Person", $0, ["employer": .integer(1)]) }
      try harness.mustSave(harness.changes(inserted: [company] + people))
      let more = (3...4).map { harness.row("Employee", $0, ["employer": .integer(1)]) }
      try harness.mustSave(
        harness.changes(inserted: [more[0]]), harness.changes(inserted: [more[1]]))
      #expect(try harness.companyVersions() == [2])
      try harness.mustSave(harness.changes(deleted: people.map(\.row)))
      #expect(try harness.companyVersions() == [3])
      let left = harness.factory.update(more[0].row, ["employer": .null])
      try harness.mustSave(harness.changes(updated: [left]))
      #expect(try harness.companyVersions() == [4])
    },
    Promise("lets no version grow where a reference ends as it began, or is not changed") {
      (harness) throws in
      let person = harness.row("Person", 1, ["employer": .integer(1)])
      try harness.mustSave(harness.changes(inserted: [harness.row("Company", 1), person]))
      let same = harness.factory.update(person.row, ["employer": .integer(1)])
      try harness.mustSave(harness.changes(updated: [same]))
      let renamed = harness.factory.update(same.row, ["name": .text("x")])
      try harness.mustSave(harness.changes(updated: [renamed]))
      #expect(try harness.companyVersions() == [1])
    },
    Promise("lets no version grow for a layer that failed") { (harness) throws in
      let person = harness.row("Person", 1, ["email": .text("a@b")])
      try harness.mustSave(harness.changes(inserted: [harness.row("Company", 1), person]))
      let twin = harness.row("Person", 2, ["email": .text("a@b"), "employer": .integer(1)])
      #expect(try harness.failure(of: harness.changes(inserted: [twin])).code == .saveConstraint)
      #expect(try harness.companyVersions() == [1])
    },
    Promise("writes an owner and what leads to it, of which it writes the version itself") {
      (harness) throws in
      let company = harness.row("Company", 1)
      try harness.mustSave(harness.changes(inserted: [company]))
      let renamed = harness.factory.update(company.row, ["name": .text("x")])
      let person = harness.row("Person", 1, ["employer": .integer(1)])
      let receipt = try harness.store.save(
        SavePlan(
          [harness.changes(inserted: [person]), harness.changes(updated: [renamed])],
          storeNumber: 1), willCommit: {})
      #expect(receipt.owners.isEmpty)
      #expect(try harness.companyVersions() == [2])
      try harness.mustSave(
        harness.changes(updated: [harness.factory.update(renamed.row, ["name": .text("y")])]))
    },
  ]
}

extension StoreHarness {
  /// The versions of all companies, in key order.
  fileprivate func companyVersions() throws -> [Int32] {
    try keys(of: "Company").compactMap { try stored("Company", $0)?.row.version }
  }
}
