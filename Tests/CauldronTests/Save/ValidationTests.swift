import Cauldron
import Logging
import TestSupport
import Testing

@Suite(.againstHanging) struct ValidationTests {
  @Test func `one missing value is named with its object`() throws {
    let context = try Bench().child()
    let person = Person.create(in: context)
    let error = cauldronError { try context.save() }
    #expect(error?.code == .validationMissing)
    #expect(error?.message == "Person.name is required.")
    #expect(error?.entity == "Person" && error?.property == "name")
    #expect(error?.objectIDs == [person.objectID] && error?.contextName == "Child")
  }

  @Test(arguments: [false, true])
  func `all missing values are listed, and the context can be mended`(_ isApart: Bool) throws {
    let bench = try Bench()
    let context = bench.child()
    let people = (0..<3).map { _ in Person.create(in: context) }
    let acme = Company.create(in: context)
    if isApart { context.processPendingChanges() }
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .validationMultiple)
    #expect(error?.details.count == 4 && error?.objectIDs.count == 4)
    #expect(error?.message.hasPrefix("4 problems in 4 objects: ") == true)
    #expect(error?.message.contains("Company.name is required.") == true)
    #expect(context.hasChanges && context.insertedObjects.count == 4)
    #expect(!bench.root.hasChanges)
    for person in people { person.name = "x" }
    acme.name = "acme"
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 3)
  }

  @Test func `many problems are shortened`() throws {
    let context = try Bench().child()
    for _ in 0..<50 { _ = Person.create(in: context) }
    let error = cauldronError { try context.save() }
    #expect(error?.details.count == 50 && error?.message.contains("… and 30 more.") == true)
  }

  @Test func `a value set to nil by name is missing`() throws {
    let context = try Bench().child()
    let person = Person.named("jack", in: context)
    try context.save()
    try person.setValue(nil, forKey: "name")
    #expect(cauldronError { try context.save() }?.code == .validationMissing)
    #expect(person.hasChanges)
    context.rollback()
    #expect(person.name == "jack")
    try context.save()
  }

  @Test func `a deleted object need not be complete`() throws {
    let context = try Bench().child()
    let person = Person.create(in: context)
    context.processPendingChanges()
    person.delete()
    try context.save()
  }

  @Test func `an object may be completed in a later event`() throws {
    let bench = try Bench()
    let context = bench.child()
    let people = (0..<10).map { _ in Person.create(in: context) }
    context.processPendingChanges()
    for person in people {
      person.name = "late"
      context.processPendingChanges()
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(where: \.name == "late", in: bench.committed()) == 10)
  }

  @Test func `where nothing but invalid edits of ancestors waits, nothing is saved`() async throws {
    let bench = try Bench()
    bench.onMain { main in
      _ = Person.create(in: main)
      main.processPendingChanges()
    }
    await bench.root.perform { _ = Person.create(in: $0) }
    let context = bench.child(of: bench.mainContext)
    #expect(try await context.save(toPersistentStore: true) == .noChanges)
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  @Test func `invalid edits of main stay there and do not fail a child's save`() async throws {
    let bench = try Bench(.file)
    let id = bench.onMain { Person.create(in: $0).objectID }
    let child = bench.child("Child", of: bench.mainContext)
    Person.named("jack", in: child)
    let outcome = try await child.save(toPersistentStore: true)
    #expect(outcome != .noChanges)
    #expect(try Person.names(in: bench.committed()) == ["jack"])
    let warnings = bench.log.messages(.warning)
    #expect(
      warnings == [
        "Own changes of \(bench.mainContext) stay unsaved: Person.name is required."
      ])
    try bench.onMain { context in
      #expect(context.hasChanges)
      let invalid = try #require(try Person.find(id, in: context))
      #expect(invalid.isInserted)
      invalid.name = "mended"
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(try Person.names(in: bench.committed()) == ["jack", "mended"])
  }

  @Test func `valid edits of main go along, also those of several events`() async throws {
    let bench = try Bench()
    bench.onMain { context in
      let people = (0..<10).map { _ in Person.create(in: context) }
      context.processPendingChanges()
      for person in people { person.name = "main" }
      people[0].age = 1
      context.processPendingChanges()
      people[0].age = 2
    }
    let child = bench.child("Child", of: bench.mainContext)
    Person.named("jack", in: child)
    try await child.save(toPersistentStore: true)
    #expect(bench.log.messages(.warning).isEmpty)
    #expect(try Person.count(where: \.name == "main", in: bench.committed()) == 10)
  }

  @Test func `main's objects that are completed one by one go along`() async throws {
    let bench = try Bench()
    bench.onMain { context in
      let people = (0..<20).map { _ in Person.create(in: context) }
      context.processPendingChanges()
      for person in people {
        person.name = "main"
        context.processPendingChanges()
      }
    }
    let child = bench.child("Child", of: bench.mainContext)
    Person.named("jack", in: child)
    try await child.save(toPersistentStore: true)
    #expect(bench.log.messages(.warning).isEmpty)
    #expect(try Person.count(in: bench.committed()) == 21)
  }

  @Test func `invalid edits of the root stay there, too`() async throws {
    let bench = try Bench(.file)
    let id = await bench.root.perform { context in Person.create(in: context).objectID }
    let child = bench.child()
    Person.named("jack", in: child)
    try await child.save(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["jack"])
    #expect(bench.log.messages(.warning).count == 1)
    try await bench.root.perform { context in
      #expect(context.hasChanges)
      try Person.find(id, in: context)?.name = "mended"
      try context.save()
    }
    #expect(try Person.names(in: bench.committed()) == ["jack", "mended"])
  }
}
