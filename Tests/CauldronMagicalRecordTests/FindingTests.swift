import Cauldron
import CauldronMagicalRecord
import Foundation
import Testing

extension OldCalls {
  @Suite struct FindingTests {
    @available(*, deprecated)
    @Test @MainActor func `all objects are found, in an order or none`() throws {
      let adults = NSPredicate(format: "age >= %d", 30)
      #expect(Sailor.mr_findAll()?.count == 3)
      #expect(Sailor.mr_findAllSorted(by: "name", ascending: false)?.names == "Cyd Bob Ann")
      let terms = "crew:YES,age:NO"
      #expect(Sailor.mr_findAllSorted(by: terms, ascending: true)?.names == "Bob Cyd Ann")
      let found = Sailor.mr_findAllSorted(by: "name", ascending: true, with: adults)
      #expect(found?.names == "Ann Cyd")
      #expect(Sailor.mr_findAll(with: adults)?.count == 2)
      #expect(Sailor.mr_findAll(with: nil)?.count == 3)
    }

    @available(*, deprecated)
    @Test @MainActor func `objects are found by a value`() throws {
      #expect(Sailor.mr_find(byAttribute: "crew", withValue: "red")?.count == 2)
      #expect(Sailor.mr_find(byAttribute: "age", withValue: NSNumber(value: 20))?.names == "Bob")
      #expect(Sailor.mr_find(byAttribute: "crew", withValue: nil)?.isEmpty == true)
      let red = Sailor.mr_find(
        byAttribute: "crew", withValue: "red", andOrderBy: "age", ascending: false)
      #expect(red?.names == "Cyd Ann")
      let argo = try #require(try Ship.findFirst())
      #expect(Sailor.mr_find(byAttribute: "ship", withValue: argo)?.names == "Ann")
    }

    @available(*, deprecated)
    @Test @MainActor func `the first object is found`() throws {
      let red = NSPredicate(format: "crew == %@", "red")
      #expect(Sailor.mr_findFirst() != nil)
      #expect(Sailor.mr_findFirst(with: red)?.crew == "red")
      #expect(Sailor.mr_findFirst(with: red, sortedBy: "age", ascending: false)?.name == "Cyd")
      #expect(Sailor.mr_findFirst(with: red, sortedBy: nil, ascending: true) != nil)
      #expect(Sailor.mr_findFirst(with: red, andRetrieveAttributes: ["name"])?.crew == "red")
      #expect(Sailor.mr_findFirst(byAttribute: "name", withValue: "Ann")?.age == 30)
      #expect(Sailor.mr_findFirst(byAttribute: "name", withValue: "Dan") == nil)
      #expect(Sailor.mr_findFirstOrdered(byAttribute: "age", ascending: true)?.name == "Bob")
    }

    @available(*, deprecated)
    @Test @MainActor func `a block of a save finds with its own context`() async throws {
      let names = try await Stack.default.save { context in
        let dan = Sailor.mr_createEntity(in: context)
        dan?.name = "Dan"
        let found = Sailor.mr_findFirst(byAttribute: "name", withValue: "Dan", in: context)
        #expect(found === dan)
        let some = Sailor.mr_findAll(with: NSPredicate(format: "age > %d", 0), in: context)
        #expect(some?.count == 3 && Sailor.mr_findFirst(in: context) != nil)
        return Sailor.mr_findAllSorted(by: "name", ascending: true, in: context)?.names
      }
      #expect(names == "Ann Bob Cyd Dan")
    }

    @available(*, deprecated)
    @Test @MainActor func `an error gives nil, and goes to the handler`() throws {
      let errors = OldCalls.errors {
        #expect(Sailor.mr_findAll(with: NSPredicate(format: "age >= %d", "x")) == nil)
        #expect(Sailor.mr_findAll(with: NSPredicate(format: "agee > 3")) == nil)
        #expect(Sailor.mr_findAllSorted(by: "name:UP", ascending: true) == nil)
        #expect(Sailor.mr_findFirst(with: NSPredicate(format: "age >")) == nil)
        #expect(Sailor.mr_find(byAttribute: "nam", withValue: 1) == nil)
      }
      #expect(
        errors.map(\.code) == [
          .queryTypeMismatch, .queryUnknownKey, .queryUnsupported, .queryUnsupported,
          .queryUnknownKey,
        ])
    }
  }
}
