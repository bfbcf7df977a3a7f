import Cauldron
import CauldronMagicalRecord
import Testing

extension OldCalls {
  @Suite struct CreatingTests {
    @available(*, deprecated)
    @Test @MainActor func `an object is created in the default context, or in another`() throws {
      let dan = Sailor.mr_createEntity()
      dan?.name = "Dan"
      #expect(dan?.managedObjectContext === ManagedObjectContext.default)
      let child = ManagedObjectContext.contextWithParent(.default)
      #expect(Sailor.mr_createEntity(in: child)?.managedObjectContext === child)
      #expect(Sailor.mr_create(in: child) != nil)
      #expect(try Sailor.count() == 4)
    }

    @available(*, deprecated)
    @Test @MainActor func `a class that the model has not gives nil, and an error`() throws {
      let model = try ManagedObjectModel(entities: [Lighthouse._describeEntity()])
      let context = try Stack.inMemory(model: model).defaultContext
      let errors = OldCalls.errors { #expect(Ship.mr_createEntity(in: context) == nil) }
      #expect(errors.map(\.code) == [.modelUnknownEntity])
    }

    @available(*, deprecated)
    @Test @MainActor func `names and descriptions are as in the new calls`() throws {
      #expect(Sailor.mr_entityName() == "Sailor")
      #expect(Sailor.mr_entityDescription()?.name == "Sailor")
      #expect(Sailor.mr_entityDescription(in: ManagedObjectContext.default)?.name == "Sailor")
      let errors = OldCalls.errors {
        #expect(Sailor.mr_propertiesNamed(["name", "nam", "age"])?.map(\.name) == ["name", "age"])
      }
      #expect(errors.map(\.code) == [.queryUnknownKey])
    }

    @available(*, deprecated)
    @Test @MainActor func `an object is found, or else created with the value`() throws {
      #expect(Sailor.mr_findFirstOrCreate(byAttribute: "name", withValue: "Bob").age == 20)
      let dan = Sailor.mr_findFirstOrCreate(byAttribute: "name", withValue: "Dan")
      #expect(dan.name == "Dan" && dan.isInserted)
      #expect(Sailor.mr_findFirstOrCreate(byAttribute: "name", withValue: "Dan") === dan)
    }

    @available(*, deprecated)
    @Test @MainActor func `of a unique value two contexts do not make two objects`() throws {
      let one = ManagedObjectContext.contextWithParent(.rootSaving)
      let two = ManagedObjectContext.contextWithParent(.rootSaving)
      let first = Ship.mr_findFirstOrCreate(byAttribute: "name", withValue: "Nef", in: one)
      let second = Ship.mr_findFirstOrCreate(byAttribute: "name", withValue: "Nef", in: two)
      #expect(first.name == "Nef" && first.objectID == second.objectID)
    }

    @available(*, deprecated)
    @Test @MainActor func `an unknown attribute is an error, and an object is made all the same`() {
      let errors = OldCalls.errors {
        let made = Sailor.mr_findFirstOrCreate(byAttribute: "nam", withValue: "Dan")
        #expect(made.isInserted)
      }
      #expect(errors.map(\.code) == [.queryUnknownKey])
    }
  }
}

@available(*, deprecated)
@Entity final class Lighthouse: NSManagedObject {
  var height: Int = 0
}
