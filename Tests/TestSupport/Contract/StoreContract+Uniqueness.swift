import CauldronModel
import CauldronStore
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
        error.message == "Cannot save Manager \(harness.uri("Manager", 3)): email must be unique;"
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
    Promise("lets unique values move on from row to row, and rows swap theirs") {
      (harness) throws in
      let entities = ["Person", "Manager", "Employee", "Person"]
      let rows = entities.enumerated().map { index, entity in
        harness.row(entity, Int64(index + 1), ["email": .text("\(index + 1)")])
      }
      try harness.mustSave(harness.changes(inserted: rows))
      // A chain whose end is free, against the order of the rows, and over three entities.
      let emails = ["2", "3", "4", "5"]
      let moved = zip(rows, emails).map {
        harness.factory.update($0.row, ["email": .text($1)])
      }
      try harness.mustSave(harness.changes(updated: moved))
      for (index, email) in emails.enumerated() {
        #expect(try harness.value(entities[index], Int64(index + 1), "email") == .text(email))
      }
      // A ring.
      let ring = zip(moved, emails.dropFirst() + [emails[0]]).map {
        harness.factory.update($0.row, ["email": .text($1), "age": .integer(7)])
      }
      try harness.mustSave(harness.changes(updated: ring))
      for (index, email) in (emails.dropFirst() + [emails[0]]).enumerated() {
        let row = try #require(try harness.stored(entities[index], Int64(index + 1)))
        let values = harness.model.entity(entities[index]).values(of: row.row)
        #expect(values["email"] == .text(email))
        #expect(values["age"] == .integer(7))
        #expect(row.row.version == 3)
      }
    },
    Promise("lets rows swap one part of a compound unique value") { (harness) throws in
      let rows = [("de", 1), ("at", 1), ("de", 2)].enumerated().map { position, value in
        harness.row(
          "Passport", Int64(position + 1),
          ["country": .text(value.0), "number": .integer(Int64(value.1))])
      }
      try harness.mustSave(harness.changes(inserted: rows))
      let swapped = [
        harness.factory.update(rows[0].row, ["country": .text("at")]),
        harness.factory.update(rows[1].row, ["country": .text("de"), "number": .integer(2)]),
        harness.factory.update(rows[2].row, ["number": .integer(1)]),
      ]
      try harness.mustSave(harness.changes(updated: swapped))
      #expect(try harness.value("Passport", 1, "country") == .text("at"))
      #expect(try harness.value("Passport", 2, "number") == .integer(2))
      #expect(try harness.value("Passport", 3, "number") == .integer(1))
    },
    Promise("still refuses what collides when all have moved, and undoes the moves") {
      (harness) throws in
      let rows = (1...4).map { harness.row("Person", $0, ["email": .text("\($0)")]) }
      try harness.mustSave(harness.changes(inserted: rows))
      let changes: [[(Int, String)]] = [
        [(0, "2"), (1, "3")], [(0, "5"), (1, "5")], [(0, "2"), (1, "1"), (2, "4")],
        [(0, "2"), (1, "2")],
      ]
      for list in changes {
        let updates = list.map {
          harness.factory.update(rows[$0.0].row, ["email": .text($0.1)])
        }
        let error = try harness.failure(of: harness.changes(updated: updates))
        #expect(error.code == .saveConstraint)
        for key in Int64(1)...4 {
          #expect(try harness.value("Person", key, "email") == .text("\(key)"))
          #expect(try harness.stored("Person", key)?.row.version == 1)
        }
      }
    },
    Promise("does not free the value of a row that changed since it was read") {
      (harness) throws in
      let rows = (1...2).map { harness.row("Person", $0, ["email": .text("\($0)")]) }
      try harness.mustSave(harness.changes(inserted: rows))
      try harness.mustSave(
        harness.changes(updated: [harness.factory.update(rows[1].row, ["age": .integer(1)])]))
      let updates = [(0, "2"), (1, "3")].map {
        harness.factory.update(rows[$0.0].row, ["email": .text($0.1)])
      }
      #expect(try harness.save(harness.changes(updated: updates)).first ?? nil != nil)
      #expect(try harness.value("Person", 1, "email") == .text("1"))
      #expect(try harness.value("Person", 2, "email") == .text("2"))
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
