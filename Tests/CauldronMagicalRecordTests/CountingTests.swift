import Cauldron
import CauldronMagicalRecord
import Foundation
import Testing

extension OldCalls {
  @Suite struct CountingTests {
    @available(*, deprecated)
    @Test @MainActor func `objects are counted`() throws {
      let context = ManagedObjectContext.default
      let red = NSPredicate(format: "crew == %@", "red")
      #expect(Sailor.mr_countOfEntities() == 3)
      #expect(Sailor.mr_countOfEntities(with: context) == 3)
      #expect(Sailor.mr_countOfEntities(with: red) == 2)
      #expect(Sailor.mr_countOfEntities(with: red, in: context) == 2)
      #expect(Sailor.mr_numberOfEntities() == 3)
      #expect(Sailor.mr_numberOfEntities(with: context) == 3)
      #expect(Sailor.mr_numberOfEntities(with: red) == 2)
      #expect(Sailor.mr_numberOfEntities(with: red, in: context).intValue == 2)
      #expect(Sailor.mr_hasAtLeastOneEntity())
      try Ship.deleteAll(where: nil)
      #expect(!Ship.mr_hasAtLeastOneEntity(in: context))
    }

    @available(*, deprecated)
    @Test @MainActor func `an error gives 0 and false`() throws {
      let closed = try Stack.inMemory(model: Stack.default.model)
      try closed.close()
      let errors = OldCalls.errors {
        #expect(Sailor.mr_countOfEntities(with: NSPredicate(format: "x")) == 0)
        #expect(Sailor.mr_countOfEntities(with: closed.defaultContext) == 0)
        #expect(!Sailor.mr_hasAtLeastOneEntity(in: closed.defaultContext))
      }
      #expect(errors.map(\.code) == [.queryUnsupported, .stackClosed, .stackClosed])
    }

    @available(*, deprecated)
    @Test @MainActor func `functions gather values`() throws {
      func value(_ function: String, _ attribute: String) -> Any? {
        Sailor.mr_aggregateOperation(function, onAttribute: attribute, with: nil)
      }
      #expect(value("sum:", "age") as? Int == 90)
      #expect((value("sum:", "age") as? NSNumber)?.doubleValue == 90)
      #expect(value("average:", "age") as? Double == 30)
      #expect(value("min:", "age") as? Int == 20 && value("max:", "age") as? Int == 40)
      #expect(value("count:", "name") as? Int == 3)
      #expect(value("max:", "name") as? String == "Cyd")
      #expect(value("min:", "born") as? Date == Date(timeIntervalSinceReferenceDate: -40))
      let nobody = NSPredicate(value: false)
      #expect(Sailor.mr_aggregateOperation("max:", onAttribute: "age", with: nobody) == nil)
      let errors = OldCalls.errors { #expect(value("median:", "age") == nil) }
      #expect(errors.map(\.code) == [.queryUnsupported])
    }

    @available(*, deprecated)
    @Test @MainActor func `functions gather values of groups, unsaved ones included`() throws {
      Sailor.create().name = "Dan"
      let groups = Sailor.mr_aggregateOperation(
        "sum:", onAttribute: "age", with: nil, groupBy: "crew")
      let sums = (groups ?? []).map { "\($0["crew"] ?? "none") \($0["result"] ?? "nothing")" }
      #expect(sums.sorted() == ["blue 20", "none 0", "red 70"])
    }

    @available(*, deprecated)
    @Test @MainActor func `the smallest and largest value, and whose it is`() throws {
      let ann = try #require(try Sailor.findFirst(\.name, "Ann"))
      #expect(ann.mr_minValue(for: "age") as? Int == 20)
      #expect(ann.mr_maxValue(for: "age") as? Int == 40)
      #expect(ann.mr_maxValue(for: "ship.name") as? String == "Argo")
      #expect(ann.mr_objectWithMinValue(for: "age")?.name == "Bob")
      Sailor.create().name = "Dan"
      let context = ManagedObjectContext.default
      #expect(ann.mr_objectWithMinValue(for: "crew", in: context)?.crew == "blue")
    }
  }
}
