import CauldronModel
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
