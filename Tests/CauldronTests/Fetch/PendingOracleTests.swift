import CauldronQuery
import Foundation
import TestSupport
import Testing

@testable import Cauldron
@testable import CauldronGraph
@testable import CauldronLedger
@testable import CauldronModel
@testable import CauldronStore

/// However a fetch finds the pending rows, by key, by value or by trying them all, it finds those
/// that a plain scan of everything finds.
@Suite(.againstHanging) struct PendingOracleTests {
  @Test(arguments: StoreKind.allCases, [1, 2])
  func `fetches and counts agree with a scan`(_ kind: StoreKind, _ seed: UInt64) async throws {
    let bench = try Bench(kind)
    let middle = bench.child("Middle")
    let leaf = bench.child("Leaf", of: middle)
    var people = PendingPeople(seed: seed)
    try people.fill(leaf)
    try await leaf.save()
    try await middle.save(toPersistentStore: true)
    for round in 0..<14 {
      // It takes its time, and tests that run beside it need a thread, too.
      await Task.yield()
      try withEvery("round", in: [round]) { _ in
        try people.change(leaf)
        if people.random.once(in: 2) { try leaf.save() }
        if people.random.once(in: 8) {
          try leaf.save()
          try middle.saveAndWait(toPersistentStore: round % 2 == 0)
        }
        for _ in 0..<10 { try check(leaf, &people) }
      }
    }
  }

  /// A set of this size keeps columns of the values that it is searched for.
  @Test(arguments: StoreKind.allCases, [3, 4])
  func `so they do where many rows are pending for long`(
    _ kind: StoreKind, _ seed: UInt64
  ) async throws {
    let bench = try Bench(kind)
    let middle = bench.child("Middle")
    let leaf = bench.child("Leaf", of: middle)
    var people = PendingPeople(seed: seed)
    try people.fill(leaf, 1_100)
    try await leaf.save()
    for round in 0..<6 {
      await Task.yield()
      try withEvery("round", in: [round]) { _ in
        for _ in 0..<16 { try check(leaf, &people) }
        try people.change(leaf, most: 40)
        if people.random.once(in: 2) { try leaf.save() }
      }
    }
    let layers = middle.core.coordinator.ledger.layers(of: middle.core.node)
    let sets = layers.flatMap(\.changes.entities).filter { $0.inserted.count >= 1_100 }
    let columned = sets.flatMap { set in set.searches.withLock { $0.columns.indices } }
    #expect(columned.count == 4, "it keeps as many as it may")
  }

  private func check(_ context: ManagedObjectContext, _ people: inout PendingPeople) throws {
    let node = people.predicate()
    let sort = people.sort()
    var request = FetchRequest<Person>()
    request.predicate = node
    request.sortKeys = sort.map { SortKey($0.key, ascending: $0.ascending) }
    request.limit = people.random.once(in: 3) ? nil : Int.random(in: 0..<30, using: &people.random)
    request.offset = people.random.once(in: 2) ? 0 : Int.random(in: 0..<8, using: &people.random)
    let oracle = QueryOracle(context.persistentStoreCoordinator.managedObjectModel)
    let all = oracle.fetch(Array(people.rows.values), where: node, by: sort)
    let window = Array(all.dropFirst(request.offset).prefix(request.limit ?? .max))
    let found = try context.fetch(request).map(\.objectID.key)
    #expect(try context.count(for: request) == window.count, "\(node) \(Trace.comment)")
    if sort.isEmpty {
      // Any of them may be in the window, each once.
      #expect(found.count == window.count && Set(found).count == found.count, "\(node)")
      #expect(Set(all).isSuperset(of: found), "\(node) \(Trace.comment)")
    } else {
      #expect(found == window, "\(node) \(Trace.comment)")
    }
  }
}

/// People that are changed at random, and what is known of them.
private struct PendingPeople {
  var random: SeededGenerator
  private(set) var rows: [ManagedObjectID: OracleRow] = [:]
  private var companies: [ManagedObjectID] = []
  private var emails = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func fill(_ context: ManagedObjectContext, _ count: Int = 700) throws {
    companies = (0..<5).map { Company.named("c\($0)", in: context).objectID }
    for _ in 0..<count { try insert(context) }
  }

