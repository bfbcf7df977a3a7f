import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What an object says of its changes, and what is none.
@Suite(.againstHanging) struct ChangeQuestionTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let owner: Creature
  private let pets: [Creature]

  init() throws {
    bench = try Creature.bench()
    context = bench.committed()
    owner = Creature.named("owner", in: context)
    pets = (0..<3).map { [context] in Creature.named("pet \($0)", in: context) }
    for pet in pets.prefix(2) { pet.owner = owner }
    owner.friends.insert(pets[0])
    try context.save()
  }

  private func names(_ value: Any??) -> [String]? {
    (value.flatMap { $0 } as? [Creature])?.map(\.name).sorted()
  }

  @Test(arguments: [false, true])
  func `a to-many relationship that the other side has changed is among the changed values`(
    _ isPublished: Bool
  ) throws {
    pets[0].owner = nil
    pets[2].owner = owner
    if isPublished { context.processPendingChanges() }
    #expect(Array(owner.changedValues().keys) == ["pets"])
    #expect(names(owner.changedValues()["pets"]) == ["pet 1", "pet 2"])
    #expect(names(owner.committedValues(forKeys: ["pets"])["pets"]) == ["pet 0", "pet 1"])
    #expect(!owner.hasPersistentChangedValues && pets[0].hasPersistentChangedValues)
    pets[0].owner = owner
    pets[2].owner = nil
    #expect(owner.changedValues().isEmpty)
    try context.save()
    #expect(owner.changedValues().isEmpty && pets[2].changedValues().isEmpty)
  }

  @Test func `a deletion and a new object change it, too`() throws {
    pets[0].delete()
    Creature.named("new", in: context).owner = owner
    context.processPendingChanges()
    #expect(names(owner.changedValues()["pets"]) == ["new", "pet 1"])
    #expect(names(owner.committedValues(forKeys: ["pets"])["pets"]) == ["pet 0", "pet 1"])
    try context.save()
    #expect(owner.changedValues().isEmpty)
    #expect(names(owner.committedValues(forKeys: nil)["pets"]) == ["new", "pet 1"])
  }

  @Test(arguments: [false, true])
  func `a many-to-many relationship is among the changed values of both sides`(
    _ isPublished: Bool
  ) throws {
    pets[1].fans.insert(owner)
    owner.friends.remove(pets[0])
    if isPublished { context.processPendingChanges() }
    #expect(names(owner.changedValues()["friends"]) == ["pet 1"])
    #expect(names(pets[1].changedValues()["fans"]) == ["owner"])
    #expect(names(pets[0].changedValues()["fans"]) == [])
    #expect(names(owner.committedValues(forKeys: ["friends"])["friends"]) == ["pet 0"])
    try context.save()
    #expect(owner.changedValues().isEmpty && pets[1].changedValues().isEmpty)
  }

  @Test func `the running event is asked by itself`() throws {
    owner.name = "before"
    pets[0].owner = nil
    #expect(Set(owner.changedValuesForCurrentEvent().keys) == ["name", "pets"])
    context.processPendingChanges()
    #expect(owner.changedValuesForCurrentEvent().isEmpty)
    #expect(pets[0].changedValuesForCurrentEvent().isEmpty)
    owner.count = 8
    pets[2].owner = owner
    #expect(Set(owner.changedValuesForCurrentEvent().keys) == ["count", "pets"])
    #expect(Set(owner.changedValues().keys) == ["name", "count", "pets"])
    let new = Creature.named("new", in: context)
    #expect(new.changedValuesForCurrentEvent()["name"] as? String == "new")
    context.processPendingChanges()
    #expect(new.changedValuesForCurrentEvent().isEmpty)
    #expect(new.changedValues()["count"] as? Int == 7)
  }

  @Test func `committed values are those of the last save, by name`() throws {
    let pet = pets[0]
    (pet.name, pet.owner) = ("edited", nil)
    context.processPendingChanges()
    pet.count = 1
    let some = pet.committedValues(forKeys: ["name", "owner"])
    #expect(some["name"] as? String == "pet 0" && some["owner"] as? Creature === owner)
    #expect(some.count == 2)
    let all = pet.committedValues(forKeys: nil)
    #expect(Set(all.keys) == ["name", "count", "owner", "pets", "friends", "fans"])
    #expect(all["count"] as? Int == 7)
    #expect(names(all["fans"]) == ["owner"])
    let new = Creature.named("new", in: context)
    #expect(new.committedValues(forKeys: ["count"])["count"] as? Int == 7)
    #expect(new.committedValues(forKeys: ["owner"])["owner"].map { $0 == nil } == true)
  }

  @Test func `a primitive value is no change, and is not saved`() throws {
    let pet = pets[0]
    try pet.setPrimitiveValue(99, forKey: "count")
    try pet.setPrimitiveValue("here", forKey: "mark")
    #expect(pet.count == 99 && pet.mark == "here")
    #expect(pet.primitiveValue(forKey: "count") as? Int == 99)
    #expect(pet.primitiveValue(forKey: "mark") as? String == "here")
    #expect(pet.changedValues().isEmpty && !pet.hasChanges && !context.hasChanges)
    pet.name = "edited"
    try pet.setPrimitiveValue(nil, forKey: "mark")
    try pet.setPrimitiveValue(100, forKey: "count")
    #expect(Set(pet.changedValues().keys) == ["name"])
    try context.save()
    #expect(pet.count == 100 && pet.name == "edited")
    let stored = try #require(try Creature.find(pet.objectID, in: bench.committed()))
    #expect(stored.count == 7 && stored.name == "edited")
    pet.count = 101
    try context.save()
    let again = try #require(try Creature.find(pet.objectID, in: bench.committed()))
    #expect(again.count == 101)
  }

  @Test func `of a new object a primitive value is saved with the rest`() throws {
    let new = Creature.create(in: context)
    try new.setPrimitiveValue("primitive", forKey: "name")
    context.processPendingChanges()
    try new.setPrimitiveValue(1, forKey: "count")
    try context.save()
    let stored = try #require(try Creature.find(new.objectID, in: bench.committed()))
    #expect(stored.name == "primitive" && stored.count == 1)
  }

  @Test func `a primitive value that cannot be is an error, and reads nothing of a fault`() throws {
    let wrong = cauldronError { try pets[0].setPrimitiveValue("x", forKey: "count") }
    #expect(wrong?.code == .queryTypeMismatch)
    let link = cauldronError { try pets[0].setPrimitiveValue(nil, forKey: "owner") }
    #expect(
      link?.message == "Creature.owner is a relationship, which has no primitive value to be set.")
    #expect(pets[0].primitiveValue(forKey: "owner") as? Creature === owner)
    context.refresh(pets[0], mergeChanges: false)
    #expect(pets[0].primitiveValue(forKey: "name") == nil && pets[0].isFault)
  }

  @Test func `a primitive value does not take an edit along`() throws {
    let bench = try Bench()
    let context = bench.child()
    Person.named("a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let person = try #require(try Person.findFirst(in: context))
    person.name = "b"
    try person.setPrimitiveValue("c", forKey: "name")
    #expect(person.name == "c")
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["b"])
  }
}
