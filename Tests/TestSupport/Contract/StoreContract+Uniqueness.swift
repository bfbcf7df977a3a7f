import CauldronModel
import Testing

extension StoreContract {
  static let uniqueness = [
    Promise("refuses a unique value that another row of its hierarchy has") { (harness) throws in
      try harness.mustSave(
        harness.changes(inserted: [harness.row("Person", 2, ["email": .text("a@b")])]))
      let twin = harness.row("Manager", 3, ["email": .text("a@b")])
      let error = try harness.failure(of: harness.changes(inserted: [twin]))
      #expect(error.code == .saveConstraint)
      #expect(
        error.message == "Cannot save Manager: email must be unique;"
          + " \(harness.uri("Person", 2)) has the same value.")
      #expect(error.property == "email")
      #expect(error.objectIDs.contains(harness.id("Manager", 3)))
      #expect(try harness.keys(of: "Person") == [2])
    },
    Promise("refuses an update to a unique value that another row has") { (harness) throws in
      let rows = (1...2).map { harness.row("Person", $0, ["email": .text("\($0)@b")]) }
      try harness.mustSave(harness.changes(inserted: rows))
      let update = harness.factory.update(rows[0].row, ["email": .text("2@b")])
      #expect(try harness.failure(of: harness.changes(updated: [update])).code == .saveConstraint)
      #expect(try harness.value("Person", 1, "email") == .text("1@b"))
    },
    Promise("takes any number of rows without the unique value") { (harness) throws in
      try harness.mustSave(harness.changes(inserted: (1...3).map { harness.row("Person", $0) }))
      #expect(try harness.keys(of: "Person") == [1, 2, 3])
    },
    Promise("takes equal parts of a compound unique value, but not the whole") { (harness) throws in
      let rows = [("de", 1), ("de", 2), ("at", 1)].enumerated().map { position, value in
        harness.row(
          "Passport", Int64(position + 1),
          ["country": .text(value.0), "number": .integer(Int64(value.1))])
      }
      try harness.mustSave(harness.changes(inserted: rows))
      let twin = harness.row("Passport", 9, ["country": .text("at"), "number": .integer(1)])
      #expect(try harness.failure(of: harness.changes(inserted: [twin])).code == .saveConstraint)
    },
    Promise("lets a unique value move from a deleted row to a new one") { (harness) throws in
      let old = harness.row("Person", 1, ["email": .text("a@b")])
      try harness.mustSave(harness.changes(inserted: [old]))
      let new = harness.row("Person", 2, ["email": .text("a@b")])
      try harness.mustSave(harness.changes(inserted: [new], deleted: [old.row]))
      #expect(try harness.keys(of: "Person") == [2])
    },
    Promise("frees the unique value of a layer that failed") { (harness) throws in
      let company = harness.row("Person", 1, ["email": .text("a@b"), "employer": .integer(99)])
      #expect(try harness.save(harness.changes(inserted: [company])).first ?? nil != nil)
      let other = harness.row("Person", 2, ["email": .text("a@b")])
      try harness.mustSave(harness.changes(inserted: [other]))
      #expect(try harness.keys(of: "Person") == [2])
    },
  ]
}
