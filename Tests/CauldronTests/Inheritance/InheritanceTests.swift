import Cauldron
import Foundation
import Testing

@Entity class Animal: ManagedObject {
  var name: String = ""
}

@Entity class Dog: Animal {
  var tricks: Int = 1
}

@Entity final class Puppy: Dog {
  var weeks: Int?
}

@Entity final class Cat: Animal {
  var lives: Int = 9
}

@Suite struct InheritanceTests {
  private func bench(_ kind: StoreKind) throws -> Bench {
    try Bench(kind, model: ManagedObjectModel(Animal.self, Dog.self, Cat.self, Puppy.self))
  }

  @Test(arguments: StoreKind.allCases)
  func `a fetch of the superclass gives objects of the right classes`(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let context = bench.child()
    fill(context)
    try check(context)
    try context.saveAndWait(toPersistentStore: true)
    try check(context)
    try check(bench.committed())
  }

  private func fill(_ context: ManagedObjectContext) {
    Animal.create(in: context).name = "a"
    let dog = Dog.create(in: context)
    (dog.name, dog.tricks) = ("b", 5)
    let puppy = Puppy.create(in: context)
    (puppy.name, puppy.tricks, puppy.weeks) = ("c", 2, 3)
    Cat.create(in: context).name = "d"
  }

  private func check(_ context: ManagedObjectContext) throws {
    let all = try Animal.findAll(sortedBy: \.name, in: context)
    #expect(all.map { "\(type(of: $0))" } == ["Animal", "Dog", "Puppy", "Cat"])
    #expect(all.map(\.entity.name) == ["Animal", "Dog", "Puppy", "Cat"])
    #expect((all[2] as? Puppy)?.weeks == 3)
    #expect(all.map(\.objectID.entityName) == ["Animal", "Dog", "Puppy", "Cat"])
    #expect(try Dog.findAll(sortedBy: \.name, in: context).map(\.tricks) == [5, 2])
    #expect(try Dog.findAll(where: \.name >= "c", in: context).count == 1)
    #expect(try Cat.count(in: context) == 1)
    var request = FetchRequest<Dog>()
    request.includesSubentities = false
    #expect(try context.fetch(request).map(\.name) == ["b"])
    #expect(try context.count(for: request) == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `keys are unique in a hierarchy and go on after reopening`(_ kind: StoreKind) throws {
    var bench = try bench(kind)
    var context = bench.child()
    fill(context)
    try context.saveAndWait(toPersistentStore: true)
    if kind == .file {
      bench = try bench.reopened()
      context = bench.child()
    }
    fill(context)
    try context.saveAndWait(toPersistentStore: true)
    let ids = try Animal.findAll(in: bench.committed()).map {
      "\($0.objectID)".split(separator: "/p").last
    }
    #expect(Set(ids).count == 8)
  }

  @Test func `an object of the hierarchy is not found as another class`() throws {
    let context = try bench(.memory).child()
    fill(context)
    let cat = try #require(try Cat.findFirst(in: context))
    #expect(try Dog.find(cat.objectID, in: context) == nil)
    #expect(try Animal.find(cat.objectID, in: context) === cat)
  }
}

/// Nobody marked it `@Entity`.
final class Terrier: Hound {}

@Entity class Hound: Animal {
  var nose: Int = 0
}

extension InheritanceTests {
  @Test func `a fetch of a class without an entity of its own says so`() throws {
    let bench = try Bench(model: ManagedObjectModel(Animal.self, Hound.self))
    let context = bench.child()
    _ = Hound.create(in: context)
    for error in [
      cauldronError { _ = try Terrier.findAll(in: context) },
      cauldronError { _ = try Terrier.count(in: context) },
    ] {
      #expect(error?.code == .modelInvalid && error?.entity == "Hound")
      #expect(
        error?.message
          == "Terrier inherits the entity \"Hound\" of its superclass and has none of its own.")
    }
    #expect(try Hound.count(in: context) == 1)
  }

  @Test func `creating an object of such a class stops the program with the reason`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bench = try Bench(model: ManagedObjectModel(Animal.self, Hound.self))
      _ = Terrier.create(in: bench.child())
    }
    #expect(result.sentence.contains("Terrier inherits the entity \"Hound\""))
    #expect(result.sentence.contains("@Entity"))
  }
}
