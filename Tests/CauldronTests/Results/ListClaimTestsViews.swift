import Cauldron
import CauldronMagicalRecord
import CauldronModel
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Lists show what their contexts see, whatever these want to see.
@Suite(.againstHanging, .ownThread) struct ListClaimTestsViews {
  private let bench: Bench

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    for name in ["ann", "bob", "cid"] { Person.named(name, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
  }

  private func list(
    _ query: ObjectQuery<Person> = ObjectQuery().sorted(by: \.name),
    in context: ManagedObjectContext
  ) throws -> FetchedResultsController<Person> {
    try context.performAndWait { _ in
      let list = FetchedResultsController(query, in: context)
      try list.performFetchAndWait()
      return list
    }
  }

  @Test func `lists stay right though the first one was made in a block that reads`() throws {
    try bench.stack.readAndWait { local in
      _ = try Person.fetchAll(sortedBy: \.name, in: local.context)
    }
    let list = try list(in: bench.mainContext)
    let child = bench.child()
    Person.named("dan", in: child)
    try child.saveAndWait(toPersistentStore: true)
    #expect(comesTrueSoon { list.names == ["ann", "bob", "cid", "dan"] })
    bench.onMain { main in _ = Person.named("eve", in: main) }
    #expect(comesTrueSoon { list.names.last == "eve" })
  }

  @Test func `lists stay right while a block that reads shows one, too`() throws {
    try bench.stack.readAndWait { local in
      let frozen = try Person.fetchAll(sortedBy: \.name, in: local.context)
      let list = try list(in: bench.mainContext)
      let child = bench.child()
      Person.named("dan", in: child)
      try child.saveAndWait(toPersistentStore: true)
      #expect(comesTrueSoon { list.names == ["ann", "bob", "cid", "dan"] })
      #expect(frozen.names == ["ann", "bob", "cid"])
    }
  }

  @Test func `numbers stay right though the first list was made in a block that reads`()
    async throws
  {
    let (stack, main, child) = (bench.stack, bench.mainContext, bench.child())
    let result = await answer {
      try await stack.read { local in
        _ = try Person.fetchAll(sortedBy: \.name, in: local.context)
      }
      var counts = ObjectQuery<Person>().counts(in: main).makeAsyncIterator()
      _ = try await counts.next()
      await child.perform { _ = Person.named("dan", in: $0.context) }
      try await child.save(toPersistentStore: true)
      return try await counts.next()
    }
    #expect(try result?.get() == 4)
  }

  @Test func `a list that reads only what is committed sees the commit of what waited above`()
    throws
  {
    let context = bench.child("Careful", of: bench.mainContext)
    context.readsUncommitted = false
    let list = try list(in: context)
    bench.onMain { main in
      Person.named("dan", in: main)
      main.processPendingChanges()
    }
    try list.settleAndWait()
    #expect(list.names == ["ann", "bob", "cid"])
    try bench.mainContext.saveAndWait(toPersistentStore: true)
    try list.settleAndWait()
    #expect(try context.performAndWait { try Person.names(in: $0.context) }.last == "dan")
    #expect(list.names == ["ann", "bob", "cid", "dan"])
  }

  @Test
  func `a list that reads only what is committed lets go of an own save that is dropped above`()
    throws
  {
    let context = bench.child("Careful", of: bench.mainContext)
    context.readsUncommitted = false
    let list = try list(in: context)
    context.performAndWait { _ = Person.named("dan", in: $0.context) }
    try context.saveAndWait(toPersistentStore: false)
    try list.settleAndWait()
    #expect(list.names == ["ann", "bob", "cid", "dan"])
    bench.onMain { main in main.rollback() }
    try list.settleAndWait()
    let fetched = try context.performAndWait { _ in try list.fetchedIDs() }
    #expect(list.snapshot.objectIDs == fetched)
    #expect(fetched.count == 3)
  }

  @Test func `a list that reads only what is committed shows an own edit that is saved at once`()
    throws
  {
    let context = bench.child("Careful", of: bench.mainContext)
    context.readsUncommitted = false
    let list = try list(
      Person.where(Where(format: "employer == nil OR employer.name != ''")), in: context)
    try list.settleAndWait()
    let ledger = bench.stack.coordinator.ledger
    ledger.withLock { ledger.journal.wake = nil }
    context.performAndWait { _ = Person.named("dan", in: $0.context) }
    try context.saveAndWait(toPersistentStore: false)
    try list.settleAndWait()
    let fetched = try context.performAndWait { _ in try list.fetchedIDs() }
    #expect(fetched.count == 4)
    #expect(list.snapshot.objectIDs == fetched)
  }

  @Test func `a number of what is committed counts the commit of what waited above`() throws {
    let context = bench.child("Careful", of: bench.mainContext)
    context.readsUncommitted = false
    let numbers = Locked<[Int]>([])
    let task = Task {
      for try await number in ObjectQuery<Person>().counts(in: context) {
        numbers.withLock { $0.append(number) }
      }
    }
    defer { task.cancel() }
    #expect(comesTrueSoon { numbers.withLock { $0 } == [3] })
    bench.onMain { main in
      Person.named("dan", in: main)
      main.processPendingChanges()
    }
    // It is looked at, and no other number.
    usleep(200_000)
    try bench.mainContext.saveAndWait(toPersistentStore: true)
    #expect(comesTrueSoon { numbers.withLock { $0 } == [3, 4] })
  }

  @Test func `a reference that another context has changed outlives the deletion of the old one`()
    throws
  {
    let maker = bench.child()
    let eve = Person.named("eve", in: maker)
    let (old, new) = (Passport.create(in: maker), Passport.create(in: maker))
    eve.passport = old
    try maker.saveAndWait(toPersistentStore: true)
    let ids = [eve.objectID, old.objectID, new.objectID]
    let context = bench.child("Alone")
    let held = try context.performAndWait { local in
      let person = try #require(try Person.find(ids[0], in: local))
      let passport = try #require(try Passport.find(ids[1], in: local))
      #expect(person.passport === passport && passport.holder === person)
      return Lent((person, passport))
    }
    let list = try list(Person.where(\.passport != nil).sorted(by: \.name), in: context)
    let sibling = bench.child("Sibling")
    try sibling.performAndWait { local in
      let other = try #require(try Passport.find(ids[2], in: local) as Passport?)
      try #require(try Person.find(ids[0], in: local)).passport = other
    }
    try sibling.saveAndWait(toPersistentStore: true)
    try list.settleAndWait()
    #expect(list.names == ["eve"])
    let ledger = bench.stack.coordinator.ledger
    ledger.withLock { ledger.journal.wake = nil }
    context.performAndWait { local in
      held.value.1.delete()
      local.context.processPendingChanges()
    }
    try list.settleAndWait()
    let fetched = try context.performAndWait { _ in try list.fetchedIDs() }
    #expect(list.snapshot.objectIDs == fetched)
    #expect(fetched == [ids[0]])
  }

  @Test func `the place behind the last of a section stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let list = try sectionedList()
      _ = list.snapshot.objectID(at: ListPath(section: 0, item: 2))
    }
  }

  @Test func `the place before the first of a section stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let list = try sectionedList()
      _ = list.snapshot.objectID(at: ListPath(section: 1, item: -1))
    }
  }
}

/// A list with the sections A, of two people, and B.
private func sectionedList() throws -> FetchedResultsController<Person> {
  let bench = try Bench()
  return try bench.onMain { main in
    for name in ["abe", "ann", "bob"] { Person.named(name, in: main) }
    return try Person.fetchAll(
      sortedBy: \.name, groupedBy: .firstLetter(of: \.name), in: main)
  }
}
