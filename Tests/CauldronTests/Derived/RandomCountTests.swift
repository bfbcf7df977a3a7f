import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Random insertions, moves and deletions in several contexts, against a count of the leaves.
@Suite(.againstHanging, .ownThread) struct RandomCountTests {
  @Test(arguments: StoreKind.allCases, [1, 2, 3])
  func `the number is that of the leaves, whoever saves`(_ kind: StoreKind, _ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let bench = try Bench.tomes(kind)
    let savers = [bench.child("A"), bench.child("B"), bench.committed()]
    for context in savers { context.mergePolicy = .mergeByPropertyObjectTrump }
    for number in 0..<4 { Tome.titled("t\(number)", in: savers[0]) }
    Atlas.titled("t4", in: savers[0])
    try savers[0].saveAndWait(toPersistentStore: true)
    for round in 0..<60 {
      let context = savers[Int.random(in: 0..<savers.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) { try step(context, &random) }
      if round.isMultiple(of: 7) { try rename(context, round, &random) }
      try context.saveAndWait(toPersistentStore: true)
      try check(context, "after save \(round)")
      try check(bench.committed(), "elsewhere after save \(round)")
      try bench.onMain { try check($0, "on main after save \(round)") }
    }
    let findings = try bench.stack.coordinator.store.verify()
    #expect(findings.isEmpty, "\(findings)")
  }

  private func step(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
    let tomes = try Tome.findAll(sortedBy: \.title, in: context)
    let leaves = try Leaf.findAll(sortedBy: \.number, in: context)
    let tome = tomes.randomElement(using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: tome?.addLeaf(Int.random(in: 0...99_999, using: &random), in: context)
    case 5, 6: leaves.randomElement(using: &random)?.tome = tome
    case 7: leaves.randomElement(using: &random)?.tome = nil
    case 8: leaves.randomElement(using: &random)?.delete()
    default:
      tome?.delete()
      Tome.titled("n\(Int.random(in: 0...99_999, using: &random))", leaves: 2, in: context)
    }
  }

  private func rename(
    _ context: ManagedObjectContext, _ round: Int, _ random: inout SeededGenerator
  ) throws {
    try Tome.findAll(in: context).randomElement(using: &random)?.title = "r\(round)"
  }

  private func check(_ context: ManagedObjectContext, _ place: String) throws {
    let leaves = try Leaf.findAll(in: context)
    for tome in try Tome.findAll(in: context) {
      let count = leaves.count { $0.tome === tome }
      #expect(tome.leafCount == count, "\(tome) \(place)")
    }
    #expect(try Tome.where(\.leafCount < 0).count(in: context) == 0)
  }
}
