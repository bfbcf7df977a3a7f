import Cauldron
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// A child that reads an object has its parent's edits published early, and of that nothing is to be
/// noticed in the parent.
@Suite(.againstHanging) struct EarlyPublicationTests {
  private let bench: Bench
  private let main: ManagedObjectContext
  private let sheet: ManagedObjectContext
  private let told = Locked<[String]>([])

  init() throws {
    bench = try Bench()
    main = bench.child("Parent")
    sheet = ManagedObjectContext(.private, parent: main, name: "Sheet")
    Person.named("old", at: Company.named("acme", in: main), in: main)
    try main.saveAndWait(toPersistentStore: true)
  }

  private func old() throws -> Person {
    try #require(try Person.findFirst(\.name, "old", in: main))
  }

  /// Notes what the parent tells of its objects until the result is released.
  private func listen() -> ContextObservation {
    main.observe { [told] change in
      guard change.kind == .objectsDidChange else { return }
      let parts = [
        "inserted": change.inserted.count, "updated": change.updated.count,
        "deleted": change.deleted.count,
      ]
      let text = parts.filter { $1 > 0 }.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
      told.withLock { $0.append(text.joined(separator: ", ")) }
    }
  }

  @Test func `the event tells once, at its end, of all that it did`() throws {
    let old = try old()
    let listening = listen()
    try main.performAndWait { (_) throws -> Void in
      old.age = 1
      #expect(old.in(sheet).age == 1)
      let new = Person.named("new", in: main)
      #expect(new.in(sheet).name == "new")
      old.name = "older"
      new.age = 3
      #expect(try #require(try Person.find(new.objectID, in: sheet)).name == "new")
      #expect(told.withLock { $0 } == [])
    }
    #expect(told.withLock { $0 } == ["inserted 1, updated 1"])
    withExtendedLifetime(listening) {}
  }

  @Test func `an edit that a refresh drops is neither told nor a step of an undo`() throws {
    let old = try old()
    let listening = listen()
    main.performAndWait { _ in
      main.undoManager = UndoManager()
      old.name = "older"
      #expect(old.in(sheet).name == "older")
      main.refresh(old, mergeChanges: false)
      #expect(old.changedValuesForCurrentEvent().isEmpty)
    }
    main.performAndWait { _ in
      #expect(main.undoManager?.canUndo == false && !main.hasChanges)
      #expect(old.name == "old")
    }
    #expect(told.withLock { $0 }.allSatisfy { !$0.contains("updated") })
    withExtendedLifetime(listening) {}
  }

  @Test func `a fetch below tells at once, as one in the context does`() throws {
    let old = try old()
    let listening = listen()
    try main.performAndWait { (_) throws -> Void in
      old.age = 1
      #expect(try Person.count(in: sheet) == 1)
      #expect(told.withLock { $0 } == ["updated 1"])
      Person.named("new", in: main)
    }
    #expect(told.withLock { $0 } == ["updated 1", "inserted 1"])
    withExtendedLifetime(listening) {}
  }

  @Test func `what was created and deleted again in the event is not told of`() throws {
    let listening = listen()
    main.performAndWait { _ in
      let new = Person.named("new", in: main)
      #expect(new.in(sheet).name == "new")
      new.delete()
    }
    #expect(told.withLock { $0 } == [])
    #expect(!main.performAndWait { $0.hasChanges })
    #expect(try Person.names(in: sheet) == ["old"])
    withExtendedLifetime(listening) {}
  }

  @Test func `changedValuesForCurrentEvent stays until the event ends`() throws {
    let old = try old()
    let company = try #require(old.employer)
    main.performAndWait { _ in
      old.age = 1
      let new = Person.named("new", at: company, in: main)
      #expect(old.in(sheet).age == 1)
      #expect(old.changedValuesForCurrentEvent().keys.sorted() == ["age"])
      old.email = "x"
      #expect(old.changedValuesForCurrentEvent().keys.sorted() == ["age", "email"])
      #expect(new.changedValuesForCurrentEvent().keys.sorted() == ["age", "employer", "name"])
      #expect(old.changedValues().keys.sorted() == ["age", "email"])
      old.age = 0
      #expect(old.changedValuesForCurrentEvent().keys.sorted() == ["email"])
      // Its value is a walk, which publishes.
      #expect(company.changedValuesForCurrentEvent().keys.sorted() == ["employees"])
    }
    main.performAndWait { _ in
      for object in [old, company] as [ManagedObject] {
        #expect(object.changedValuesForCurrentEvent().isEmpty)
      }
      old.name = "older"
      #expect(old.changedValuesForCurrentEvent().keys.sorted() == ["name"])
    }
  }

