import Cauldron
import TestSupport
import Testing

/// A deletion is taken back, by a refresh or because a child overrules it: what it has done to the other end of a
/// one-to-one link goes back too, and no edit is left.
@Suite(.againstHanging, .ownThread) struct TakenBackPairTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.memory, model: Pairs.model())
    let maker = bench.committed()
    let made = Chair.create(in: maker)
    made.number = 1
    made.sitter = Sitter.create(in: maker)
    made.sitter?.number = 1
    try maker.save()
    context = bench.child()
  }

  private func ends() throws -> (Chair, Sitter) {
    (try #require(try context.chair(1)), try #require(try context.sitter(1)))
  }

  private func expectNoEdits(
    _ chair: Chair, _ sitter: Sitter, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(chair.sitter === sitter && sitter.chair === chair, sourceLocation: location)
    #expect(!context.hasChanges, sourceLocation: location)
    #expect(context.updatedObjects.isEmpty, sourceLocation: location)
  }

  @Test(arguments: [true, false])
  func `a refresh of a deleted end leaves no edit`(_ isChair: Bool) throws {
    let (chair, sitter) = try ends()
    let object: ManagedObject = isChair ? chair : sitter
    object.delete()
    context.processPendingChanges()
    context.refresh(object, mergeChanges: false)
    expectNoEdits(chair, sitter)
    let other = bench.committed()
    try other.chair(1)?.sitter = nil
    try other.save()
    try context.saveAndWait(toPersistentStore: true)
  }

  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite], [true, false])
  func `an overruled deletion of an end leaves no edit, and the next save succeeds`(
    _ policy: MergePolicy, _ isChair: Bool
  ) throws {
    let (chair, sitter) = try ends()
    let child = bench.child("Child", of: context)
    child.mergePolicy = policy
    try child.performAndWait { local in
      try local.context.chair(1)?.note = "mine"
      try local.context.sitter(1)?.note = "mine"
    }
    (isChair ? chair as ManagedObject : sitter).delete()
    context.processPendingChanges()
    try child.saveAndWait(toPersistentStore: false)
    context.processPendingChanges()
    #expect(chair.sitter === sitter && sitter.chair === chair)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.halves(in: bench.committed()) == [])
    #expect(try bench.committed().chair(1)?.sitter?.note == "mine")
  }

  @Test(arguments: [true, false])
  func `a refreshed object does not lead to one that stays deleted`(_ isChair: Bool) throws {
    let (chair, sitter) = try ends()
    let (object, other): (ManagedObject, ManagedObject) =
      isChair ? (chair, sitter) : (sitter, chair)
    object.delete()
    other.delete()
    context.processPendingChanges()
    context.refresh(object, mergeChanges: false)
    #expect((isChair ? chair.sitter : sitter.chair) as ManagedObject? == nil)
    try context.saveAndWait(toPersistentStore: true)
    #expect((isChair ? chair.sitter : sitter.chair) as ManagedObject? == nil)
    #expect(try Pairs.halves(in: bench.committed()) == [])
  }
}
