import Cauldron
import Foundation
import TestSupport
import Testing

@Suite struct WrongClassTests {
  private let bench: Bench
  private let dog: ManagedObjectID
  private let cat: ManagedObjectID

  init() throws {
    bench = try Bench(
      .file, model: ManagedObjectModel(Animal.self, Dog.self, Cat.self, Puppy.self))
    let maker = bench.child()
    let dog = Dog.create(in: maker)
    (dog.name, dog.tricks) = ("dog", 5)
    self.dog = dog.objectID
    let cat = Cat.create(in: maker)
    (cat.name, cat.lives) = ("cat", 7)
    self.cat = cat.objectID
    try maker.saveAndWait(toPersistentStore: true)
  }

  /// The ID of a row under another entity's name.
  private func id(_ id: ManagedObjectID, as entity: String) throws -> ManagedObjectID {
    let text = "\(id)".replacingOccurrences(of: "/\(id.entityName)/", with: "/\(entity)/")
    let url = try #require(URL(string: text))
    return try #require(bench.stack.coordinator.managedObjectID(forURIRepresentation: url))
  }

  @Test(arguments: [true, false])
  func `the row decides the class, not the ID`(_ isCached: Bool) throws {
    let context = bench.child()
    if isCached { _ = try Dog.find(dog, in: bench.child()) }
    let found = try context.existingObject(with: try id(dog, as: "Animal"))
    #expect((found as? Dog)?.tricks == 5)
    #expect(found.objectID == dog)
    #expect(try Dog.find(dog, in: context) === found)
  }

  @Test(arguments: [true, false])
  func `an ID of another entity finds nothing`(_ isCached: Bool) throws {
    let context = bench.child()
    if isCached { _ = try Cat.find(cat, in: bench.child()) }
    for entity in ["Dog", "Puppy"] {
      let wrong = try id(cat, as: entity)
      #expect(
        cauldronError { _ = try context.existingObject(with: wrong) }?.code == .objectNotFound)
      #expect(try Dog.find(wrong, in: context) == nil)
    }
    #expect(try Cat.find(cat, in: context)?.lives == 7)
    #expect(context.registeredObject(for: try id(cat, as: "Dog")) == nil)
  }

  @Test func `an ID of another entity finds nothing where the object is registered`() throws {
    let context = bench.child()
    let cat = try #require(try Cat.find(cat, in: context))
    let wrong = try id(self.cat, as: "Dog")
    #expect(try Dog.find(wrong, in: context) == nil)
    let stray = context.object(with: wrong)
    #expect(stray is Dog && stray !== cat && stray.isDeleted)
    #expect((stray as? Dog)?.tricks == 0)
    #expect(try Cat.find(self.cat, in: context) === cat)
  }

  @Test func `a fault of the wrong class gives way to the right one`() throws {
    let context = bench.child()
    let fault = context.object(with: try id(dog, as: "Animal"))
    let named = try #require(fault as? Animal)
    #expect(type(of: named) == Animal.self)
    #expect(named.name.isEmpty && named.isDeleted)
    let right = try #require(try Dog.find(dog, in: context))
    #expect(right.tricks == 5 && right.name == "dog")
    let other = bench.child()
    _ = other.object(with: try id(dog, as: "Animal"))
    #expect(try Dog.findAll(in: other).map(\.tricks) == [5])
    let third = bench.child()
    _ = third.object(with: try id(cat, as: "Dog"))
    #expect(right.in(third).tricks == 5)
    #expect(try Cat.findAll(in: third).map(\.lives) == [7])
  }

  @Test func `no layer is taken for that of another entity`() throws {
    let context = bench.child()
    try Dog.find(dog, in: context)?.tricks = 6
    try context.save()
    let sibling = bench.child()
    let found = try sibling.existingObject(with: try id(dog, as: "Animal"))
    #expect((found as? Dog)?.tricks == 6)
    #expect(try Cat.find(try id(dog, as: "Cat"), in: sibling) == nil)
  }
}
