import Cauldron
import CauldronModel
import Foundation
import Observation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

extension Person {
  /// What the compiler makes no property of the entity of.
  fileprivate var title: String { "\(name), \(age)" }
}

@Suite(.againstHanging, .ownThread) struct ObservedObjectTests {
  private let bench: Bench
  private let told = Told()
  private let ids: [ManagedObjectID]

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    let company = Company.named("acme", in: maker)
    ids =
      [company.objectID]
      + ["ann", "bob"].map { Person.named($0, at: company, in: maker).objectID }
    try maker.saveAndWait(toPersistentStore: true)
  }

  /// Runs a block with the company and its two people, all of them read.
  private func onMain<R>(
    _ body: (ManagedObjectContext, Company, Person, Person) throws -> R
  ) throws -> R {
    try bench.onMain { main in
      let company = try #require(try Company.find(ids[0], in: main))
      let people = try ids[1...].map { try #require(try Person.find($0, in: main)) }
      return try body(main, company, people[0], people[1])
    }
  }

  private func comesTrue(_ isTrue: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(10 * slack)
    while ContinuousClock.now < end {
      if try isTrue() { return true }
      usleep(2_000)
    }
    return false
  }

  @Test func `an edit is told once and when it is made, and that of another property is not`()
    throws
  {
    try onMain { main, _, ann, bob in
      told.watch { #expect(ann.observed.name == "ann") }
      ann.age = 3
      bob.name = "ben"
      main.processPendingChanges()
      #expect(told.take() == 0)
      let seen = Locked<[String]>([])
      let held = Lent(ann)
      withObservationTracking {
        _ = ann.observed.name
      } onChange: {
        seen.withLock { $0.append(held.value.name) }
      }
      ann.name = "amy"
      ann.name = "ada"
      #expect(seen.withLock { $0 } == [])
      main.processPendingChanges()
      #expect(told.take() == 1)
      #expect(seen.withLock { $0 } == ["ada"])
      told.watch { #expect(ann.observed.name == "ada") }
      try ann.setValue("abe", forKey: "name")
      try main.save()
      #expect(told.take() == 1)
      ann.name = "ada"
      told.watch { #expect(ann.observed.name == "ada") }
      main.processPendingChanges()
      #expect(told.take() == 0)
    }
  }

  @Test func `observers are told when an event of the main queue or a private block ends`() throws {
    try onMain { _, _, ann, _ in
      told.watch { _ = ann.observed.name }
      ann.name = "amy"
    }
    bench.settleMain()
    #expect(told.take() == 1)
    let context = bench.child()
    try context.performAndWait { local in
      let bob = try #require(try Person.find(ids[2], in: local))
      told.watch { _ = bob.observed.name }
      bob.name = "ben"
    }
    #expect(told.take() == 1)
  }

  @Test func `an observer may edit, observe anew and save`() throws {
    try onMain { main, _, ann, bob in
      let held = Lent((ann, bob, main))
      let told = told
      withObservationTracking {
        _ = ann.observed.name
      } onChange: {
        let (ann, bob, main) = held.value
        told.watch { _ = bob.observed.name }
        bob.name = ann.name
        ann.name = "ada"
        try? main.save()
      }
      ann.name = "amy"
      main.processPendingChanges()
      #expect(told.take() == 1)
      let names = try Person.names(in: main)
      #expect(names == ["ada", "amy"])
      #expect(!main.hasChanges)
    }
  }

  @Test func `a computed property observes the whole object`() throws {
    try onMain { main, _, ann, bob in
      told.watch { #expect(ann.observed.title == "ann, 0") }
      bob.age = 7
      main.processPendingChanges()
      #expect(told.take() == 0)
      ann.email = "a@b.c"
      main.processPendingChanges()
      #expect(told.take() == 1)
      told.watch { _ = ann.observed.title }
      ann.employer = nil
      main.processPendingChanges()
      #expect(told.take() == 1)
    }
  }

  @Test func `a relationship is told at both of its ends`() throws {
    try onMain { main, acme, ann, bob in
      let other = Company.named("ajax", in: main)
      let (to, from, toOther) = (Told(), Told(), Told())
      func watch() {
        told.watch { _ = bob.observed.employer }
        to.watch { _ = ann.observed.employer }
        from.watch { _ = acme.observed.employees }
        toOther.watch { _ = other.observed.employees.count }
      }
      func all() -> [Int] {
        main.processPendingChanges()
        return [told, to, from, toOther].map { $0.take() }
      }
      watch()
      ann.employer = other
      #expect(all() == [0, 1, 1, 1])
      watch()
      acme.employees.remove(bob)
      #expect(all() == [1, 0, 1, 0])
      watch()
      acme.employees = [ann, bob]
      #expect(all() == [1, 1, 1, 1])
      watch()
      ann.name = "amy"
      #expect(all() == [0, 0, 0, 0])
      Person.named("cid", at: acme, in: main)
      #expect(all() == [0, 0, 1, 0])
      watch()
      let passport = Passport.create(in: main)
      let holder = Told()
      holder.watch { _ = passport.observed.holder }
      ann.passport = passport
      main.processPendingChanges()
      #expect(holder.take() == 1)
      #expect(all() == [0, 0, 0, 0])
    }
  }

  @Test func `a deletion tells all of the object, and those that lose it`() throws {
    try onMain { main, acme, ann, bob in
      let (name, age, employer) = (Told(), Told(), Told())
      name.watch { _ = ann.observed.name }
      age.watch { _ = ann.observed.age }
      employer.watch { _ = bob.observed.employer }
      told.watch { _ = acme.observed.employees.count }
      ann.delete()
      main.processPendingChanges()
      #expect(name.take() == 1)
      #expect(age.take() == 1)
      #expect(told.take() == 1)
      #expect(acme.employees.count == 1)
      #expect(employer.take() == 0)
      acme.delete()
      main.processPendingChanges()
      #expect(employer.take() == 1)
      #expect(bob.employer == nil)
    }
  }

  @Test func `rollback, refresh and reset tell`() throws {
    try onMain { main, acme, ann, bob in
      ann.name = "amy"
      bob.delete()
      main.processPendingChanges()
      let (age, deleted) = (Told(), Told())
      told.watch { _ = ann.observed.name }
      age.watch { _ = ann.observed.age }
      deleted.watch { _ = acme.observed.employees.count }
      main.rollback()
      #expect(told.take() == 1)
      #expect(age.take() == 0)
      #expect(deleted.take() == 1)
      #expect(ann.name == "ann")
      ann.name = "amy"
      main.processPendingChanges()
      told.watch { #expect(ann.observed.name == "amy") }
      main.refresh(ann, mergeChanges: false)
      #expect(told.take() == 1)
      #expect(ann.name == "ann")
      told.watch { _ = ann.observed.name }
      main.refresh(ann, mergeChanges: true)
      #expect(told.take() == 0)
      main.reset()
      #expect(told.take() == 1)
    }
    #expect(bench.mainContext.core.announcer.cells?.count == 0)
  }

  @Test func `what a child and a sibling save is told when it can be read`() throws {
    let seen = Locked<[String]>([])
    let main = bench.mainContext
    let (count, age) = (Told(), Told())
    func watch(_ company: Company, _ ann: Person) {
      count.watch { _ = company.observed.employees }
      age.watch { _ = ann.observed.age }
      let id = ids[1]
      withObservationTracking {
        _ = ann.observed.name
      } onChange: {
        seen.withLock { $0.append((try? Person.find(id, in: main)?.name) ?? "") }
      }
    }
    let held = try onMain { _, company, ann, _ in
      watch(company, ann)
      return Lent((company, ann))
    }
    let child = bench.child("Edit", of: main)
    try child.performAndWait { local in
      let ann = try #require(try Person.find(ids[1], in: local))
      ann.name = "amy"
      Person.named("cid", in: local.context)
      try local.context.save()
    }
    #expect(comesTrue { seen.withLock { $0 } == ["amy"] })
    bench.settleMain()
    #expect(count.take() == 0)
    #expect(age.take() == 0)
    bench.onMain { _ in watch(held.value.0, held.value.1) }
    let sibling = bench.child("Import")
    try sibling.performAndWait { local in
      let company = try #require(try Company.find(ids[0], in: local))
      try #require(try Person.find(ids[1], in: local)).email = "a@b.c"
      Person.named("dan", at: company, in: local.context)
    }
    try sibling.saveAndWait(toPersistentStore: true)
    #expect(comesTrue { count.take() == 1 })
    #expect(age.take() == 0)
    #expect(seen.withLock { $0 } == ["amy"])
    #expect(try onMain { _, company, _, _ in company.employees.count } == 3)
  }

  @Test func `what another program commits is told without a fetch`() throws {
    let other = OtherProgram(bench)
    let (email, employees) = (Told(), Told())
    try onMain { _, acme, ann, _ in
      told.watch { _ = ann.observed.name }
      email.watch { _ = ann.observed.email }
      employees.watch { _ = acme.observed.employees.count }
    }
    #expect(comesTrue { bench.stack.coordinator.lookout.withLock { $0.isWatching } })
    #expect(other.change(ids[1], "ZNAME = 'new'"))
    #expect(comesTrue { told.take() == 1 })
    let name = try onMain { _, _, ann, _ in ann.name }
    #expect(name == "new")
    #expect(employees.take() == 1)
    #expect(email.take() == 0)
    try onMain { _, acme, _, _ in employees.watch { #expect(acme.observed.employees.count == 2) } }
    #expect(other.delete(ids[2]))
    #expect(comesTrue { employees.take() == 1 })
    #expect(other.delete(ids[1]))
    #expect(comesTrue { email.take() == 1 })
    // Nobody observes any more, so nobody watches.
    #expect(
      comesTrue {
        bench.onMain { $0.performAndWait { _ in } }
        return !bench.stack.coordinator.lookout.withLock { $0.isWatching }
      })
  }
}
