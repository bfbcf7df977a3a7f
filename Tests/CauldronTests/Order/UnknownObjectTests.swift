import Cauldron
import Dispatch
import Logging
import TestSupport
import Testing

/// What another context has created and not published is unknown where it is not to be seen: not deleted.
@Suite(.againstHanging, .ownThread) struct UnknownObjectTests {
  private let bench: Bench
  private let child: ManagedObjectContext

  init() throws {
    bench = try Bench()
    child = bench.child("Child", of: bench.mainContext)
  }

  /// Runs a block on another thread, in the middle of an event, by means that the library does not see.
  private func elsewhere<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
    let done = DispatchSemaphore(value: 0)
    let result = Locked<Result<R, any Error>?>(nil)
    DispatchQueue.global().async {
      let made = Result { try body() }
      result.withLock { $0 = made }
      done.signal()
    }
    done.wait()
    return try #require(result.withLock { $0 }).get()
  }

  /// A person of the main context, whose event runs as long as the block does.
  private func duringEvent(
    _ body: @escaping @Sendable (ManagedObjectID) throws -> Void
  ) throws -> Held<Person> {
    let person = try bench.onMain { main in
      let person = Person.named("new", age: 0, in: main)
      let id = person.objectID
      try elsewhere { try body(id) }
      return Held(person)
    }
    bench.settleMain()
    return person
  }

  @Test func `it is not found, and not taken for deleted`() throws {
    let kept = Locked<Held<Person>?>(nil)
    _ = try duringEvent { [child] id in
      try child.performAndWait { (local) throws -> Void in
        #expect(try Person.find(id, in: local) == nil)
        #expect(cauldronError { _ = try local.existingObject(with: id) }?.code == .objectNotFound)
        let person = try #require(local.object(with: id) as? Person)
        #expect(person.name == "" && !person.isDeleted)
        let error = cauldronError { try person.load() }
        #expect(error?.code == .objectNotFound && "\(error!)".contains("Default Context"))
        #expect(try Person.count(in: local) == 0)
        kept.withLock { $0 = Held(person) }
      }
    }
    let person = try #require(kept.withLock { $0 }).object
    child.performAndWait { _ in #expect(person.name == "new" && !person.isFault) }
    #expect(bench.log.messages(.warning).filter { $0.contains("Cannot fault Person") }.count == 1)
  }

  @Test func `a save of an edit is refused until the context has ended its event`()
    throws
  {
    let person = try duringEvent { [child] id in
      try child.performAndWait { (local) throws -> Void in
        let person = try #require(local.object(with: id) as? Person)
        person.age = 5
        let error = cauldronError { try local.save() }
        #expect(error?.code == .saveDependency && error?.objectIDs == [id])
        #expect("\(error!)".contains("\"Default Context\" has not ended"))
        #expect(person.age == 5 && local.hasChanges && person.isUpdated && !person.isDeleted)
      }
    }
    try child.performAndWait { (local) throws -> Void in
      let copy = try #require(local.context.updatedObjects.first as? Person)
      #expect(copy.name == "new" && copy.age == 5)
      try local.save()
      #expect(!local.hasChanges)
    }
    bench.onMain { _ in #expect(person.object.age == 5 && person.object.name == "new") }
  }

  @Test func `an edit that both made is a conflict then, and nothing is lost`() throws {
    let person = try bench.onMain { main in
      let person = Person.named("new", age: 3, in: main)
      let id = person.objectID
      try elsewhere { [child] in
        child.performAndWait { local in (local.object(with: id) as? Person)?.age += 1 }
      }
      return Held(person)
    }
    bench.settleMain()
    child.performAndWait { local in
      #expect(cauldronError { try local.save() }?.code == .saveConflict)
      #expect((local.context.updatedObjects.first as? Person)?.age == 1)
    }
    bench.onMain { _ in #expect(person.object.age == 3) }
  }

  @Test func `an event that ends after a child's save comes second, and is told so`() throws {
    let maker = bench.child("Maker")
    let id = Person.named("old", age: 1, in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    let person = try bench.onMain { main in
      let person = try #require(try Person.find(id, in: main))
      person.age = 2
      try elsewhere { [child] in
        try child.performAndWait { local in
          try #require(try Person.find(id, in: local)).age = 5
          try local.save()
        }
      }
      return Held(person)
    }
    bench.settleMain()
    bench.onMain { main in
      let error = cauldronError { _ = try main.saveAndWait(toPersistentStore: true) }
      #expect(error?.code == .saveConflict && error?.objectIDs == [id])
      #expect(person.object.age == 2)
      main.refresh(person.object, mergeChanges: false)
      #expect(person.object.age == 5)
    }
  }

  @Test func `a reference to it is refused, and saved when the event has ended`() throws {
    let person = try duringEvent { [child] id in
      try child.performAndWait { (local) throws -> Void in
        let passport = Passport.create(in: local)
        let company = Company.named("acme", in: local.context)
        passport.number = 1
        company.employees.insert(try #require(local.object(with: id) as? Person))
        let error = cauldronError { try local.save() }
        #expect(error?.code == .saveDependency && "\(error!)".contains("Default Context"))
        #expect(local.hasChanges)
      }
    }
    try child.performAndWait { try $0.save() }
    bench.onMain { _ in #expect(person.object.employer?.name == "acme") }
  }

  @Test func `a new object that refers to it is refused until the event has ended`() throws {
    let company = try bench.onMain { main in
      let company = Company.named("acme", in: main)
      let id = company.objectID
      try elsewhere { [child] in
        child.performAndWait { local in
          Person.named("a", at: local.object(with: id) as? Company, in: local.context)
          let error = cauldronError { try local.save() }
          #expect(error?.code == .saveDependency && "\(error!)".contains("Default Context"))
        }
      }
      return Held(company)
    }
    bench.settleMain()
    try child.performAndWait { try $0.save() }
    bench.onMain { _ in #expect(company.object.employees.map(\.name) == ["a"]) }
  }

  @Test func `a link to it is refused, and made when the event has ended`() throws {
    let bench = try Bench(model: Blog.model())
    let child = bench.child("Child", of: bench.mainContext)
    let tag = try bench.onMain { main in
      let tag = Tag.named("swift", in: main)
      let id = tag.objectID
      try elsewhere {
        child.performAndWait { local in
          Post.titled("a", [local.object(with: id) as! Tag], in: local.context)
          #expect(cauldronError { try local.save() }?.code == .saveDependency)
          #expect(local.hasChanges)
        }
      }
      return Held(tag)
    }
    bench.settleMain()
    try child.performAndWait { try $0.save() }
    try bench.onMain { main in
      #expect(tag.object.titles == ["a"])
      _ = try main.saveAndWait(toPersistentStore: true)
    }
    #expect(try Tag.named("swift", of: bench.committed())?.titles == ["a"])
  }

  @Test func `a deletion of it is refused, and carried out when the event has ended`() throws {
    let person = try duringEvent { [child] id in
      child.performAndWait { local in
        (local.object(with: id) as? Person)?.delete()
        #expect(cauldronError { try local.save() }?.code == .saveDependency)
      }
    }
    try child.performAndWait { try $0.save() }
    bench.onMain { main in
      #expect(person.object.isDeleted)
      #expect((try? Person.count(in: main)) == 0)
    }
  }

  @Test func `a rollback ends the edits of it`() throws {
    _ = try duringEvent { [child] id in
      try child.performAndWait { (local) throws -> Void in
        (local.object(with: id) as? Person)?.age = 5
        local.processPendingChanges()
        local.rollback()
        #expect(!local.hasChanges)
        try local.save()
      }
    }
    let age = try child.performAndWait { try Person.findFirst(in: $0)?.age }
    #expect(age == 0)
  }

  @Test func `where its context discards it, what is edited stays unsaved`() throws {
    let id = try bench.onMain { main in
      let id = Person.named("new", in: main).objectID
      try elsewhere { [child] in
        child.performAndWait { local in (local.object(with: id) as? Person)?.age = 5 }
      }
      main.rollback()
      return id
    }
    child.performAndWait { local in
      let error = cauldronError { try local.save() }
      #expect(error?.code == .saveDependency && error?.objectIDs == [id])
      #expect((local.object(with: id) as? Person)?.age == 5)
      local.rollback()
      #expect(!local.hasChanges)
    }
  }

  @Test func `a save block names the context that has not saved the object`() throws {
    let id = bench.onMain { main in
      let id = Person.named("new", in: main).objectID
      main.processPendingChanges()
      return id
    }
    let error = cauldronError {
      try bench.stack.saveAndWait { local in (local.object(with: id) as? Person)?.age = 5 }
    }
    #expect(
      error?.code == .saveDependency && "\(error!)".contains("\"Default Context\" has created"))
    let passing = cauldronError {
      try bench.stack.saveAndWait { local in
        Passport.create(in: local).holder = local.object(with: id) as? Person
      }
    }
    #expect(passing?.code == .saveDependency)
    _ = try bench.onMain { try $0.saveAndWait(toPersistentStore: true) }
    try bench.stack.saveAndWait { local in (local.object(with: id) as? Person)?.age = 5 }
    #expect(try Person.findFirst(in: bench.committed())?.age == 5)
  }

  @Test func `a save block is run again until the event has ended`() async throws {
    let id = bench.onMain { Person.named("new", in: $0).objectID }
    try await bench.stack.mainContextSave(retries: 3, id)
    bench.settleMain()
    #expect(try Person.findFirst(in: bench.committed())?.age == 5)
  }

  @Test func `a fetch shows it under the edits that were made before`() throws {
    let edited = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    let given = Locked<ManagedObjectID?>(nil)
    let done = DispatchSemaphore(value: 0)
    bench.onMain { main in
      let id = Person.named("new", in: main).objectID
      given.withLock { $0 = id }
      DispatchQueue.global().async { [child] in
        child.performAndWait { local in
          let copy = local.object(with: id) as? Person
          copy?.age = 5
          edited.signal()
          ended.wait()
          #expect((try? Person.names(in: local.context)) == ["new"])
          #expect(copy?.name == "new" && copy?.age == 5)
          #expect(throws: Never.self) { try local.save() }
        }
        done.signal()
      }
      edited.wait()
    }
    bench.settleMain()
    ended.signal()
    done.wait()
    bench.onMain { #expect((try? Person.findFirst(in: $0))??.age == 5) }
  }
}

extension Stack {
  /// Sets the age of a person in a save block below the default context.
  fileprivate func mainContextSave(retries: Int, _ id: ManagedObjectID) async throws {
    try await defaultContext.save(retries: retries) { local in
      (local.object(with: id) as? Person)?.age = 5
    }
  }
}
