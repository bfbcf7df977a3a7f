import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite struct FoundationValueTests {
  private static let types: [(String, AttributeType)] = [
    ("text", .string), ("i16", .integer16), ("i32", .integer32), ("i64", .integer64),
    ("flag", .boolean), ("double", .double), ("float", .float), ("decimal", .decimal),
    ("date", .date), ("data", .binary), ("uuid", .uuid), ("url", .uri),
  ]

  private func context() throws -> ManagedObjectContext {
    try Bench(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          name: "Pet",
          properties: Self.types.map { TestModels.attribute($0.0, $0.1) } + [
            TestModels.toOne("owner", "Owner", inverse: "pets")
          ]),
        EntityDescription(
          name: "Owner", properties: [TestModels.toMany("pets", "Pet", inverse: "owner")]),
      ])
    ).child()
  }

  @Test func `Foundation's objects are taken as the values that they stand for`() throws {
    let context = try context()
    let pet = try context.insertNewObject(forEntityName: "Pet")
    let uuid = UUID()
    let url = try #require(URL(string: "https://a.b/c?d=e"))
    let date = Date(timeIntervalSinceReferenceDate: 1.5)
    let values: [(String, Any, AnyHashable)] = [
      ("text", NSString(string: "Rex"), "Rex"), ("i16", NSNumber(value: -7), Int16(-7)),
      ("i32", NSNumber(value: 7.0), Int32(7)), ("i64", NSNumber(value: Int.min), Int.min),
      ("i64", NSDecimalNumber(string: "70000"), 70_000), ("i64", NSNumber(value: true), 1),
      ("flag", NSNumber(value: true), true), ("flag", NSNumber(value: 0), false),
      ("double", NSNumber(value: 0.1), 0.1), ("double", NSNumber(value: 3), 3.0),
      ("float", NSNumber(value: 0.5), Float(0.5)),
      ("decimal", NSDecimalNumber(string: "1.10"), Decimal(11) / 10),
      ("decimal", NSNumber(value: 3), Decimal(3)), ("decimal", 4, Decimal(4)),
      ("date", NSDate(timeIntervalSinceReferenceDate: 1.5), date),
      ("data", NSData(data: Data([1, 2])), Data([1, 2])),
      ("uuid", NSUUID(uuidString: uuid.uuidString) as Any, uuid),
      ("url", NSURL(string: "https://a.b/c?d=e") as Any, url),
      ("i16", UInt8(200), Int16(200)), ("double", 5, 5.0),
    ]
    for (key, value, expected) in values {
      try pet.setValue(value, forKey: key)
      #expect(pet.value(forKey: key) as? AnyHashable == expected, "\(key): \(value)")
    }
    for (key, _) in Self.types {
      try pet.setValue(NSNull(), forKey: key)
      #expect(pet.value(forKey: key) == nil)
    }
    let none: Int? = nil
    try pet.setValue(none as Any, forKey: "i16")
    try pet.setValue(Optional(3) as Any, forKey: "i16")
    #expect(pet.value(forKey: "i16") as? Int16 == 3)
  }

  @Test func `a number beyond what an attribute can hold is refused`() throws {
    let context = try context()
    let pet = try context.insertNewObject(forEntityName: "Pet")
    let values: [(String, Any)] = [
      ("i16", NSNumber(value: 70_000)), ("i16", 70_000), ("i32", NSNumber(value: 1 << 40)),
      ("i64", NSNumber(value: UInt64.max)), ("i64", UInt64.max), ("i64", NSNumber(value: 1e30)),
      ("i64", NSNumber(value: 3.5)), ("i64", NSDecimalNumber(string: "1.5")),
      ("i64", NSNumber(value: Double.nan)), ("flag", NSNumber(value: 2)), ("float", 1e300),
      ("float", NSNumber(value: -1e300)),
    ]
    for (key, value) in values {
      let error = cauldronError { try pet.setValue(value, forKey: key) }
      #expect(error?.code == .queryTypeMismatch, "\(key): \(value)")
      #expect(error?.message.hasSuffix("it cannot hold the number.") == true, "\(key): \(value)")
      #expect(pet.value(forKey: key) == nil)
    }
  }

  @Test func `an object of another type is refused`() throws {
    let context = try context()
    let pet = try context.insertNewObject(forEntityName: "Pet")
    let values: [(String, Any)] = [
      ("text", NSNumber(value: 1)), ("i64", NSString(string: "1")), ("date", NSNumber(value: 1)),
      ("flag", NSString(string: "yes")), ("url", NSString(string: "x")), ("uuid", NSData()),
      ("double", true), ("i64", 1.5), ("data", NSArray()),
    ]
    for (key, value) in values {
      let error = cauldronError { try pet.setValue(value, forKey: key) }
      #expect(error?.message.contains("it cannot be set to a ") == true, "\(key): \(value)")
    }
  }

  @Test func `relationships take collections and NSNull, and only their own entities`() throws {
    let context = try context()
    let owner = try context.insertNewObject(forEntityName: "Owner")
    let pets = try (0..<3).map { _ in try context.insertNewObject(forEntityName: "Pet") }
    for value in [NSSet(array: pets), Set(pets), NSArray(array: pets)] as [Any] {
      try owner.setValue(value, forKey: "pets")
      #expect(Set(owner.value(forKey: "pets") as? [ManagedObject] ?? []) == Set(pets))
      try owner.setValue(NSNull(), forKey: "pets")
      #expect((owner.value(forKey: "pets") as? [ManagedObject])?.isEmpty == true)
    }
    try pets[0].setValue(owner, forKey: "owner")
    try pets[0].setValue(NSNull(), forKey: "owner")
    #expect(pets[0].value(forKey: "owner") == nil)
    #expect(cauldronError { try pets[0].setValue(pets[1], forKey: "owner") } != nil)
    #expect(cauldronError { try owner.setValue([owner], forKey: "pets") } != nil)
  }
}
