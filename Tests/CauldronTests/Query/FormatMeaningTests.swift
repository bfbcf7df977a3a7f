import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

/// Random conditions of every kind mean the same after they were printed and read.
@Suite(.againstHanging) struct FormatMeaningTests {
  private static let count = slack >= 5 ? 30 : 400

  @Test(arguments: StoreKind.allCases)
  func `a condition that was printed and read finds what it found before`(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind, model: try Trade.model())
    let context = bench.child("Leaf")
    var fair = TradeFair(seed: 5)
    try fair.fill(context, 60)
    try context.saveAndWait(toPersistentStore: true)
    var queries = RandomQueries(seed: 6)
    for worker in try Worker.findAll(in: context) {
      queries.ids["Worker", default: []].append(worker.objectID)
    }
    for firm in try Firm.findAll(in: context) {
      queries.ids["Firm", default: []].append(firm.objectID)
    }
    try fair.change(context, 10)
    let entity = bench.stack.model.entity("Worker")
    for _ in 0..<Self.count {
      let node = queries.predicate(entity, depth: Int.random(in: 0...4, using: &queries.random))
      let text = "\(node)"
      let again = try PredicateNode(format: text)
      #expect("\(again)" == text)
      #expect(try PredicateNode(format: "\(again)") == again, "\(text)")
      let found = try Worker.findAll(where: Where(node), in: context).map(\.objectID)
      let same = try Worker.findAll(where: Where(again), in: context).map(\.objectID)
      #expect(Set(found) == Set(same), "\(text)")
    }
  }
}
