import CauldronModel
import Testing

extension StoreContract {
  /// Bells that only cats have, among other animals.
  @Sendable private static func cats() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(name: "Animal", properties: []),
      EntityDescription(
        name: "Cat", superentity: "Animal",
        properties: [TestModels.toMany("bells", "Bell", inverse: "cat")]),
      EntityDescription(name: "Dog", superentity: "Animal", properties: []),
      EntityDescription(name: "Lion", superentity: "Cat", properties: []),
      EntityDescription(
        name: "Bell", properties: [TestModels.toOne("cat", "Cat", inverse: "bells")]),
    ])
  }

  static let references = [
    Promise("reads back which entity a reference into a hierarchy leads to") { (harness) throws in
      let manager = harness.row("Manager", 3)
      let passport = harness.row("Passport", 1, ["holder": .integer(3)])
      let slot = try #require(harness.model.entity("Passport").property("holder").entitySlot)
      let number = Int64(harness.model.entity("Manager").number)
      passport.row.setCompanion(number, at: slot)
      try harness.mustSave(harness.changes(inserted: [manager, passport]))
      let stored = try #require(try harness.stored("Passport", 1))
      #expect(harness.model.entity("Passport").value("holder", in: stored.row) == .integer(3))
      #expect(stored.row.slot(slot) == number)
    },
    Promise("refuses a reference to a row that does not exist") { (harness) throws in
      let person = harness.row("Person", 1, ["employer": .integer(12)])
      let error = try harness.failure(of: harness.changes(inserted: [person]))
      #expect(error.code == .storeDanglingReference)
      #expect(error.entity == "Person")
      #expect(error.property == "employer")
      #expect(error.message.contains(harness.uri("Company", 12)))
      #expect(try harness.keys(of: "Person") == [])
    },
    Promise("refuses a reference to a row of another entity of the hierarchy", model: cats) {
      (harness) throws in
      let animals = ["Animal", "Cat", "Dog", "Lion"].enumerated().map {
        harness.row($1, Int64($0 + 1))
      }
      try harness.mustSave(harness.changes(inserted: animals))
      for (key, isCat) in [(1, false), (2, true), (3, false), (4, true)] {
        let bell = harness.row("Bell", Int64(key), ["cat": .integer(Int64(key))])
        let failure = try harness.save(harness.changes(inserted: [bell])).first ?? nil
        #expect(failure?.code == (isCat ? nil : .storeDanglingReference))
      }
      #expect(try harness.keys(of: "Bell") == [2, 4])
    },
    Promise("takes a reference to a row of the same or an earlier layer") { (harness) throws in
      let company = harness.changes(inserted: [harness.row("Company", 1)])
      let first = harness.changes(
        inserted: [
          harness.row("Company", 2), harness.row("Person", 1, ["employer": .integer(1)]),
          harness.row("Person", 2, ["employer": .integer(2)]),
        ])
      #expect(try harness.save(company, first).allSatisfy { $0 == nil })
      #expect(try harness.value("Person", 1, "employer") == .integer(1))
    },
    Promise("refuses to delete what a row still refers to") { (harness) throws in
      let company = harness.row("Company", 4)
      let person = harness.row("Employee", 9, ["employer": .integer(4)])
      try harness.mustSave(harness.changes(inserted: [company, person]))
      let error = try harness.failure(of: harness.changes(deleted: [company.row]))
      #expect(error.code == .storeDanglingReference)
      #expect(error.message.contains(harness.uri("Company", 4)))
      #expect(error.message.contains(harness.uri("Employee", 9)))
      #expect(try harness.keys(of: "Company") == [4])
    },
    Promise("deletes what no row refers to any more after the layer") { (harness) throws in
      let company = harness.row("Company", 4)
      let people = (1...2).map { harness.row("Person", $0, ["employer": .integer(4)]) }
      try harness.mustSave(harness.changes(inserted: [company] + people))
      let moved = harness.factory.update(people[0].row, ["employer": .null])
      let set = harness.changes(updated: [moved], deleted: [company.row, people[1].row])
      try harness.mustSave(set)
      #expect(try harness.keys(of: "Company") == [])
      #expect(try harness.value("Person", 1, "employer") == .null)
    },
  ]
}
