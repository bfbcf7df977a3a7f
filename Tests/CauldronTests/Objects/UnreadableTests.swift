import Cauldron
import CauldronModel
import TestSupport
import Testing

@Suite(.againstHanging) struct UnreadableTests {
  private let bench: Bench
  private let other: OtherProgram
  private let id: ManagedObjectID

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    id = Person.named("jack", age: 1, in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    maker.performAndWait { $0.context.reset() }
    other = OtherProgram(bench)
  }

  /// A fresh stack, whose cache knows nothing, on a file with a cell that cannot be read.
  private func damaged() throws -> Bench {
    #expect(other.run("UPDATE ZPERSON SET ZAGE = x'00'"))
    return try bench.reopened()
  }

  private func id(in bench: Bench) throws -> ManagedObjectID {
    try #require(
      bench.stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation))
  }

  @Test func `an edited object that cannot be read stops no save that passes through`() throws {
    let bench = try damaged()
    let id = try id(in: bench)
    try bench.onMain { context in
      let person = try #require(context.object(with: id) as? Person)
      person.name = "edited"
    }
    let child = bench.child("Child", of: bench.mainContext)
    Company.create(in: child).name = "passes"
    let saved = Locked(false)
    child.save(toPersistentStore: true) { didSave, error in
      #expect(didSave && error == nil)
      saved.withLock { $0 = true }
    }
    child.performAndWait { _ in }
    bench.settleMain()
    while !saved.withLock({ $0 }) { bench.settleMain() }
    #expect(try Company.count(in: bench.committed()) == 1)
    bench.onMain { context in
      #expect(context.hasChanges)
      #expect(cauldronError { try context.save() }?.code == .storeBadValue)
      #expect((context.object(with: id) as? Person)?.name == "edited")
    }
  }

  @Test func `once the row can be read the edit is saved`() throws {
    let bench = try damaged()
    let other = OtherProgram(bench)
    let id = try id(in: bench)
    let context = bench.child()
    let person = try #require(context.object(with: id) as? Person)
    person.name = "edited"
    #expect(cauldronError { try context.save() }?.code == .storeBadValue)
    #expect(other.run("UPDATE ZPERSON SET ZAGE = 5"))
    context.refresh(person, mergeChanges: true)
    #expect(person.name == "edited" && person.age == 5)
    try person.load()
    try context.saveAndWait(toPersistentStore: true)
    let stored = try #require(try Person.findFirst(in: bench.committed()))
    #expect(stored.name == "edited" && stored.age == 5)
  }

  @Test func `a save tries by itself to read the row`() throws {
    let bench = try damaged()
    let other = OtherProgram(bench)
    let context = bench.child()
    let person = try #require(context.object(with: try id(in: bench)) as? Person)
    person.name = "edited"
    context.processPendingChanges()
    #expect(other.run("UPDATE ZPERSON SET ZAGE = 5"))
    // It was edited without a look at the name that it has.
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict && error?.property == "name")
    try context.saveAndWait(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try Person.count(where: \.name == "edited" && \.age == 5, in: bench.committed()) == 1)
  }

  @Test func `a rollback drops the edit of what cannot be read`() throws {
    let bench = try damaged()
    let other = OtherProgram(bench)
    let context = bench.child()
    let person = try #require(context.object(with: try id(in: bench)) as? Person)
    person.name = "edited"
    context.processPendingChanges()
    context.rollback()
    #expect(!context.hasChanges)
    #expect(other.run("UPDATE ZPERSON SET ZAGE = 5"))
    #expect(person.name == "jack" && person.age == 5)
  }
}
