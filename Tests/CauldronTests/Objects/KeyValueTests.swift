import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Suite struct KeyValueTests {
  private static let types: [(String, AttributeType)] = [
    ("text", .string), ("i16", .integer16), ("i32", .integer32), ("i64", .integer64),
    ("flag", .boolean), ("double", .double), ("float", .float), ("decimal", .decimal),
    ("date", .date), ("data", .binary), ("uuid", .uuid), ("url", .uri),
  ]

  private func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        name: "Pet",
        properties: Self.types.map { TestModels.attribute($0.0, $0.1) } + [
          TestModels.toOne("owner", "Owner", inverse: "pets"),
          .attribute(AttributeDescription(name: "mark", type: .string, isTransient: true)),
        ]),
      EntityDescription(
        name: "Owner",
        properties: [
          TestModels.attribute("name", .string), TestModels.toMany("pets", "Pet", inverse: "owner"),
        ]),
    ])
  }

  @Test(arguments: StoreKind.allCases)
  func `an entity described by hand is used by name`(_ kind: StoreKind) throws {
    let bench = try Bench(kind, model: model())
    let context = bench.child()
    let pet = try context.insertNewObject(forEntityName: "Pet")
    let values: [String: any Hashable] = [
      "text": "Rex", "i16": Int16(2), "i32": Int32(-3), "i64": 4, "flag": true, "double": 0.5,
      "float": Float(2), "decimal": Decimal(7), "date": Date(timeIntervalSinceReferenceDate: 1),
      "data": Data([1]), "uuid": UUID(), "url": URL(filePath: "/x"),
    ]
    #expect(Self.types.allSatisfy { pet.value(forKey: $0.0) == nil })
    for (key, value) in values { try pet.setValue(value, forKey: key) }
    try pet.setValue("seen", forKey: "mark")
    try context.saveAndWait(toPersistentStore: true)
    let found = try #require(
      try bench.committed().fetch(FetchRequest<ManagedObject>(entityName: "Pet")).first)
    for (key, value) in values {
      #expect(found.value(forKey: key) as? AnyHashable == AnyHashable(value), "\(key)")
    }
    #expect(pet.value(forKey: "mark") as? String == "seen")
    #expect(found.value(forKey: "mark") == nil)
    for key in values.keys { try pet.setValue(nil, forKey: key) }
    #expect(Self.types.allSatisfy { pet.value(forKey: $0.0) == nil })
  }

  @Test func `relationships are set by name from both sides`() throws {
    let context = try Bench(model: model()).child()
    let owner = try context.insertNewObject(forEntityName: "Owner")
    let pets = try (0..<3).map { _ in try context.insertNewObject(forEntityName: "Pet") }
    try pets[0].setValue(owner, forKey: "owner")
    #expect(owner.value(forKey: "pets") as? [ManagedObject] == [pets[0]])
    try owner.setValue([pets[1], pets[2]], forKey: "pets")
    #expect(pets[0].value(forKey: "owner") == nil)
    #expect(pets[2].value(forKey: "owner") as? ManagedObject === owner)
  }

  @Test func `a value of another type is refused, and the sentence names both`() throws {
    let context = try Bench(model: model()).child()
    let pet = try context.insertNewObject(forEntityName: "Pet")
    let error = cauldronError { try pet.setValue("x", forKey: "i64") }
    #expect(error?.code == .queryTypeMismatch)
    #expect(error?.message == "Pet.i64 is Integer 64; it cannot be set to a String.")
    #expect(cauldronError { try pet.setValue(3, forKey: "owner") }?.code == .queryTypeMismatch)
    #expect(cauldronError { try pet.setValue(1 << 20, forKey: "i16") }?.code == .queryTypeMismatch)
    #expect(cauldronError { try pet.setValue("x", forKey: "url") }?.code == .queryTypeMismatch)
    #expect(
      cauldronError { try pet.setValue(Data([1]), forKey: "uuid") }?.code == .queryTypeMismatch)
  }

  @Test func `an unknown entity is named, with the one that was meant`() throws {
    let context = try Bench(model: model()).child()
    let error = cauldronError { _ = try context.insertNewObject(forEntityName: "Pett") }
    #expect(error?.code == .modelUnknownEntity)
    #expect(error?.description.contains("\"Pet\"") == true)
  }

  @Test func `a refused value has the article that its type needs, and nil has none`() throws {
    let context = try Bench(model: model()).child()
    let pet = try context.insertNewObject(forEntityName: "Pet")
    let number = cauldronError { try pet.setValue(1, forKey: "flag") }
    #expect(number?.message == "Pet.flag is Boolean; it cannot be set to an Int.")
    let uuid = cauldronError { try pet.setValue(UUID(), forKey: "flag") }
    #expect(uuid?.message == "Pet.flag is Boolean; it cannot be set to a UUID.")
    let object = cauldronError { try pet.setValue(pet, forKey: "owner") }
    let words = "Pet.owner leads to Owner; it cannot lead to Pet \(pet.objectID)."
    #expect(object?.message == words)
    let text = cauldronError { try pet.setValue("x", forKey: "owner") }
    #expect(text?.message == "Pet.owner is a relationship; it cannot be set to a String.")
  }

  @Test func `setting an unknown property is refused, and changes nothing`() throws {
    let context = try Bench().child()
    let person = Person.named("ann", in: context)
    try context.save()
    for set in [person.setValue(_:forKey:), person.setPrimitiveValue(_:forKey:)] {
      let error = cauldronError { try set("jack", "nme") }
      #expect(error?.code == .queryUnknownKey && error?.entity == "Person")
      #expect(error?.property == "nme")
      #expect(error?.description == "Person has no property \"nme\". Did you mean \"name\"?")
    }
    #expect(!person.hasChanges)
  }

  @Test func `reading an unknown property stops the program with a suggestion`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Bench().child()
      _ = Person.create(in: context).value(forKey: "nme")
      withExtendedLifetime(context) {}
    }
    #expect(result.sentence.contains("Person has no property \"nme\". Did you mean \"name\"?"))
  }

  @Test func `a name that is like none stops the program without a space behind the sentence`()
    async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Bench().child()
      _ = Person.create(in: context).primitiveValue(forKey: "xyzxyzxyz")
      withExtendedLifetime(context) {}
    }
    #expect(result.sentence.contains("Person has no property \"xyzxyzxyz\".\n"))
  }
}
