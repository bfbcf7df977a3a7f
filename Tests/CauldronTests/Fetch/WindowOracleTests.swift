import Cauldron
import TestSupport
import Testing

/// Limit and offset are exact whatever is pending in however many layers.
@Suite(.againstHanging) struct WindowOracleTests {
  /// What a level knows, by key.
  private typealias Table = [ManagedObjectID: (name: String, age: Int)]

  @Test(arguments: StoreKind.allCases, [1, 2, 3, 4])
  func `fetches and counts agree with an oracle`(_ kind: StoreKind, _ seed: UInt64) throws {
    let bench = try Bench(kind)
    let middle = bench.child("Middle")
    let leaf = bench.child("Leaf", of: middle)
    var random = SeededGenerator(seed: seed)
    var table: Table = [:]
    for round in 0..<60 {
      try withEvery("round", in: [round]) { _ in
        try change(leaf, &table, &random)
        if random.once(in: 3) { try leaf.save() }
        if random.once(in: 6) {
          try leaf.save()
          try middle.save()
        }
        if random.once(in: 12) {
          try leaf.save()
          try middle.saveAndWait(toPersistentStore: true)
        }
        try check(leaf, table, &random)
        if !leaf.hasChanges {
          middle.processPendingChanges()
          try check(middle, table, &random)
        }
      }
    }
    try leaf.save()
    try middle.saveAndWait(toPersistentStore: true)
    try check(bench.committed(), table, &random)
  }

  private func change(
    _ context: ManagedObjectContext, _ table: inout Table, _ random: inout SeededGenerator
  ) throws {
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      let ids = table.keys.sorted { "\($0)" < "\($1)" }
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        let age = Int.random(in: 0..<8, using: &random)
        let name = random.pick(["a", "b", "ä", ""])
        table[Person.named(name, age: age, in: context).objectID] = (name, age)
      case 2 where !ids.isEmpty:
        let id = random.pick(ids)
        let person = try #require(try Person.find(id, in: context))
        person.age = Int.random(in: 0..<8, using: &random)
        table[id]?.age = person.age
      case 3 where !ids.isEmpty:
        let id = random.pick(ids)
        try #require(try Person.find(id, in: context)).delete()
        table[id] = nil
      default: break
      }
    }
  }

  private func check(
    _ context: ManagedObjectContext, _ table: Table, _ random: inout SeededGenerator
  ) throws {
    let bound = Int.random(in: 0..<8, using: &random)
    let limit = random.once(in: 3) ? nil : Int.random(in: 0..<12, using: &random)
    let offset = Int.random(in: 0..<6, using: &random)
    let found = try Person.findAll(
      where: \.age >= bound && \.name != "b", sortedBy: \.age.descending, \.name, limit: limit,
      offset: offset, in: context)
    let all = table.values.filter { $0.age >= bound && $0.name != "b" }
      .sorted { $0.age != $1.age ? $0.age > $1.age : $0.name < $1.name }
    let window = all.dropFirst(offset).prefix(limit ?? .max)
    #expect(
      found.map { "\($0.age)\($0.name)" } == window.map { "\($0.age)\($0.name)" }, Trace.comment)
    var request = FetchRequest<Person>()
    request.predicate = (\Person.age >= bound).node
    (request.limit, request.offset) = (limit, offset)
    let objects = try context.fetch(request)
    #expect(try context.count(for: request) == objects.count, Trace.comment)
    #expect(try context.fetchObjectIDs(request) == objects.map(\.objectID), Trace.comment)
    #expect(Set(objects.map(\.objectID)).count == objects.count, Trace.comment)
    #expect(try Person.count(in: context) == table.count, Trace.comment)
  }
}
