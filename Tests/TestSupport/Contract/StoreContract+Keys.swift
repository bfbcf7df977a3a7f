import CauldronModel
import CauldronStore
import Testing

extension StoreContract {
  static let keys = [
    Promise("gives out keys from 1, each once, for each hierarchy by itself") { (harness) throws in
      let person = harness.model.entity("Person")
      let company = harness.model.entity("Company")
      #expect(try harness.store.reserveKeys(10, for: person) == 1..<11)
      #expect(try harness.store.reserveKeys(5, for: person) == 11..<16)
      #expect(try harness.store.reserveKeys(3, for: company) == 1..<4)
    },
    Promise("gives out keys at once, beside those that were waited for") { (harness) throws in
      let person = harness.model.entity("Person")
      #expect(try harness.store.reserveKeysAtOnce(10, for: person) == 1..<11)
      #expect(try harness.store.reserveKeys(5, for: person) == 11..<16)
      #expect(try harness.store.reserveKeysAtOnce(3, for: person) == 16..<19)
      try harness.store.returnKeys(17..<19, for: person)
      #expect(try harness.store.reserveKeysAtOnce(1, for: person) == 17..<18)
    },
    Promise("writes no row, and no reference, with a key that is not its own") { (harness) throws in
      try harness.mustSave(harness.changes(inserted: [harness.row("Person", 7)]))
      let stored = try #require(try harness.stored("Person", 7))
      let ghost = harness.row("Person", -3)
      let sets = [
        harness.changes(inserted: [harness.row("Company", -1)]),
        harness.changes(inserted: [harness.row("Company", 4), harness.row("Person", 0)]),
        harness.changes(inserted: [harness.row("Person", 8, ["employer": .integer(-2)])]),
        harness.changes(
          updated: [harness.factory.update(stored.row, ["employer": .integer(-2)])]),
        harness.changes(updated: [harness.factory.update(ghost.row, ["age": .integer(1)])]),
        harness.changes(deleted: [ghost.row]),
      ]
      for set in sets {
        let error = try harness.failure(of: set)
        #expect(error.code == .saveProvisionalKey && error.objectIDs.count == 1)
      }
      #expect(try harness.keys(of: "Person") == [7] && harness.keys(of: "Company").isEmpty)
      #expect(try harness.stored("Person", 7)?.row.version == stored.row.version)
    },
    Promise("takes back the end of the newest block") { (harness) throws in
      let person = harness.model.entity("Person")
      _ = try harness.store.reserveKeys(10, for: person)
      try harness.store.returnKeys(4..<11, for: person)
      #expect(try harness.store.reserveKeys(2, for: person) == 4..<6)
    },
    Promise("does not take back keys that others have been given keys after") { (harness) throws in
      let person = harness.model.entity("Person")
      _ = try harness.store.reserveKeys(10, for: person)
      _ = try harness.store.reserveKeys(10, for: person)
      try harness.store.returnKeys(4..<11, for: person)
      #expect(try harness.store.reserveKeys(1, for: person) == 21..<22)
    },
  ]
}
