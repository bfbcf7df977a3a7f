import Cauldron
import CauldronModel
import CauldronQuery
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Whatever is asked, in the file or of what is unsaved anywhere in the chain, the answer is that of
/// a plain evaluation of everything.
@Suite(.againstHanging) struct QueryOracleTests {
  private static let rounds = slack >= 5 ? 3 : 30

  @Test(arguments: StoreKind.allCases, [1, 2])
  func `conditions and orders of every kind agree with a scan`(
    _ kind: StoreKind, _ seed: UInt64
  ) async throws {
    let bench = try Bench(kind, model: try Trade.model())
    let middle = bench.child("Middle")
    let leaf = bench.child("Leaf", of: middle)
    var fair = TradeFair(seed: seed)
    var queries = RandomQueries(seed: seed + 100)
    try fair.fill(leaf, 60)
    try await leaf.save()
    try await middle.save(toPersistentStore: true)
    for round in 0..<Self.rounds {
      await Task.yield()
      try withEvery("round", in: [round]) { _ in
        if round > 0 { try fair.change(leaf, Int.random(in: 0..<12, using: &fair.random)) }
        if fair.random.once(in: 2) { try leaf.save() }
        if fair.random.once(in: 5) {
          try leaf.save()
          try middle.saveAndWait(toPersistentStore: round % 2 == 0)
        }
        try check(leaf, &queries, count: 24)
      }
    }
  }

  private func check(
    _ context: ManagedObjectContext, _ queries: inout RandomQueries, count: Int
  ) throws {
    let model = context.persistentStoreCoordinator.managedObjectModel
    let oracle = QueryOracle(model, world: try TradeFair.world(context))
    for row in oracle.world {
      let root = model.entity(row.entity).root
      let id = ManagedObjectID(
        key: row.key, entityNumber: model.entity(row.entity).number,
        storeNumber: context.persistentStoreCoordinator.storeNumber)
      queries.ids[root.name, default: []].append(id)
    }
    for _ in 0..<count {
      switch Int.random(in: 0..<6, using: &queries.random) {
      case 4: try checkLines(context, oracle, &queries)
      case 5: try checkGroups(context, oracle, &queries)
      case 0: try check(Firm.self, context, oracle, &queries)
      case 1: try check(Skill.self, context, oracle, &queries)
      default: try check(Worker.self, context, oracle, &queries)
      }
    }
  }

  private func check<Object: ManagedEntity>(
    _ type: Object.Type, _ context: ManagedObjectContext, _ oracle: QueryOracle,
    _ queries: inout RandomQueries
  ) throws {
    let entity = oracle.model.entity("\(type)")
    let depth = Int.random(in: 0...4, using: &queries.random)
    let node = queries.predicate(entity, depth: depth)
    let sort = (0..<Int.random(in: 0...2, using: &queries.random)).map { _ in
      (expression: queries.sortKey(entity), ascending: queries.random.once(in: 2))
    }
    var request = FetchRequest<Object>()
    request.predicate = node
    request.sortKeys = sort.map { SortKey($0.expression, ascending: $0.ascending) }
    request.limit = queries.random.once(in: 2) ? nil : 7
    request.offset = queries.random.once(in: 2) ? 0 : 3
    let names = Set(entity.family.map(\.entity.name))
    let rows = oracle.world.filter { names.contains($0.entity) }
    let all = oracle.fetch(rows, where: node, sortedBy: sort)
    let window = Array(all.dropFirst(request.offset).prefix(request.limit ?? .max))
    let comment = "\(type) \(node) by \(sort.map { "\($0.expression)" }) \(Trace.comment)"
    let found = try context.fetch(request).map(\.objectID.key)
    #expect(try context.count(for: request) == window.count, "\(comment)")
    if sort.isEmpty {
      #expect(found.count == window.count && Set(found).count == found.count, "\(comment)")
      #expect(Set(all).isSuperset(of: found), "\(comment)")
    } else {
      #expect(found == window, "\(comment)")
    }
  }

  /// Columns, sometimes distinct ones.
  private func checkLines(
    _ context: ManagedObjectContext, _ oracle: QueryOracle, _ queries: inout RandomQueries
  ) throws {
    let entity = oracle.model.entity("Worker")
    let node = queries.predicate(entity, depth: 2)
    var request = ValueRequest(FetchRequest<Worker>())
    request.objects.predicate = node
    request.columns = [queries.text(entity, depth: 1), queries.number(entity, depth: 2)]
    request.isDistinct = queries.random.once(in: 2)
    let rows = oracle.world.filter { ["Worker", "Chief"].contains($0.entity) }
    let selected = oracle.fetch(rows, where: node, by: [])
    let byKey = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0) })
    let lines = selected.compactMap { byKey[$0] }.map { row in
      request.columns.map { oracle.value($0, row) }
    }
    let found = try context.fetchValues(request)
    let comment = "\(request.columns) where \(node) \(Trace.comment)"
    guard request.isDistinct else {
      #expect(found.map(Self.plain) == lines.map(Self.plain), "\(comment)")
      return
    }
    #expect(Set(found.map(Self.plain)) == Set(lines.map(Self.plain)), "\(comment)")
    #expect(Set(found).count == found.count, "\(comment)")
  }

  /// Groups with all that can be gathered from them.
  private func checkGroups(
    _ context: ManagedObjectContext, _ oracle: QueryOracle, _ queries: inout RandomQueries
  ) throws {
    let entity = oracle.model.entity("Worker")
    let node = queries.predicate(entity, depth: 2)
    let key = queries.random.once(in: 2) ? queries.text(entity, depth: 1) : .property("isActive")
    let value = queries.number(entity, depth: 1)
    let least = Int64.random(in: 0..<4, using: &queries.random)
    let own = PropertyPath(steps: [])
    var request = ValueRequest(FetchRequest<Worker>())
    request.objects.predicate = node
    request.groups = [key]
    request.columns = [
      key, .aggregate(.count, of: own, nil), .aggregate(.count, of: own, value),
      .aggregate(.sum, of: own, .property("size")), .aggregate(.minimum, of: own, value),
      .aggregate(.maximum, of: own, value), .aggregate(.average, of: own, .property("size")),
    ]
    request.having = .comparison(
      .aggregate(.count, of: own, nil), .greater, .value(.integer(least)), [])
    let rows = oracle.world.filter { ["Worker", "Chief"].contains($0.entity) }
    let groups = Dictionary(grouping: rows.filter { oracle.holds(node, $0) }) {
      Self.plain([oracle.value(key, $0)])
    }
    let expected = groups.values.filter { $0.count > least }.map { rows in
      Self.plain(
        [oracle.value(key, rows[0])]
          + request.columns.dropFirst().map { oracle.gathered($0, rows) })
    }
    let found = try context.fetchValues(request).map(Self.plain)
    #expect(
      Set(found) == Set(expected) && found.count == expected.count,
      "\(key) \(value) where \(node): \(found), not \(expected) \(Trace.comment)")
  }

  /// Numbers as reals, since those of a column may be of one kind.
  private static func plain(_ line: [AttributeScalar]) -> [AttributeScalar] {
    line.map { scalar in
      switch scalar {
      case .integer(let number): .real(Double(number))
      case .real(let number) where number == 0: .real(0)
      default: scalar
      }
    }
  }
}
