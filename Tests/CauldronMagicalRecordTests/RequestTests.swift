import Cauldron
import CauldronMagicalRecord
import Foundation
import Testing

extension OldCalls {
  @Suite struct RequestTests {
    @available(*, deprecated)
    @Test @MainActor func `requests are made, changed and executed`() throws {
      let red = NSPredicate(format: "crew == %@", "red")
      #expect(Sailor.mr_execute(Sailor.mr_createFetchRequest())?.count == 3)
      #expect(Sailor.mr_execute(Sailor.mr_requestAll(with: red))?.count == 2)
      #expect(Sailor.mr_requestFirst(with: red).limit == 1)
      let request = Sailor.mr_requestAllWhere("name", isEqualTo: "Bob")
      #expect(Sailor.mr_executeFetchRequest(request)?.names == "Bob")
      var sorted = Sailor.mr_requestAllSorted(by: "age", ascending: false, with: red)
      #expect(Sailor.mr_execute(sorted)?.names == "Cyd Ann")
      #expect(Sailor.mr_executeFetchRequestAndReturnFirstObject(sorted)?.name == "Cyd")
      #expect(sorted.limit == nil)
      sorted.fetchLimit = 1
      sorted.fetchOffset = 1
      #expect(Sailor.mr_execute(sorted)?.names == "Ann")
      sorted.fetchLimit = 0
      #expect(sorted.limit == nil && sorted.fetchLimit == 0 && sorted.fetchOffset == 1)
      let first = Sailor.mr_requestFirst(byAttribute: "name", withValue: "Ann")
      #expect(Sailor.mr_execute(first, in: ManagedObjectContext.default)?.names == "Ann")
    }

    @available(*, deprecated)
    @Test @MainActor func `a request of what cannot be read finds nothing`() throws {
      let errors = OldCalls.errors {
        let request = Sailor.mr_requestAll(with: NSPredicate(format: "age >"))
        #expect(Sailor.mr_execute(request)?.isEmpty == true)
        let sorted = Sailor.mr_requestAllSorted(by: "name:UP", ascending: true)
        #expect(Sailor.mr_execute(sorted)?.isEmpty == true)
      }
      #expect(errors.map(\.code) == [.queryUnsupported, .queryUnsupported])
    }

    @available(*, deprecated)
    @Test @MainActor func `requests in an order have the size of batches`() throws {
      #expect(Sailor.mr_defaultBatchSize() == 20)
      Sailor.mr_setDefaultBatchSize(7)
      defer { Sailor.mr_setDefaultBatchSize(20) }
      #expect(Ship.mr_requestAllSorted(by: "name", ascending: true).fetchBatchSize == 7)
      #expect(Ship.mr_requestAll().fetchBatchSize == 0)
    }

    @available(*, deprecated)
    @Test @MainActor func `a request has Core Data's name`() throws {
      var request = NSFetchRequest<NSManagedObject>(entityName: "Sailor")
      request.predicate = try PredicateNode(NSPredicate(format: "age > %d", 30))
      #expect(try NSManagedObjectContext.mr_default().fetch(request).count == 1)
    }
  }
}
