import Cauldron
import CauldronModel
import TestSupport
import Testing

/// Random edits of one-to-one links in two contexts and the root: whatever is saved, and by whatever
/// policy, links are whole in the rows that are fetched, and a save that is refused keeps its edits.
@Suite(.againstHanging) struct RandomPairTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `links stay whole whatever is saved`(_ seed: UInt64) throws {
    for number in 0..<8 {
      var run = try PairRun(seed: seed * 1_000 + UInt64(number))
      for _ in 0..<30 { try run.step() }
      try run.close()
    }
  }
}

/// One run.
private struct PairRun {
  private let bench: Bench
  private let contexts: [ManagedObjectContext]
  private var random: SeededGenerator
  private let seed: UInt64
  private let chairs: [ManagedObjectID]
  private let sitters: [ManagedObjectID]
  /// What the contexts have read stays as they have read it.
  private var held: [ManagedObject] = []

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    bench = try Bench(.file, model: Pairs.model())
    let first = bench.child("First")
    contexts = [
      first, bench.child("Second", of: random.once(in: 3) ? first : bench.root), bench.root,
    ]
    let maker = bench.committed()
    let objects = (0..<3).map { number in
      let chair = Chair.create(in: maker)
      let sitter = number == 2 ? Jury.create(in: maker) : Sitter.create(in: maker)
      (chair.number, sitter.number) = (number, number)
      return (chair, sitter)
    }
    for (chair, sitter) in objects.prefix(Int.random(in: 0...3, using: &random)) {
      chair.sitter = sitter
    }
    try maker.save()
    chairs = objects.map(\.0.objectID)
    sitters = objects.map(\.1.objectID)
  }

  mutating func step() throws {
    let context = contexts[random.pick([0, 0, 0, 1, 1, 1, 2])]
    if random.once(in: 4) { return try save(context) }
    context.performAndWait { edit($0.context) }
  }

  private mutating func edit(_ context: ManagedObjectContext) {
    func chair() -> Chair? {
      let id = random.pick(chairs)
      return (try? context.existingObject(with: id)) as? Chair
    }
    func sitter() -> Sitter? {
      let id = random.pick(sitters)
      return (try? context.existingObject(with: id)) as? Sitter
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: chair().map { held += [$0] + [$0.sitter].compactMap { $0 } }
    case 2, 3: sitter().map { held += [$0] + [$0.chair].compactMap { $0 } }
    case 4: chair()?.sitter = nil
    case 5: sitter()?.chair = nil
    case 6, 7: if let sitter = sitter() { chair()?.sitter = sitter }
    case 8: if let chair = chair() { sitter()?.chair = chair }
    case 9:
      guard let one = chair(), let other = chair() else { return }
      (one.sitter, other.sitter) = (other.sitter, one.sitter)
    case 10: sitter()?.number += 10
    default:
      guard random.once(in: 3) else { return }
      let object: ManagedObject? = random.once(in: 2) ? chair() : sitter()
      if random.once(in: 2) {
        object?.delete()
      } else if let object {
        context.refresh(object, mergeChanges: random.once(in: 2))
      }
    }
  }

  private mutating func save(_ context: ManagedObjectContext) throws {
    let (policy, goesOn) = (random.pick(Pairs.policies), random.once(in: 2))
    let edits = unsaved(context)
    do {
      try context.saveAndWait(toPersistentStore: goesOn, mergePolicy: policy)
    } catch let error as CauldronError {
      #expect(edits.isSubset(of: unsaved(context)), "seed \(seed), \(policy): \(error)")
    }
    #expect(try Pairs.halves(in: bench.committed()) == [], "seed \(seed), \(policy): the file")
    if bench.isDirty(bench.root) { return }
    let reader = bench.child("Reader")
    #expect(
      try reader.performAndWait { try Pairs.halves(in: $0.context) } == [],
      "seed \(seed), \(policy): the root")
  }

  private func unsaved(_ context: ManagedObjectContext) -> Set<ManagedObjectID> {
    context.performAndWait { local in
      local.context.processPendingChanges()
      let context = local.context
      let kept = context.updatedObjects.map(\.objectID) + context.insertedObjects.map(\.objectID)
      return Set(kept + context.deletedObjects.map(\.objectID))
    }
  }

  /// Opens the file in another stack.
  func close() throws {
    let again = try bench.reopened()
    #expect(try Pairs.halves(in: again.committed()) == [], "seed \(seed): the file, opened anew")
    try again.stack.close()
  }
}