  @Test(arguments: [true, false])
  func `an event that was published early is one step of an undo`(_ groupsByEvent: Bool) throws {
    let old = try old()
    let manager = UndoManager()
    manager.groupsByEvent = groupsByEvent
    main.performAndWait { _ in main.undoManager = manager }
    main.performAndWait { _ in old.age = 1 }
    main.performAndWait { _ in
      old.age = 2
      #expect(old.in(sheet).age == 2)
      let new = Person.named("new", in: main)
      #expect(new.in(sheet).name == "new")
      old.name = "older"
      #expect(old.in(sheet).age == 2)
    }
    try main.performAndWait { (_) throws -> Void in
      try main.undo()
      #expect(old.age == 1 && old.name == "old")
      #expect(try Person.names(in: main) == ["old"])
      try main.redo()
      #expect(old.age == 2 && old.name == "older")
      #expect(try Person.names(in: main) == ["new", "older"])
      try main.undo()
      try main.undo()
      #expect(old.age == 0 && !manager.canUndo)
    }
  }

  @Test func `a deletion waits for the event's end, and takes along what the rules say`() throws {
    let old = try old()
    let company = try #require(old.employer)
    let listening = listen()
    try main.performAndWait { (_) throws -> Void in
      company.delete()
      old.age = 1
      #expect(old.in(sheet).employer?.name == "acme" && old.in(sheet).age == 1)
      #expect(old.employer === company && main.deletedObjects == [company])
      #expect(main.hasChanges)
      // Not each time anew.
      let publications = main.core.event.publications
      for _ in 0..<10 { #expect(try Person.find(old.objectID, in: sheet)?.age == 1) }
      #expect(main.core.event.publications == publications)
      old.age = 2
      let other = bench.child("Other", of: main)
      #expect(try Person.find(old.objectID, in: other)?.age == 2)
    }
    main.performAndWait { _ in #expect(old.employer == nil && old.age == 2) }
    #expect(told.withLock { $0 } == ["deleted 1, updated 1"])
    #expect(try Company.count(in: sheet) == 0)
    withExtendedLifetime(listening) {}
  }

  @Test func `a rollback takes back what was published early`() throws {
    let old = try old()
    try main.performAndWait { (_) throws -> Void in
      old.age = 1
      let new = Person.named("new", in: main)
      #expect(new.in(sheet).name == "new")
      main.rollback()
      #expect(old.age == 0 && !main.hasChanges)
      #expect(try Person.count(in: sheet) == 1)
      old.age = 5
      let other = bench.child("Other", of: main)
      #expect(try Person.find(old.objectID, in: other)?.age == 5)
    }
  }

  @Test func `reads below that alternate with edits cost no more each time`() throws {
    let old = try old()
    let child = bench.child("c", of: main)
    try main.performAndWait { (_) throws -> Void in
      for number in 1...2_000 {
        old.age = number
        let copy = try #require(child.object(with: old.objectID) as? Person)
        child.refresh(copy, mergeChanges: false)
        #expect(copy.age == number)
      }
      #expect(main.core.event.untold.count < 16)
    }
    main.performAndWait { _ in #expect(old.age == 2_000) }
  }

  @Test func `IDs, in(_:) and new children publish nothing`() throws {
    let old = try old()
    main.performAndWait { _ in
      old.age = 1
      let publications = main.core.event.publications
      let (child, other) = (bench.child("c", of: main), bench.child("d", of: main))
      let copy = old.in(child)
      #expect(copy.isFault && copy.objectID == old.objectID)
      #expect(!Person.create(in: other).objectID.isTemporaryID)
      #expect(main.core.event.publications == publications)
    }
  }

  @Test func `a hook of the parent may read below, and what it did before is seen there`() throws {
    let manager = UndoManager()
    try main.performAndWait { (_) throws -> Void in
      main.undoManager = manager
      let note = try #require(try Person.findFirst(in: main))
      note.age = 9
      let center = NotificationCenter.default
      let seen = Locked(0)
      let (id, child) = (note.objectID, bench.child("c", of: main))
      let observer = center.addObserver(
        forName: ManagedObjectContext.didChangeObjectsNotification, object: main, queue: nil
      ) { _ in
        seen.withLock { $0 = (try? Person.find(id, in: child))??.age ?? -1 }
      }
      main.processPendingChanges()
      center.removeObserver(observer)
      #expect(seen.withLock { $0 } == 9)
    }
  }
}
