import Cauldron
import TestSupport
import Testing

/// What a save changes beside the rows of the context that saves is shown by the objects of that context.
@Suite(.againstHanging, .ownThread) struct ToldAdditionsTests {
  @Test(arguments: [StackLayout.writerRoot, .mainParent, .siblings, .single], [true, false])
  func `a reference that the store's delete rule has cleared is nil in the context that deletes`(
    _ layout: StackLayout, _ merges: Bool
  ) throws {
    let bench = try Bench(.memory, model: ManagedObjectModel(Striker.self, Squad.self, Coach.self))
    {
      $0.layout = layout
    }
    let maker = bench.committed()
    Striker.create(in: maker).name = "ann"
    Coach.create(in: maker).name = "cleo"
    try maker.save()
    let context = bench.child()
    context.automaticallyMergesChangesFromParent = merges
    let coach = try #require(try Coach.findFirst(in: context))
    _ = coach.pupils.count
    let other = bench.committed()
    try Striker.findFirst(in: other)?.coach = try Coach.findFirst(in: other)
    coach.delete()
    context.processPendingChanges()
    try other.save()
    context.processPendingChanges()
    let player = try #require(try Striker.findFirst(in: context))
    try context.saveAndWait(toPersistentStore: true)
    context.processPendingChanges()
    #expect(player.coach == nil && !context.hasChanges)
    #expect(try Striker.findFirst(in: bench.committed())?.coach == nil)
    player.coach = Coach.create(in: context)
    try context.saveAndWait(toPersistentStore: true)
  }

  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func `a partner that a policy has set free shows that, and can be linked anew`(
    _ policy: MergePolicy
  ) throws {
    let bench = try Bench(.memory, model: Pairs.model())
    let maker = bench.committed()
    for number in 1...3 {
      Chair.create(in: maker).number = number
      Sitter.create(in: maker).number = number
    }
    try maker.save()
    let (mine, other) = (bench.child("Mine"), bench.child("Other"))
    mine.automaticallyMergesChangesFromParent = true
    let chairs = try (1...3).map { try #require(try mine.chair($0)) }
    let sitters = try (1...3).map { try #require(try mine.sitter($0)) }
    try other.chair(2)?.sitter = try other.sitter(1)
    try other.saveAndWait(toPersistentStore: false)
    chairs[0].sitter = sitters[0]
    try mine.saveAndWait(toPersistentStore: false, mergePolicy: policy)
    mine.processPendingChanges()
    #expect(chairs[0].sitter === sitters[0] && chairs[1].sitter == nil)
    chairs[1].sitter = sitters[2]
    try mine.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.halves(in: bench.committed()) == [])
    #expect(try bench.committed().chair(2)?.sitter?.number == 3)
  }
}
