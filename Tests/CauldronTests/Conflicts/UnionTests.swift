import Cauldron
import Testing

/// Two edits may each be right and their union wrong.
@Suite struct UnionTests {
  private struct Scene {
    let bench: Bench
    let parent: ManagedObjectContext
    let closing: ManagedObjectContext
    let hiring: ManagedObjectContext
    let company: Company
  }

  private func scene() throws -> Scene {
    let bench = try Bench(.file)
    let parent = bench.child("Parent")
    let id = Company.named("acme", in: parent).objectID
    try parent.saveAndWait(toPersistentStore: true)
    let (closing, hiring) = (bench.child("Closing", of: parent), bench.child("Hiring", of: parent))
    try Company.find(id, in: closing)?.delete()
    closing.processPendingChanges()
    let company = try #require(try Company.find(id, in: hiring))
    Person.named("jack", at: company, in: hiring)
    return Scene(
      bench: bench, parent: parent, closing: closing, hiring: hiring, company: company)
  }

  @Test func `who is hired into a company that was just deleted has none`() throws {
    let scene = try scene()
    try scene.closing.save()
    try scene.hiring.save()
    #expect(!scene.hiring.hasChanges)
    #expect(try #require(try Person.findFirst(in: scene.hiring)).employer == nil)
    try scene.parent.saveAndWait(toPersistentStore: true)
    let found = try #require(try Person.findFirst(in: scene.bench.committed()))
    #expect(found.name == "jack" && found.employer == nil)
  }

  @Test func `deleting a company into which somebody was just hired clears that, too`() throws {
    let scene = try scene()
    try scene.hiring.save()
    try scene.closing.save()
    #expect(!scene.closing.hasChanges)
    try scene.parent.saveAndWait(toPersistentStore: true)
    let found = try Person.findAll(in: scene.bench.committed())
    #expect(found.count == 1 && found[0].employer == nil)
    #expect(try Company.count(in: scene.bench.committed()) == 0)
  }

  @Test(arguments: [false, true])
  func `it is found at the store, too, when the other one is there already`(
    _ deletesFirst: Bool
  ) throws {
    let scene = try scene()
    let (first, second) =
      deletesFirst ? (scene.closing, scene.hiring) : (scene.hiring, scene.closing)
    try first.saveAndWait(toPersistentStore: true)
    try second.saveAndWait(toPersistentStore: true)
    #expect(!second.hasChanges && !scene.bench.isDirty(scene.parent))
    #expect(!scene.bench.isDirty(scene.bench.root))
    let reader = scene.bench.committed()
    #expect(try Company.count(in: reader) == 0)
    #expect(try #require(try Person.findFirst(in: reader)).employer == nil)
  }

  @Test func `a reference to an object that its creator discarded is refused`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let acme = Company.named("acme", in: parent)
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    let copy = try #require(try Company.find(acme.objectID, in: child))
    Person.named("jack", at: copy, in: child)
    parent.rollback()
    #expect(cauldronError { try child.save() }?.code == .saveDependency)
  }

  @Test func `an edit of an object that its creator discarded is refused`() throws {
    let bench = try Bench()
    let parent = bench.child("Parent")
    let jack = Person.named("jack", in: parent)
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    try Person.find(jack.objectID, in: child)?.age = 4
    parent.rollback()
    #expect(cauldronError { try child.save() }?.code == .saveDependency)
  }
}
