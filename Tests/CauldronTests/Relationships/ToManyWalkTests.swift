import Cauldron
import TestSupport
import Testing

/// A walk reads the rows of all its objects at once, as its context sees them.
@Suite(.againstHanging) struct ToManyWalkTests {
  private let bench: Bench
  private let id: ManagedObjectID

  init() throws {
    bench = try Bench(.file)
    let context = bench.child()
    let acme = Company.named("acme", in: context)
    for age in 0..<600 { Person.named("p\(age)", age: age, at: acme, in: context) }
    id = acme.objectID
    try context.saveAndWait(toPersistentStore: true)
  }

  @Test func `the first walk leaves no faults`() throws {
    let context = bench.child()
    let acme = try #require(try Company.find(id, in: context))
    let fault = try #require(try Person.findFirst(where: \.age == 7, in: context))
    context.refresh(fault, mergeChanges: false)
    #expect(fault.isFault && acme.employees.allSatisfy { !$0.isFault } && !fault.isFault)
    #expect(acme.employees.reduce(0) { $0 + $1.age } == 599 * 300)
  }

  @Test func `a later walk reads again what was let go, with what is pending above`() throws {
    let middle = bench.child("Middle")
    let leaf = bench.child("Leaf", of: middle)
    let acme = try leaf.performAndWait { context in
      let acme = try #require(try Company.find(id, in: context))
      #expect(acme.employees.count == 600)
      return acme
    }
    try middle.performAndWait { context in
      for age in [10, 20] {
        try #require(try Person.findFirst(where: \.age == age, in: context)).age += 1_000
      }
      try #require(try Person.findFirst(where: \.age == 30, in: context)).delete()
    }
    leaf.performAndWait { context in
      let people = acme.employees.objects
      #expect(people.count(where: { $0.isFault }) == 1)
      let ages = people.reduce(0) { $0 + $1.age }
      #expect(ages == 599 * 300 + 2_000 - 30)
      #expect(people.count(where: { $0.isDeleted }) == 1)
    }
  }

  @Test func `a deletion lets go of all of them`() throws {
    let context = bench.child()
    try #require(try Company.find(id, in: context)).delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(where: \.employer == nil, in: bench.committed()) == 600)
  }
}
