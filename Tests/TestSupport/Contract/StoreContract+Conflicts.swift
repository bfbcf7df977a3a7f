import CauldronModel
import Testing

extension StoreContract {
  static let conflicts = [
    Promise("refuses to update a row that changed since it was read") { (harness) throws in
      let row = harness.row("Person", 7, ["name": .text("jack"), "age": .integer(1)])
      try harness.mustSave(harness.changes(inserted: [row]))
      let first = harness.factory.update(row.row, ["name": .text("jill")])
      let second = harness.factory.update(row.row, ["age": .integer(2)])
      try harness.mustSave(harness.changes(updated: [first]))
      let error = try harness.failure(of: harness.changes(updated: [second]))
      #expect(error.code == .saveConflict)
      #expect(
        error.message == "Cannot save Person \(harness.uri("Person", 7)): changed since it was"
          + " read (version 1, store has 2). Fields that differ: name.")
      #expect(error.entity == "Person")
      #expect(error.objectIDs == [harness.id("Person", 7)])
      #expect(try harness.value("Person", 7, "age") == .integer(1))
    },
    Promise("refuses to delete a row that changed since it was read") { (harness) throws in
      let row = harness.row("Person", 7)
      try harness.mustSave(harness.changes(inserted: [row]))
      let update = harness.factory.update(row.row, ["age": .integer(2)])
      try harness.mustSave(harness.changes(updated: [update]))
      let error = try harness.failure(of: harness.changes(deleted: [row.row]))
      #expect(error.code == .saveConflict)
      #expect(error.message.hasSuffix("(version 1, store has 2). Fields that differ: age."))
      #expect(try harness.keys(of: "Person") == [7])
    },
    Promise("refuses to update or delete a row that is gone") { (harness) throws in
      let row = harness.row("Manager", 7)
      try harness.mustSave(harness.changes(inserted: [row]))
      try harness.mustSave(harness.changes(deleted: [row.row]))
      let update = harness.factory.update(row.row, ["age": .integer(2)])
      for set in [harness.changes(updated: [update]), harness.changes(deleted: [row.row])] {
        let error = try harness.failure(of: set)
        #expect(error.code == .saveConflict)
        #expect(error.message.contains("Manager \(harness.uri("Manager", 7)): deleted since"))
        #expect(error.objectIDs == [harness.id("Manager", 7)])
      }
      #expect(try harness.keys(of: "Person") == [])
    },
  ]
}
