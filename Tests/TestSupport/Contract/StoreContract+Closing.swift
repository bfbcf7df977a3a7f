import CauldronModel
import CauldronStore
import Testing

extension StoreContract {
  static let closing = [
    Promise("throws stack.closed for everything after it was closed") { (harness) throws in
      let person = harness.model.entity("Person")
      let set = harness.changes(inserted: [harness.row("Person", 1)])
      try harness.store.close()
      let calls: [() throws -> Void] = [
        { _ = try harness.store.reader() },
        { _ = try harness.store.reserveKeys(1, for: person) },
        { try harness.store.returnKeys(1..<2, for: person) },
        { try harness.save(set) { Issue.record("nothing is committed") } },
      ]
      for call in calls {
        let error = #expect(throws: CauldronError.self) { try call() }
        #expect(error?.code == .stackClosed)
      }
    },
    Promise("closing twice does no harm") { (harness) throws in
      try harness.store.close()
      try harness.store.close()
      #expect(throws: CauldronError.self) { try harness.store.reader() }
    },
  ]
}
