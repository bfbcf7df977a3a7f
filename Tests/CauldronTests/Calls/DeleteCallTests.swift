import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Deletions of many objects by their old names: pending changes, with rules and hooks.
@Suite(.againstHanging) struct DeleteCallTests {
  @Test func `MR_deleteAllMatchingPredicate: marks what it finds, and a rollback takes it back`()
    throws
  {
    let bench = try Bench(.file)
    let context = bench.child()
    for age in 0..<10 { Person.named("p\(age)", age: age, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    Person.named("new", age: 9, in: context)
    #expect(try Person.deleteAll(where: \.age >= 8, in: context) == 3)
    #expect(try Person.count(in: context) == 8)
    #expect(try Person.count(in: bench.committed()) == 10)
    context.rollback()
    #expect(try Person.count(in: context) == 10)
    #expect(try Person.deleteAll(where: \.age > 99, in: context) == 0)
    #expect(!context.hasChanges)
    try Person.deleteAll(where: \.age < 5, in: context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 5)
  }

  @Test func `MR_truncateAll takes along what cascades, and runs the hooks of each object`() throws
  {
    let bench = try Bench(model: ManagedObjectModel(Hooked.self))
    let context = bench.child()
    let objects = (0..<3).map { _ in Hooked.create(in: context) }
    try context.saveAndWait(toPersistentStore: true)
    for object in objects { object.calls = [] }
    #expect(try Hooked.deleteAll(where: nil, in: context) == 3)
    try context.saveAndWait(toPersistentStore: true)
    #expect(objects.map(\.calls) == Array(repeating: ["prepare", "willSave", "didSave"], count: 3))
    #expect(try Hooked.count(in: bench.committed()) == 0)
  }

  @Test func `MR_truncateAllInContext: clears references to what is gone`() throws {
    let bench = try Bench()
    let context = bench.child()
    let person = Person.named("ada", at: Company.named("Acme", in: context), in: context)
    try context.saveAndWait(toPersistentStore: true)
    try bench.stack.saveAndWait { try Company.deleteAll(where: nil, in: $0) }
    #expect(try Company.count(in: bench.committed()) == 0)
    context.refresh(person, mergeChanges: true)
    #expect(person.employer == nil)
  }

  @Test func `an object whose deletion is denied refuses the save of all`() throws {
    let bench = try Bench(model: ManagedObjectModel(Landlord.self, Tenant.self))
    let context = bench.child()
    let owners = (0..<3).map { _ in Landlord.create(in: context) }
    Tenant.create(in: context).landlord = owners[1]
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Landlord.deleteAll(where: nil, in: context) == 3)
    #expect(cauldronError { try context.save() }?.code == .validationDenied)
    #expect(try Landlord.count(in: bench.committed()) == 3)
    try Tenant.deleteAll(where: nil, in: context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Landlord.count(in: bench.committed()) == 0)
  }
}

@Entity final class Landlord: ManagedObject {
  @Relationship(deleteRule: .deny) var tenants: ToMany<Tenant>
}

@Entity final class Tenant: ManagedObject {
  @Relationship(inverse: \Landlord.tenants) var landlord: Landlord?
}

/// Choosing by chance.
@Suite(.againstHanging) struct SampleTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    context = bench.child()
    for age in 0..<40 { Person.named("p\(age)", age: age, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    for age in 40..<50 { Person.named("p\(age)", age: age, in: context) }
  }

  @Test func `a sample has as many different objects as were asked for, and there are`() throws {
    for count in [0, 1, 7, 50, 60] {
      let sample = try ObjectQuery<Person>().randomSample(count, in: context)
      #expect(sample.count == min(count, 50))
      #expect(Set(sample).count == sample.count)
    }
    #expect(try ObjectQuery<Person>().randomSample(-1, in: context).isEmpty)
    #expect(try ObjectQuery<Passport>().randomSample(3, in: context).isEmpty)
  }

  @Test func `only what the condition selects is chosen, and each of it can be`() throws {
    var seen: Set<Int> = []
    var chance = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let sample = try Person.where(\.age >= 45).randomSample(2, in: context, using: &chance)
      #expect(sample.allSatisfy { $0.age >= 45 })
      seen.formUnion(sample.map(\.age))
    }
    #expect(seen == [45, 46, 47, 48, 49])
  }

  @Test func `the same chance gives the same objects in the same order`() throws {
    let samples = try (0..<2).map { _ in
      var chance = SeededGenerator(seed: 3)
      return try ObjectQuery<Person>().randomSample(10, in: context, using: &chance).map(\.age)
    }
    #expect(samples[0] == samples[1])
    #expect(samples[0] != samples[0].sorted())
  }
}
