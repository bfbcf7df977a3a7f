import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct LifetimeTests {
  @Test func `a context goes away with its last reference, its objects notwithstanding`() throws {
    let bench = try Bench()
    weak var weakContext: ManagedObjectContext?
    var person: Person?
    do {
      let context = bench.child()
      weakContext = context
      person = Person.named("jack", in: context)
      #expect(person?.managedObjectContext === context)
      person?.age = 3
      try context.save()
    }
    #expect(weakContext == nil && person?.managedObjectContext == nil)
    person = nil
  }

  @Test func `a context goes away after perform and saves`() async throws {
    let bench = try Bench()
    weak var weakContext: ManagedObjectContext?
    do {
      let context = bench.child("Child", of: bench.mainContext)
      weakContext = context
      await context.perform { local in _ = Person.named("jack", in: local.context) }
      try await context.save(toPersistentStore: true)
    }
    for _ in 0..<6_000 where weakContext != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(weakContext == nil)
  }

  @Test func `contexts may go away while others tell them of saves`() throws {
    let bench = try Bench()
    let saver = bench.child("Saver")
    let isDone = Locked(false)
    let gone = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      while !isDone.withLock({ $0 }) {
        let sibling = bench.child("Sibling")
        sibling.performAndWait { local in _ = Person.named("other", in: local.context) }
      }
      gone.signal()
    }
    for number in 0..<500 {
      Person.named("\(number)", in: saver)
      try saver.save()
    }
    isDone.withLock { $0 = true }
    gone.wait()
    #expect(try Person.count(in: saver) == 500)
  }

  @Test func `queued work keeps its context`() async throws {
    let bench = try Bench()
    let count = await withCheckedContinuation { continuation in
      bench.child().perform { local in
        Person.named("jack", in: local.context)
        continuation.resume(returning: (try? Person.count(in: local)) ?? -1)
      }
    }
    #expect(count == 1)
  }

  @Test func `a stack goes away`() throws {
    weak var weakStack: Stack?
    weak var coordinator: AnyObject?
    do {
      let bench = try Bench(.file)
      weakStack = bench.stack
      coordinator = bench.stack.coordinator
      let context = bench.child("Child", of: bench.mainContext)
      Person.named("jack", at: Company.named("a", in: context), in: context)
      try context.saveAndWait(toPersistentStore: true)
      bench.settleMain()
    }
    #expect(weakStack == nil && coordinator == nil)
  }

  @Test func `objects may be released on any thread after everything else`() async throws {
    final class Box: @unchecked Sendable { var people: [Person] = [] }
    let box = Box()
    do {
      let bench = try Bench(.file)
      let context = bench.child()
      let acme = Company.named("acme", in: context)
      box.people = (0..<200).map { Person.named("\($0)", at: acme, in: context) }
      try await context.save(toPersistentStore: true)
      _ = acme.employees.count
      box.people[3].name = "edited"
    }
    try await onGlobalQueue { box.people = [] }
  }

  @Test func `clean objects that nobody holds leave the context at the end of a block`()
    async throws
  {
    let bench = try Bench()
    let maker = bench.child()
    for number in 0..<100 { Person.named("\(number)", age: number, in: maker) }
    try await maker.save()
    let context = bench.child("Reader")
    await context.perform { local in
      #expect((try? Person.findAll(in: local).count) == 100)
      #expect(local.context.registeredObjects.count == 100)
    }
    await context.perform { local in #expect(local.context.registeredObjects.isEmpty) }
    try await context.perform { local in
      let people = try Person.findAll(where: \.age < 2, in: local)
      people[0].name = "edited"
    }
    await context.perform { local in
      #expect(
        local.context.registeredObjects.map { $0.value(forKey: "name") as? String } == ["edited"])
    }
    try await context.perform { local in try local.save() }
    await context.perform { local in #expect(local.context.registeredObjects.isEmpty) }
  }

  @Test func `main's unreferenced objects leave at the end of the turn`() throws {
    let bench = try Bench()
    let maker = bench.child()
    for number in 0..<50 { Person.named("\(number)", in: maker) }
    try maker.save()
    let kept = try bench.onMain { try Person.findFirst(in: $0) }
    let count = try bench.onMain { try Person.findAll(in: $0).count }
    #expect(count == 50)
    bench.settleMain()
    #expect(bench.onMain { $0.registeredObjects.count } == 1)
    withExtendedLifetime(kept) {}
  }

  @Test func `objects that were deleted elsewhere leave the context, too`() async throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let ids = await parent.perform { local in
      let people = (0..<10).map { Person.named("\($0)", in: local.context) }
      return people.map(\.objectID)
    }
    try await parent.perform { local in try local.save() }
    try await parent.perform { local in
      let people = try Person.findAll(in: local)
      let child = bench.child("Child", of: local.context)
      for id in ids { try Person.find(id, in: child)?.delete() }
      try child.save()
      local.processPendingChanges()
      #expect(people.allSatisfy { $0.isDeleted })
    }
    await parent.perform { local in #expect(local.context.registeredObjects.isEmpty) }
  }
}