  /// A few changes or very many, of one sort or of all.
  mutating func change(_ context: ManagedObjectContext, most: Int? = nil) throws {
    let most = most ?? random.pick([5, 5, 5, 100, 600])
    let only = random.once(in: 2) ? 0 : Int.random(in: 0..<3, using: &random)
    let ids = rows.keys.sorted { $0.key < $1.key }.shuffled(using: &random)
    for id in ids.prefix(Int.random(in: 0...most, using: &random)) {
      switch only == 0 ? Int.random(in: 0..<4, using: &random) : only {
      case 0: try insert(context)
      case 1 where rows.count > 300:
        try #require(try Person.find(id, in: context)).delete()
        rows[id] = nil
      default: try set(try #require(try Person.find(id, in: context)), context)
      }
    }
  }

  private mutating func insert(_ context: ManagedObjectContext) throws {
    let person = Person.create(in: context)
    person.name = "new"
    try set(person, context)
  }

  private mutating func set(_ person: Person, _ context: ManagedObjectContext) throws {
    var values = rows[person.objectID]?.values ?? ["name": .text("new"), "age": .integer(0)]
    if random.once(in: 2) {
      person.age = Int.random(in: 0..<40, using: &random)
      values["age"] = .integer(Int64(person.age))
    }
    if random.once(in: 2) {
      person.name = random.pick(["a", "ab", "b", "ä"])
      values["name"] = .text(person.name)
    }
    if random.once(in: 2) {
      let day = Double(Int.random(in: -4..<4, using: &random)) / 2
      person.birthday = random.once(in: 5) ? nil : Date(timeIntervalSinceReferenceDate: day)
      values["birthday"] = person.birthday == nil ? .null : .real(day)
    }
    if random.once(in: 2) {
      emails += 1
      person.email = random.once(in: 5) ? nil : "e\(emails)"
      values["email"] = person.email.map { .text($0) } ?? .null
    }
    if random.once(in: 2) {
      let id = random.pick(companies)
      person.employer = random.once(in: 5) ? nil : context.object(with: id) as? Company
      values["employer"] = person.employer == nil ? .null : .integer(id.key)
    }
    rows[person.objectID] = OracleRow(key: person.objectID.key, entity: "Person", values: values)
  }

  mutating func sort() -> [(key: String, ascending: Bool)] {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in
      (random.pick(["age", "name", "email"]), random.once(in: 2))
    }
  }

  mutating func predicate() -> PredicateNode {
    if random.once(in: 3) { return .and([leaf(), leaf()]) }
    if random.once(in: 10) { return .or([leaf(), leaf()]) }
    return random.once(in: 10) ? .not(leaf()) : leaf()
  }

  private mutating func leaf() -> PredicateNode {
    switch Int.random(in: 0..<11, using: &random) {
    case 0: return .isSelf(ids(random.pick([1, 3, 20, 400])))
    case 1: return .comparison(key: "email", .equal, email())
    case 2: return .isIn(key: "email", (0..<random.pick([2, 30])).map { _ in email() })
    case 3: return .refersTo(key: "employer", [random.pick(companies)])
    case 4: return .isNil(key: random.pick(["email", "employer", "birthday"]))
    case 5: return .text(key: "name", .beginsWith, random.pick(["a", "ä", ""]))
    case 6: return .comparison(key: "age", .equal, age())
    case 7: return .comparison(key: "name", .equal, .text(random.pick(["a", "new", "ä", "c"])))
    case 8: return .isIn(key: "age", [age(), age(), age(), .null])
    case 9: return .comparison(key: "birthday", order(), .real(random.pick([-0.0, 0, 1, -1.5])))
    default: return .comparison(key: "age", order(), age())
    }
  }

  private mutating func ids(_ count: Int) -> [ManagedObjectID] {
    Array(rows.keys.sorted { $0.key < $1.key }.shuffled(using: &random).prefix(count))
  }

  private mutating func order() -> PredicateNode.ComparisonOperator {
    random.pick([.less, .lessOrEqual, .notEqual, .greater, .greaterOrEqual])
  }

  private mutating func age() -> AttributeScalar {
    .integer(Int64.random(in: 0..<40, using: &random))
  }

  private mutating func email() -> AttributeScalar {
    random.once(in: 8) ? .null : .text("e\(Int.random(in: 0...(emails + 1), using: &random))")
  }
}
