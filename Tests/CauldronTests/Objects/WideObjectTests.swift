import Cauldron
import CauldronModel
import TestSupport
import Testing

@Suite struct WideObjectTests {
  @Test(arguments: [31, 32, 33, 64, 65, 96, 97, 130], StoreKind.allCases)
  func `an entity may have many properties`(_ count: Int, _ kind: StoreKind) throws {
    let entity = EntityDescription(
      name: "Wide",
      properties: (0..<count).map {
        TestModels.attribute("p\($0)", $0 % 3 == 1 ? .string : .integer64)
      })
    let bench = try Bench(kind, model: ManagedObjectModel(entities: [entity]))
    let context = bench.child()
    let object = try context.insertNewObject(forEntityName: "Wide")
    for index in 0..<count where index % 5 != 0 { try set(object, index, "a") }
    check(object, count, "a")
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.child("Other")
    check(try other.existingObject(with: object.objectID), count, "a")
    for index in 0..<count where index % 5 != 0 { try set(object, index, "bcd") }
    check(object, count, "bcd")
    #expect(object.changedValues().count == (0..<count).count { $0 % 5 != 0 && $0 % 3 == 1 })
    try context.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    check(try reader.existingObject(with: object.objectID), count, "bcd")
  }

  @Test func `the last of many properties can be fetched by`() throws {
    let entity = EntityDescription(
      name: "Wide", properties: (0..<70).map { TestModels.attribute("p\($0)", .integer64) })
    let bench = try Bench(.file, model: ManagedObjectModel(entities: [entity]))
    let context = bench.child()
    for number in 0..<10 {
      try context.insertNewObject(forEntityName: "Wide").setValue(number, forKey: "p69")
    }
    var request = FetchRequest<ManagedObject>(entityName: "Wide")
    request.predicate = .comparison(key: "p69", .greater, .integer(6))
    #expect(try context.fetch(request).count == 3)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try context.count(for: request) == 3)
    #expect(try bench.committed().fetch(request).count == 3)
  }

  private func set(_ object: ManagedObject, _ index: Int, _ text: String) throws {
    try object.setValue(index % 3 == 1 ? "\(text)\(index)" : index as Any, forKey: "p\(index)")
  }

  private func check(_ object: ManagedObject, _ count: Int, _ text: String) {
    for index in 0..<count {
      let value = object.value(forKey: "p\(index)")
      if index % 5 == 0 {
        #expect(value == nil, "p\(index)")
      } else if index % 3 == 1 {
        #expect(value as? String == "\(text)\(index)")
      } else {
        #expect(value as? Int == index)
      }
    }
  }
}
