import Cauldron
import TestSupport
import Testing

/// What code does in a context and then asks of a child is seen there, although the event has not ended.
@Suite(.againstHanging) struct ProgramOrderTests {
  private let bench: Bench
  private let old: ManagedObjectID

  init() throws {
    bench = try Bench()
    let maker = bench.child("Maker")
    old = Person.named("old", age: 1, in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
  }

  /// What the running event of the main context does, and a context below it on the same queue.
  private func inOneEvent<R>(
    _ body: (_ main: ManagedObjectContext, _ child: ManagedObjectContext) throws -> R
  ) throws -> R {
    let result = try bench.onMain { main in
      try body(main, ManagedObjectContext(.main, parent: main, name: "Sheet"))
    }
    bench.settleMain()
    return result
  }

  @Test func `a property read in a child shows what its parent has just set`() throws {
    try inOneEvent { (main, child) throws -> Void in
      let new = Person.named("new", age: 7, in: main)
      try #require(try Person.find(old, in: main)).age = 2
      let copy = new.in(child)
      #expect(copy.name == "new" && copy.age == 7 && !copy.isDeleted && !copy.isFault)
      #expect((child.object(with: old) as? Person)?.age == 2)
    }
  }

  @Test func `find, fetch and count of a child include what its parent has just made`() throws {
    try inOneEvent { (main, child) throws -> Void in
      let id = Person.named("a", in: main).objectID
      #expect(try Person.find(id, in: child)?.name == "a")
      Person.named("b", in: main)
      #expect(try Person.names(in: child) == ["a", "b", "old"])
      Person.named("c", in: main)
      #expect(try Person.count(in: child) == 4)
      Person.named("d", in: main)
      #expect(try child.fetchObjectIDs(FetchRequest<Person>()).count == 5)
    }
  }

  @Test func `a walk of a child's object includes what its parent has just linked`() throws {
    try inOneEvent { (main, child) throws -> Void in
      let company = Company.named("acme", in: main)
      let copy = company.in(child)
      #expect(copy.name == "acme")
      Person.named("a", at: company, in: main)
      #expect(copy.employees.map(\.name) == ["a"])
      Person.named("b", at: company, in: main)
      #expect(try child.counts(of: "employees", for: [copy])[copy.objectID] == 2)
    }
  }

  @Test func `an object made here and edited in a child in one event keeps both edits`() throws {
    let person = try inOneEvent { main, child in
      let person = Person.named("", age: 1, in: main)
      let copy = person.in(child)
      copy.name = "jack"
      try child.save()
      return Held(person)
    }
    bench.onMain { _ in #expect(person.object.name == "jack" && person.object.age == 1) }
    _ = try bench.onMain { try $0.saveAndWait(toPersistentStore: true) }
    #expect(try Person.names(in: bench.committed()) == ["jack", "old"])
  }

  @Test func `a property set here and then in a child in one event has no conflict`() throws {
    try inOneEvent { (main, child) throws -> Void in
      let person = try #require(try Person.find(old, in: main))
      person.age = 2
      let copy = person.in(child)
      #expect(copy.age == 2)
      copy.age += 1
      try child.save()
      main.processPendingChanges()
      #expect(person.age == 3)
      person.age += 1
      // It has read the object before.
      #expect(copy.age == 3)
    }
    _ = try bench.onMain { try $0.saveAndWait(toPersistentStore: true) }
    #expect(try Person.find(old, in: bench.committed())?.age == 4)
  }

  @Test
  func `what a child had read before its parent edited it is a conflict, and nothing is lost`()
    throws
  {
    try inOneEvent { (main, child) throws -> Void in
      let copy = try #require(try Person.find(old, in: child))
      #expect(copy.age == 1)
      try #require(try Person.find(old, in: main)).age = 2
      copy.age = 5
      #expect(cauldronError { try child.save() }?.code == .saveConflict)
      #expect(copy.age == 5 && child.hasChanges)
    }
    bench.onMain { #expect(($0.object(with: old) as? Person)?.age == 2) }
  }

  @Test func `an object of a child may refer to what its parent has just made`() throws {
    let company = try inOneEvent { main, child in
      let company = Company.named("acme", in: main)
      Person.named("a", at: company.in(child), in: child)
      try child.save()
      return Held(company)
    }
    try bench.onMain { main in
      #expect(company.object.employees.map(\.name) == ["a"])
      _ = try main.saveAndWait(toPersistentStore: true)
    }
    let committed = bench.committed()
    #expect(try Person.findFirst(\.name, "a", in: committed)?.employer?.name == "acme")
  }

  @Test func `a child of a child sees what both of its ancestors did`() throws {
    try inOneEvent { (main, child) throws -> Void in
      let company = Company.named("acme", in: main)
      let person = Person.named("a", in: child)
      person.employer = company.in(child)
      let leaf = ManagedObjectContext(.main, parent: child, name: "Leaf")
      let copy = person.in(leaf)
      #expect(copy.employer?.name == "acme")
      copy.age = 3
      copy.employer?.rating = 5
      try leaf.save()
      child.processPendingChanges()
      #expect(person.age == 3)
      try child.save()
      main.processPendingChanges()
      #expect(company.rating == 5 && company.employees.map(\.age) == [3])
    }
  }

  @Test func `performAndWait of a private child sees what the calling event did`() throws {
    let person = try inOneEvent { main, _ in
      let person = Person.named("a", in: main)
      let id = person.objectID
      let child = bench.child("Private", of: main)
      try child.performAndWait { local in
        let copy = try #require(try Person.find(id, in: local))
        copy.age = 4
        try local.save()
      }
      return Held(person)
    }
    bench.onMain { _ in #expect(person.object.age == 4) }
  }

  @Test func `perform that is not waited for sees what was done before it`() throws {
    let (person, child) = try inOneEvent { main, _ in
      let person = Person.named("a", in: main)
      let id = person.objectID
      let child = bench.child("Private", of: main)
      child.perform { local in
        (local.object(with: id) as? Person)?.age = 4
        try? local.save()
      }
      return (Held(person), child)
    }
    child.performAndWait { #expect(!$0.hasChanges) }
    bench.settleMain()
    bench.onMain { _ in #expect(person.object.age == 4) }
  }

  @Test func `contexts on private queues keep the order of their thread, too`() throws {
    let parent = bench.child("Parent")
    let person = try parent.performAndWait { local in
      let person = Person.named("a", in: local.context)
      let id = person.objectID
      let child = bench.child("Inner", of: local.context)
      try child.performAndWait { inner in
        try #require(try Person.find(id, in: inner)).age = 4
        try inner.save()
      }
      return Held(person)
    }
    parent.performAndWait { _ in #expect(person.object.age == 4) }
  }

  @Test func `a context that its user has claimed is seen by its child`() throws {
    let parent = bench.child("Parent")
    let person = Person.named("a", in: parent)
    let child = bench.child("Inner", of: parent)
    let copy = person.in(child)
    #expect(copy.name == "a")
    copy.age = 4
    try child.save()
    parent.processPendingChanges()
    #expect(person.age == 4)
  }

  @Test func `a save block in a save block sees what the outer one did`() throws {
    try bench.stack.saveAndWait { outer in
      let person = Person.named("a", in: outer.context)
      let id = person.objectID
      try outer.context.saveAndWait { inner in
        let copy = try #require(try Person.find(id, in: inner))
        copy.age = 4
        Person.named("b", in: inner.context).employer = Company.named("acme", in: inner.context)
      }
      #expect(person.age == 4)
    }
    #expect(try Person.names(in: bench.committed()) == ["a", "b", "old"])
  }

  @Test func `without reading the unsaved a child reads what is stored, and saves on top`() throws {
    try inOneEvent { (main, child) throws -> Void in
      child.readsUncommitted = false
      try #require(try Person.find(old, in: main)).age = 2
      let copy = try #require(try Person.find(old, in: child))
      #expect(copy.age == 1)
      copy.name = "renamed"
      try child.save()
      main.processPendingChanges()
      #expect(try Person.find(old, in: main)?.name == "renamed")
      #expect(try Person.find(old, in: main)?.age == 2)
      let new = Person.named("new", in: main)
      main.processPendingChanges()
      let unknown = new.in(child)
      #expect(try Person.find(new.objectID, in: child) == nil && !unknown.isDeleted)
      unknown.age = 3
      let error = cauldronError { try child.save() }
      #expect(error?.code == .saveDependency && "\(error!)".contains("Default Context"))
      #expect(unknown.age == 3 && child.hasChanges)
    }
  }

  @Test func `a deletion is carried on before a child fetches, not before it reads`() throws {
    try inOneEvent { (main, child) throws -> Void in
      let company = Company.named("acme", in: main)
      let person = Person.named("a", at: company, in: main)
      main.processPendingChanges()
      company.delete()
      #expect(person.in(child).employer?.name == "acme")
      #expect(person.employer === company)
      #expect(try Company.count(in: child) == 0 && person.employer == nil)
      let copy = person.in(child)
      child.refresh(copy, mergeChanges: true)
      #expect(copy.employer == nil)
    }
  }

  @Test func `an edit in a child of what the event has deleted is refused and kept`() throws {
    try inOneEvent { (main, child) throws -> Void in
      try #require(try Person.find(old, in: main)).delete()
      let copy = try #require(child.object(with: old) as? Person)
      copy.name = "edited"
      #expect(cauldronError { try child.save() }?.code == .saveConflict)
      #expect(copy.name == "edited" && child.hasChanges)
      let other = bench.child("Other", of: main)
      #expect(try other.performAndWait { try Person.find(old, in: $0) } == nil)
    }
  }
}

/// Carries an object between blocks of one queue.
struct Held<Object: ManagedObject>: @unchecked Sendable {
  let object: Object

  init(_ object: Object) { self.object = object }
}
