import Cauldron
import Testing

@Suite struct VisibilityTests {
  @Test(arguments: StoreKind.allCases)
  func `a change becomes known level by level`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    Person.named("jack", in: child)
    #expect(try Person.count(in: parent) == 0 && !parent.hasChanges)
    try child.save()
    #expect(try Person.names(in: parent) == ["jack"] && parent.hasChanges && !child.hasChanges)
    #expect(try Person.count(in: bench.root) == 0)
    try parent.save()
    #expect(try Person.names(in: bench.root) == ["jack"] && !parent.hasChanges)
    #expect(try Person.count(in: bench.committed()) == 0)
    try bench.root.save()
    #expect(try Person.names(in: bench.committed()) == ["jack"] && !bench.root.hasChanges)
    if kind == .file { #expect(try Person.names(in: bench.reopened().root) == ["jack"]) }
  }

  @Test func `a new stack has what was saved into a parent, and nothing unsaved`() throws {
    let bench = try Bench(.file)
    let child = bench.child()
    Person.named("jack", in: child)
    try child.save()
    Person.named("jill", in: child)
    #expect(try Person.names(in: bench.reopened().root) == ["jack"])
  }

  @Test func `a child that goes away takes its edits with it`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let jack = Person.named("jack", in: parent)
    try parent.save()
    var child: ManagedObjectContext? = bench.child("Child", of: parent)
    if let child {
      try Person.find(jack.objectID, in: child)?.name = "jill"
      Person.named("other", in: child)
      child.processPendingChanges()
      #expect(try Person.names(in: child) == ["jill", "other"])
    }
    child = nil
    #expect(try Person.names(in: parent) == ["jack"] && !parent.hasChanges)
    #expect(jack.name == "jack")
  }

  @Test func `what a child has saved stays when it goes away`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    var child: ManagedObjectContext? = bench.child("Child", of: parent)
    if let child { Person.named("jack", in: child) }
    try child?.save()
    child = nil
    #expect(try Person.names(in: parent) == ["jack"])
  }

  @Test func `pushes that a context accepted move on when it goes away`() throws {
    let bench = try Bench()
    var parent: ManagedObjectContext? = bench.child("Parent")
    var child: ManagedObjectContext? = parent.map { bench.child("Child", of: $0) }
    if let child, let parent {
      Person.named("jack", in: child)
      Person.named("lost", in: parent)
    }
    try child?.save()
    child = nil
    parent = nil
    #expect(try Person.names(in: bench.root) == ["jack"])
  }

  @Test func `a child learns of the parent's later change at a refresh or a first fetch`() throws {
    let bench = try Bench(.file)
    let parent = bench.child("Parent")
    let (a, b) = (Person.named("a", in: parent), Person.named("b", in: parent))
    try parent.saveAndWait(toPersistentStore: true)
    let child = bench.child("Child", of: parent)
    let copy = try #require(try Person.find(a.objectID, in: child))
    a.name = "a2"
    b.name = "b2"
    parent.processPendingChanges()
    #expect(copy.name == "a")
    #expect(try Person.find(b.objectID, in: child)?.name == "b2")
    child.refresh(copy, mergeChanges: true)
    #expect(copy.name == "a2")
    a.name = "a3"
    parent.processPendingChanges()
    child.refresh(copy, mergeChanges: false)
    #expect(copy.isFault && copy.name == "a3")
  }

  @Test func `a parent's registered objects follow at its next event`() throws {
    let bench = try Bench()
    let id = bench.onMain { Person.named("jack", in: $0).objectID }
    try bench.onMain { try $0.save() }
    bench.settleMain()
    let child = bench.child("Child", of: bench.mainContext)
    try Person.find(id, in: child)?.name = "jill"
    try bench.onMain { context in
      let jack = try Person.find(id, in: context)
      try child.save()
      #expect(jack?.name == "jack")
      context.processPendingChanges()
      #expect(jack?.name == "jill" && jack?.isUpdated == true)
    }
  }

  @Test func `a private parent follows by itself once it is used through its queue`() async throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let id = await parent.perform { context in
      let jack = Person.named("jack", in: context.context)
      context.context.mark(jack)
      return jack.objectID
    }
    let child = bench.child("Child", of: parent)
    try Person.find(id, in: child)?.name = "jill"
    try await child.save()
    let name = await parent.perform { _ in Kept.name(id) }
    #expect(name == "jill")
    await parent.perform { _ in Kept.drop(id) }
  }
}

/// Keeps objects alive between blocks, as a program's own structures would.
private enum Kept {
  nonisolated(unsafe) private static var objects: [ManagedObjectID: Person] = [:]
  static func keep(_ person: Person) { objects[person.objectID] = person }
  static func name(_ id: ManagedObjectID) -> String? { objects[id]?.name }
  static func drop(_ id: ManagedObjectID) { objects[id] = nil }
}

extension ManagedObjectContext {
  fileprivate func mark(_ person: Person) { Kept.keep(person) }
}
