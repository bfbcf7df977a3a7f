import Cauldron
import CauldronModel
import Observation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Nothing is kept for who has gone.
@Suite(.againstHanging, .ownThread) struct ObservedLifetimeTests {
  private let bench: Bench
  private let told = Told()

  init() throws { bench = try Bench(.file) }

  private func fill(_ count: Int) throws -> [ManagedObjectID] {
    let maker = bench.child()
    let ids = (0..<count).map { Person.named("\($0)", age: $0, in: maker).objectID }
    try maker.saveAndWait(toPersistentStore: true)
    return ids
  }

  private func endEvent(_ context: ManagedObjectContext) { context.performAndWait { _ in } }

  @Test func `an object that nobody holds stays observed, and is told of when it is there again`()
    throws
  {
    let id = try fill(1)[0]
    let context = bench.child()
    context.automaticallyMergesChangesFromParent = true
    context.performAndWait { local in
      told.watch { _ = try? Person.find(id, in: local)?.observed.name }
    }
    for _ in 0..<3 { endEvent(context) }
    try context.performAndWait { local in
      try #require(try Person.find(id, in: local)).name = "new"
    }
    #expect(told.take() == 1)
    try context.saveAndWait(toPersistentStore: true)
    context.performAndWait { local in
      told.watch { _ = try? Person.find(id, in: local)?.observed.name }
    }
    for _ in 0..<3 { endEvent(context) }
    let other = bench.child()
    try other.performAndWait { local in
      try #require(try Person.find(id, in: local)).name = "newer"
    }
    try other.saveAndWait(toPersistentStore: true)
    endEvent(context)
    #expect(told.take() == 1)
    endEvent(context)
    #expect(context.performAndWait { $0.context.registeredObjects.isEmpty })
    #expect(context.core.announcer.cells?.count == 0)
  }

  @Test func `reading without an observation leaves nothing behind`() throws {
    let ids = try fill(100)
    let context = bench.child()
    try context.performAndWait { local in
      for id in ids { _ = try Person.find(id, in: local)?.observed.name }
      #expect(local.context.core.announcer.cells?.cellCount == 0)
    }
    endEvent(context)
    #expect(context.core.announcer.cells?.count == 0)
    #expect(context.performAndWait { $0.context.registeredObjects.isEmpty })
  }

  @Test func `ten thousand observations that have ended leave nothing behind`() throws {
    let ids = try fill(10_000)
    let context = bench.child()
    try context.performAndWait { local in
      let trigger = Person.named("trigger", in: local.context)
      let people = try Person.findAll(in: local)
      told.watch { for person in people { _ = (person.observed.name, person.observed.age) } }
      #expect(local.context.core.announcer.cells?.count == people.count)
      trigger.name = "x"
    }
    #expect(told.take() == 1)
    let observed = try #require(context.core.announcer.cells)
    #expect(observed.cellCount == 0)
    context.performAndWait { $0.context.rollback() }
    endEvent(context)
    #expect(observed.count == 0)
    #expect(context.performAndWait { $0.context.registeredObjects.isEmpty })
    #expect(ids.count == 10_000)
  }

  @Test func `observers of objects that nobody holds do not grow without end`() throws {
    let ids = try fill(10_000)
    let context = bench.child()
    try context.performAndWait { local in
      for person in try Person.findAll(in: local) { told.watchAlso { _ = person.observed.name } }
    }
    for _ in 0..<200 { endEvent(context) }
    let observed = try #require(context.core.announcer.cells)
    #expect(observed.count < 6_000)
    #expect(observed.cellCount == observed.count)
    #expect(told.take() == ids.count - observed.count)
    // Who is held is let alone.
    let held = try context.performAndWait { local in
      let people = try Person.findAll(in: local)
      _ = told.take()
      for person in people { told.watchAlso { _ = person.observed.age } }
      return people
    }
    for _ in 0..<200 { endEvent(context) }
    #expect(told.take() == 0)
    context.performAndWait { _ in for person in held { person.age += 1 } }
    #expect(told.take() == ids.count)
    context.performAndWait { _ in for person in held { person.name = "" } }
    #expect(observed.cellCount == 0)
  }

  @Test func `a large import tells of each relationship that it may belong to, and nothing else`()
    throws
  {
    let maker = bench.child()
    let id = Company.named("acme", in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let name = Told()
    let company = try bench.onMain { main in
      let company = try #require(try Company.find(id, in: main))
      told.watch { _ = company.observed.employees.count }
      name.watch { _ = company.observed.name }
      return Lent(company)
    }
    _ = try fill(9_000)
    bench.settleMain()
    #expect(told.take() == 1)
    #expect(name.take() == 0)
    withExtendedLifetime(company) {}
  }

  @Test func `observations go with the context`() throws {
    let id = try fill(1)[0]
    var context: ManagedObjectContext? = bench.child()
    weak var observed: ObservedCells?
    try context?.performAndWait { local in
      told.watch { _ = try? Person.find(id, in: local)?.observed.name }
      observed = local.context.core.announcer.cells
      #expect(observed != nil)
      _ = try Person.find(id, in: local)
    }
    context = nil
    #expect(observed == nil)
    #expect(told.take() == 0)
  }

  @MainActor @Test func `an asynchronous sequence gives the newest value on the main actor`()
    async throws
  {
    let stack = try Stack(storeURL: nil, model: Office.model())
    let main = stack.defaultContext
    let company = Company.named("acme", in: main)
    let person = Person.named("ann", at: company, in: main)
    var names = Observations { person.observed.name }.makeAsyncIterator()
    var counts = Observations { company.observed.employees.count }.makeAsyncIterator()
    #expect(await names.next() == "ann")
    #expect(await counts.next() == 1)
    Task { person.name = "bob" }
    #expect(await names.next() == "bob")
    try await main.save(toPersistentStore: true)
    let (id, home) = (person.objectID, company.objectID)
    try await stack.save { local in
      try Person.find(id, in: local)?.name = "cid"
      Person.named("dan", at: try Company.find(home, in: local), in: local.context)
    }
    #expect(await names.next() == "cid")
    #expect(await counts.next() == 2)
  }
}
