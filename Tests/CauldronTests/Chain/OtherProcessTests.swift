import Cauldron
import TestSupport
import Testing

@Suite(.againstHanging) struct OtherProcessTests {
  private let bench: Bench
  private let other: OtherProgram
  private let id: ManagedObjectID

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    id = Person.named("old", age: 1, in: maker).objectID
    try maker.saveAndWait(toPersistentStore: true)
    other = OtherProgram(bench)
  }

  private func person(in context: ManagedObjectContext) throws -> Person {
    try #require(try Person.find(id, in: context))
  }

  @Test func `a fetch shows what it found, although the object was there before`() throws {
    let context = bench.child()
    let person = try person(in: context)
    #expect(person.name == "old")
    #expect(other.change(id, "ZNAME = 'new'"))
    let found = try Person.findAll(where: \.name == "new", in: context)
    #expect(found.map(\.name) == ["new"])
    #expect(found.first === person)
    #expect(person.name == "new")
    // The cache does not bring the old row back.
    let second = bench.child()
    #expect(try self.person(in: second).name == "new")
  }

  @Test func `a fetch in one context has all look-ups by ID read anew`() throws {
    let context = bench.child()
    #expect(try person(in: context).name == "old")
    #expect(other.change(id, "ZNAME = 'new'"))
    _ = try Person.findAll(in: bench.child())
    #expect(try person(in: context).name == "new")
  }

  @Test func `taking keys in between does not hide what was written`() throws {
    let context = bench.child()
    #expect(try person(in: context).name == "old")
    #expect(other.change(id, "ZNAME = 'new'"))
    let second = bench.child()
    for number in 0..<5_000 { Person.named("\(number)", in: second) }
    #expect(try Person.findAll(where: \.name == "new", in: second).count == 1)
    #expect(try person(in: second).name == "new")
  }

  @Test func `an object with edits of its own keeps its row, and its save is a conflict`() throws {
    let context = bench.child()
    let person = try person(in: context)
    person.age = 7
    #expect(other.change(id, "ZNAME = 'new', ZAGE = 5"))
    #expect(try Person.findAll(in: context).map(\.name) == ["old"])
    #expect(person.name == "old" && person.age == 7)
    #expect(
      cauldronError { try context.saveAndWait(toPersistentStore: true) }?.code == .saveConflict)
  }

  @Test func `what was deleted outside is not found by ID after a fetch`() throws {
    let context = bench.child()
    let person = try person(in: context)
    #expect(other.delete(id))
    #expect(try Person.findAll(in: context).isEmpty)
    #expect(try Person.find(id, in: context) == nil)
    #expect(try Person.find(id, in: bench.child()) == nil)
    #expect(person.isDeleted)
  }

  @Test(arguments: [true, false])
  func `refresh reads past the cache`(_ mergeChanges: Bool) throws {
    let context = bench.child()
    let person = try person(in: context)
    #expect(other.change(id, "ZNAME = 'new'"))
    context.refresh(person, mergeChanges: mergeChanges)
    #expect(person.name == "new")
    #expect(other.delete(id))
    context.refresh(person, mergeChanges: mergeChanges)
    #expect(try Person.find(id, in: context) == nil)
    #expect(try Person.find(id, in: bench.child()) == nil)
  }

  @Test func `a walk follows what others have written`() throws {
    let context = bench.child()
    let company = Company.create(in: context)
    company.name = "a"
    try self.person(in: context).employer = company
    try context.saveAndWait(toPersistentStore: true)
    #expect(company.employees.count == 1)
    #expect(other.change(id, "ZEMPLOYER = NULL"))
    #expect(try Person.findAll(in: context).count == 1)
    #expect(company.employees.isEmpty)
  }

  @Test func `own commits are not taken for those of others`() throws {
    let context = bench.child()
    let person = try person(in: context)
    let second = bench.child()
    try self.person(in: second).name = "mine"
    try second.saveAndWait(toPersistentStore: true)
    Company.create(in: second).name = "b"
    try second.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(where: \.name == "mine", in: context) == 1)
    // A context that does not merge shows what it did.
    #expect(try Person.findAll(in: context).map(\.name) == ["old"])
    #expect(person.name == "old")
  }
}
