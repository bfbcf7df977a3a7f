import Cauldron
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Who asks again and again what was changed of to-many relationships is told what he would be told the
/// first time.
@Suite(.againstHanging) struct RandomChangesTests {
  private let bench: Bench
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    bench = try Creature.bench(.memory)
    let parent = bench.child("Parent")
    (mine, theirs) = (bench.child("Mine", of: parent), bench.child("Theirs", of: parent))
    for context in [mine, theirs] { context.mergePolicy = .mergeByPropertyObjectTrump }
    mine.automaticallyMergesChangesFromParent = true
    mine.undoManager = UndoManager()
    for number in 0..<8 { Creature.named("\(number)", in: mine) }
    try mine.save()
  }

  /// The changed relationships of each object, as far as it is remembered who leads where, or looked for
  /// anew.
  private func changes(_ creatures: [Creature], anew: Bool) -> [[String]] {
    creatures.map { creature in
      [false, true].flatMap { ofEvent in
        if anew { mine.core.drafts.forgetReferences() }
        return creature.toManyChanges(ofEvent: ofEvent).keys.sorted() + ["|"]
      }
    }
  }

  @Test(arguments: 0..<60)
  func `changed relationships are the same, remembered and looked for`(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var steps: [String] = []
    /// After how many steps what was known before is still of use.
    var kept = 0
    for _ in 0..<60 {
      let creatures = mine.registeredObjects.compactMap { $0 as? Creature }
        .sorted { $0.objectID.key < $1.objectID.key }
      _ = changes(creatures, anew: false)
      steps.append(try step(creatures, &random))
      if mine.core.pending.references != nil { kept += 1 }
      let remembered = changes(creatures, anew: false)
      #expect(remembered == changes(creatures, anew: true), "\(steps.suffix(6))")
    }
    #expect(kept > 10)
  }

  private func step(_ creatures: [Creature], _ random: inout SeededGenerator) throws -> String {
    let alive = creatures.filter { !$0.isDeleted && $0.managedObjectContext != nil }
    guard alive.count > 2 else {
      Creature.named("new", in: mine)
      return "create"
    }
    let (one, other) = (random.pick(alive), random.pick(alive))
    switch Int.random(in: 0..<18, using: &random) {
    case 0..<5: return edit("owner") { one.owner = one.owner == nil || one === other ? other : nil }
    case 5..<7: return edit("friends") { one.friends.insert(other) }
    case 7..<9: return edit("unfriend") { one.friends.objects.first.map { one.friends.remove($0) } }
    case 9: return edit("create") { Creature.named("new", in: mine).owner = one }
    case 10: return edit("delete") { if random.once(in: 2) { one.delete() } }
    case 11: return edit("publish") { mine.processPendingChanges() }
    case 12: return edit("refresh") { mine.refresh(one, mergeChanges: random.once(in: 2)) }
    case 13:
      try theySave(one.objectID, other.objectID)
      return "theirs"
    case 14:
      // What cannot be undone is not the question here, nor what cannot be saved.
      try? mine.undo()
      return "undo"
    case 15:
      try? mine.redo()
      return "redo"
    case 16: return edit("rollback") { if random.once(in: 3) { mine.rollback() } }
    default:
      if random.once(in: 2) { try? mine.save() }
      return "save"
    }
  }

  private func edit(_ name: String, _ body: () -> Void) -> String {
    body()
    return name
  }

  /// Others lead an object elsewhere, and have it known.
  private func theySave(_ one: ManagedObjectID, _ other: ManagedObjectID) throws {
    guard let pet = try Creature.find(one, in: theirs),
      let owner = try Creature.find(other, in: theirs)
    else { return }
    pet.owner = pet.owner == nil ? owner : nil
    pet.friends.insert(owner)
    try? theirs.save()
  }
}
