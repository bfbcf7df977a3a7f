import Cauldron
import CauldronMagicalRecord
import Foundation
import Testing

extension OldCalls {
  @Suite struct DeletingTests {
    @available(*, deprecated)
    @Test @MainActor func `objects are deleted one by one, by a predicate, and all`() throws {
      #expect(try Sailor.findFirst(\.name, "Bob")?.mr_deleteEntity() == true)
      #expect(try Sailor.count() == 2)
      #expect(Sailor.mr_deleteAll(matching: NSPredicate(format: "name == %@", "Cyd")))
      #expect(try Sailor.findAll().names == "Ann")
      #expect(Sailor.mr_truncateAll())
      #expect(try Sailor.count() == 0)
    }

    @available(*, deprecated)
    @Test @MainActor func `an object is deleted in another context, and found there`() throws {
      let child = ManagedObjectContext.contextWithParent(.default)
      let bob = try #require(try Sailor.findFirst(\.name, "Bob"))
      #expect(bob.mr_(in: child)?.managedObjectContext === child)
      #expect(bob.mr_deleteEntity(in: child))
      #expect(bob.mr_delete(in: child))
      #expect(Sailor.mr_truncateAll(in: child))
      #expect(try Sailor.count(in: child) == 0 && Sailor.count() == 3)
    }

    @available(*, deprecated)
    @Test @MainActor func `an object that is not there gives nil, and an error`() throws {
      let other = ManagedObjectContext.contextWithParent(.rootSaving)
      let dan = Sailor.create()
      let errors = OldCalls.errors { #expect(dan.mr_(in: other) == nil) }
      #expect(errors.map(\.code) == [.objectNotFound])
    }

    @available(*, deprecated)
    @Test @MainActor func `a predicate that cannot be read deletes nothing`() throws {
      let errors = OldCalls.errors {
        #expect(!Sailor.mr_deleteAll(matching: NSPredicate(format: "age >")))
      }
      #expect(errors.count == 1)
      #expect(try Sailor.count() == 3)
    }
  }
}
