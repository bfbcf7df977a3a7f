import Cauldron
import CauldronMagicalRecord
import CauldronModel
import Dispatch
import TestSupport
import Testing

/// MagicalRecord's calls on contexts, by their old names.
@Suite(.againstHanging) struct ContextCallTests {
  @Test func `MR_parentChain names the context and its ancestors up to the store`() throws {
    let bench = try Bench()
    let child = bench.child("Child", of: bench.mainContext)
    let expected = [child, bench.mainContext, bench.root]
    #expect(zip(child.parentChain, expected).allSatisfy { $0 === $1 })
    #expect(child.parentChain.map(\.name) == ["Child", "Default Context", "Root Saving Context"])
    #expect(bench.root.parentChain.map(\.name) == ["Root Saving Context"])
  }

  @Test func `currentStack tells model, store and chain in lines`() throws {
    let bench = try Bench(.file)
    let lines = bench.stack.summary.split(separator: "\n")
    #expect(lines[0] == "Model:           Model (Company, Passport, Person)")
    #expect(lines[1].hasSuffix("/store.sqlite"))
    #expect(lines.suffix(2).map { $0.hasPrefix("- <ManagedObjectContext (0x") } == [true, true])
    #expect(lines.last?.hasSuffix("Root Saving Context>") == true)
    try bench.stack.close()
    #expect(bench.stack.summary.contains("store.sqlite, closed"))
    #expect(Stack.libraryVersion.split(separator: ".").count >= 3)
  }

  @Test func `MR_deleteObjects: marks each object of a sequence`() throws {
    let bench = try Bench()
    let context = bench.child()
    let people = ["a", "b", "c"].map { Person.named($0, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    context.delete(people.prefix(2))
    #expect(people.map(\.isDeleted) == [true, true, false])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["c"])
    try bench.stack.saveAndWait { $0.delete(try Person.findAll(in: $0)) }
    #expect(try Person.names(in: bench.committed()) == [])
  }

  @Test func `MR_observeContext: takes in what another context saves, until it is cancelled`()
    throws
  {
    let bench = try Bench()
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let person = Person.named("old", in: first)
    try first.saveAndWait(toPersistentStore: true)
    let seen = try #require(try Person.findFirst(in: second))
    #expect(seen.name == "old")
    let following = second.mergeSaves(of: first)
    person.name = "new"
    try first.save()
    #expect(seen.name == "new")
    following.cancel()
    person.name = "newest"
    try first.save()
    #expect(seen.name == "new")
    withExtendedLifetime(following) {}
  }

  @Test func `MR_deleteEntityInContext: deletes there, and says whether there was anything`() throws
  {
    let bench = try Bench()
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let person = Person.named("jack", in: first)
    let unsaved = try person.delete(in: second)
    #expect(!unsaved)
    try first.saveAndWait(toPersistentStore: true)
    #expect(try person.delete(in: second))
    #expect(!person.isDeleted)
    #expect(try !person.delete(in: second))
    try second.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  @Test func `MR_entityName, MR_entityDescriptionInContext: and MR_propertiesNamed: describe`()
    throws
  {
    let bench = try Bench()
    #expect(Person.entityName == "Person")
    #expect(try Person.entityDescription(in: bench.root).name == "Person")
    #expect(
      try Person.properties(named: ["age", "name"], in: bench.root).map(\.name) == ["age", "name"])
    let error = cauldronError { _ = try Person.properties(named: ["nam"], in: bench.root) }
    #expect(error?.code == .queryUnknownKey)
    #expect(error?.hint == "Did you mean \"name\"?")
    #expect(
      cauldronError { _ = try Keyword.entityDescription(in: bench.root) }?.code
        == .modelUnknownEntity)
  }
}
