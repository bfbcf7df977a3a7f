import Cauldron
import Foundation
import TestSupport
import Testing

@Suite(.againstHanging) struct RollbackTests {
  @Test(arguments: [false, true])
  func `rollback undoes what was created, changed and deleted`(_ isPublished: Bool) throws {
    let bench = try Bench()
    let context = bench.child()
    let acme = Company.named("acme", in: context)
    let (a, b) = (Person.named("a", at: acme, in: context), Person.named("b", in: context))
    try context.save()
    #expect(acme.employees.count == 1)
    a.name = "changed"
    a.employer = nil
    b.delete()
    b.employer = acme
    let new = Person.named("new", at: acme, in: context)
    if isPublished { context.processPendingChanges() }
    context.rollback()
    #expect(a.name == "a" && a.employer === acme && !a.hasChanges)
    #expect(!b.isDeleted && b.employer == nil && !b.hasChanges)
    #expect(new.isDeleted && !context.hasChanges)
    #expect(acme.employees.objects == [a])
    #expect(try Person.names(in: context) == ["a", "b"])
    #expect(context.registeredObject(for: new.objectID) == nil)
    a.name = "again"
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["again", "b"])
  }

  @Test func `rollback of a deletion restores relationships`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let acme = Company.named("acme", in: context)
    let jack = Person.named("jack", at: acme, in: context)
    try context.saveAndWait(toPersistentStore: true)
    #expect(acme.employees.count == 1)
    acme.delete()
    context.processPendingChanges()
    #expect(jack.employer == nil)
    context.rollback()
    #expect(jack.employer === acme && acme.employees.objects == [jack] && !acme.isDeleted)
  }

  @Test func `rollback discards accepted pushes, and their objects follow`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let jack = Person.named("jack", in: parent)
    try parent.save()
    let child = bench.child("Child", of: parent)
    try Person.find(jack.objectID, in: child)?.name = "pushed"
    Person.named("new", in: child)
    try child.save()
    parent.processPendingChanges()
    let new = try #require(try Person.findFirst(where: \.name == "new", in: parent))
    #expect(jack.name == "pushed")
    parent.rollback()
    #expect(jack.name == "jack" && new.isDeleted && !parent.hasChanges)
    #expect(try Person.names(in: parent) == ["jack"])
  }

  @Test func `a save that waits for discarded changes ends with save.discarded`() async throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    Person.named("jack", in: child)
    // The parent's queue is held until the push has arrived and was thrown away.
    let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
    async let blocked: Void = parent.perform { context in
      continuation.finish()
      while !context.hasChanges { usleep(1_000) }
      context.rollback()
    }
    for await _ in begun {}
    await #expect {
      try await child.save(toPersistentStore: true)
    } throws: { ($0 as? CauldronError)?.code == .saveDiscarded }
    await blocked
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  @Test func `reset forgets objects and edits`() throws {
    let bench = try Bench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    try context.save()
    jack.name = "jill"
    Person.named("new", in: context)
    context.reset()
    #expect(context.registeredObjects.isEmpty && !context.hasChanges)
    let again = try #require(try Person.findFirst(in: context))
    #expect(again !== jack && again.name == "jack")
  }

  @Test(arguments: [false, true])
  func `refresh without merging drops the edits`(_ isPublished: Bool) throws {
    let bench = try Bench()
    let context = bench.child()
    let jack = Person.named("jack", in: context)
    try context.save()
    jack.name = "jill"
    if isPublished { context.processPendingChanges() }
    context.refresh(jack, mergeChanges: false)
    #expect(jack.isFault && !jack.isUpdated && jack.name == "jack")
    #expect(!context.hasChanges)
    try context.save()
    #expect(try Person.names(in: bench.root) == ["jack"])
  }

  @Test(arguments: [false, true])
  func `refresh with merging keeps the edits on the newest row`(_ isPublished: Bool) throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let jack = Person.named("jack", age: 1, in: context)
    try context.saveAndWait(toPersistentStore: true)
    jack.name = "mine"
    if isPublished { context.processPendingChanges() }
    let other = bench.child("Other")
    let copy = try #require(try Person.find(jack.objectID, in: other))
    copy.name = "theirs"
    copy.age = 2
    try other.saveAndWait(toPersistentStore: true)
    context.refresh(jack, mergeChanges: true)
    #expect(jack.name == "mine" && jack.age == 2)
    #expect(Array(jack.changedValues().keys) == ["name"])
    try context.saveAndWait(toPersistentStore: true)
    let stored = try Person.findFirst(in: bench.committed())
    #expect(stored?.name == "mine" && stored?.age == 2)
  }

  @Test func `a new object cannot be refreshed away`() throws {
    let context = try Bench().child()
    let jack = Person.named("jack", in: context)
    context.refresh(jack, mergeChanges: false)
    #expect(jack.name == "jack" && jack.isInserted && !jack.isFault)
  }
}
