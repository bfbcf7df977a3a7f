import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

/// Names that Core Data has for what is called otherwise here.
@Suite(.againstHanging, .ownThread) struct CoreDataNameTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  @Test func `a stack has the names of a container`() async throws {
    #expect(bench.stack.viewContext === bench.stack.defaultContext)
    let name = try await bench.stack.performBackgroundTask { context in
      let person = Person.named("ann", in: context.context)
      try context.save()
      return person.name
    }
    #expect(name == "ann")
    #expect(try bench.onMain { try Person.findAll(in: $0).map(\.name) } == ["ann"])
  }

  @Test func `a background task that is not waited for saves nothing by itself`() throws {
    let done = DispatchSemaphore(value: 0)
    bench.stack.performBackgroundTask { context in
      Person.named("bob", in: context.context)
      done.signal()
    }
    done.wait()
    #expect(try bench.onMain { try Person.findAll(in: $0).isEmpty })
  }

  @Test func `a container's name is that of its store`() throws {
    var configuration = StackConfiguration()
    configuration.readOnly = true
    let name = "no-such-store-\(UUID())"
    let error = cauldronError {
      _ = try Stack(name: name, model: bench.stack.model, configuration: configuration)
    }
    #expect(error?.path?.hasSuffix("/\(name).sqlite") == true)
  }

  @Test func `notifications give sets of objects and of IDs`() throws {
    let context = bench.child()
    let ann = Person.named("ann", in: context)
    let bob = Person.named("bob", in: context)
    let gone = bob.objectID
    try context.save()
    let told = Locked<[String: [String]]>([:])
    let token = NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.didSaveObjectsNotification, object: context, queue: nil
    ) { notification in
      told.withLock {
        $0["inserted"] = notification.insertedObjects.compactMap { ($0 as? Person)?.name }
        $0["updated"] = notification.updatedObjects.compactMap { ($0 as? Person)?.name }
        $0["deleted"] = notification.deletedObjectIDs.map { "\($0 == gone)" }
        $0["change"] = notification.contextChange?.inserted.map { _ in "one" } ?? []
        $0["none"] = notification.refreshedObjects.map { "\($0)" }
      }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    ann.age = 7
    bob.delete()
    Person.named("cid", in: context)
    try context.save()
    #expect(
      told.withLock { $0 } == [
        "inserted": ["cid"], "updated": ["ann"], "deleted": ["true"], "change": ["one"], "none": [],
      ])
  }

  @Test func `IDs are in notifications with IDs alone, and another's has none`() throws {
    let context = bench.child()
    let told = Locked(0)
    let token = NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.didSaveObjectIDsNotification, object: context, queue: nil
    ) { notification in
      told.withLock { $0 = notification.insertedObjectIDs.count }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    Person.named("ann", in: context)
    try context.save()
    #expect(told.withLock { $0 } == 1)
    let other = Notification(name: Notification.Name("x"))
    #expect(other.insertedObjects.isEmpty && other.insertedObjectIDs.isEmpty)
    #expect(other.contextChange == nil)
  }

  @Test func `a list gives the objects of a section, and one by section and item`() throws {
    let maker = bench.child()
    for name in ["ann", "bob", "ada"] { Person.named(name, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
    try bench.onMain { main in
      let list = FetchedResultsController(
        Person.fetchRequest(sortedBy: \.name), in: main, sectionBy: .firstLetter(of: \.name))
      try list.performFetchAndWait()
      #expect(list.sections.map { list.objects(in: $0).map(\.name) } == [["ada", "ann"], ["bob"]])
      #expect(list[section: 0, item: 1].name == "ann")
      #expect(list[ListPath(section: 1, item: 0)].name == "bob")
    }
  }
}
