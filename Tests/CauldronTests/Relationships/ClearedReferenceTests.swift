import Cauldron
import TestSupport
import Testing

/// What a deletion makes nil is no edit of those who refer to what is gone.
@Suite(.againstHanging) struct ClearedReferenceTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let acme: Company
  private let jack: Person
  private let globex: ManagedObjectID

  init() throws {
    bench = try Bench()
    parent = bench.child("Parent")
    acme = Company.named("acme", in: parent)
    jack = Person.named("jack", in: parent)
    jack.employer = acme
    let globex = Company.named("globex", in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    self.globex = globex.objectID
  }

  private func jack(in context: ManagedObjectContext) throws -> Person {
    try #require(try context.existingObject(with: jack.objectID) as? Person)
  }

  @Test(arguments: [MergePolicy.error, .mergeByPropertyStoreTrump])
  func `somebody may move on whose company was closed meanwhile`(_ policy: MergePolicy) throws {
    let child = bench.child("Child", of: parent)
    let mine = try jack(in: child)
    #expect(mine.employer?.name == "acme")
    acme.delete()
    parent.processPendingChanges()
    mine.employer = try child.existingObject(with: globex) as? Company
    try child.performAndWait { try $0.save(mergePolicy: policy) }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try jack(in: bench.committed()).employer?.name == "globex")
  }

  @Test func `somebody may be deleted whose company was closed meanwhile`() throws {
    let child = bench.child("Child", of: parent)
    let mine = try jack(in: child)
    #expect(mine.employer?.name == "acme")
    acme.delete()
    parent.processPendingChanges()
    mine.delete()
    try child.save()
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 0)
  }
}
