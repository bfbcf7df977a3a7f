import Cauldron
import Testing

@Suite struct DeepChainTests {
  private func chain(_ bench: Bench, _ depth: Int) -> [ManagedObjectContext] {
    var contexts = [bench.root]
    for level in 1..<depth {
      contexts.append(bench.child("Level \(level)", of: contexts[level - 1]))
    }
    return contexts
  }

  @Test(arguments: [1, 3, 5], StoreKind.allCases)
  func `a save goes up through every level`(_ depth: Int, _ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let contexts = chain(bench, depth)
    let leaf = contexts[depth - 1]
    let acme = Company.named("acme", in: leaf)
    let people = (0..<20).map { Person.named("p\($0)", age: $0, at: acme, in: leaf) }
    let outcome = try leaf.saveAndWait(toPersistentStore: true)
    guard case .saved(let summary) = outcome else {
      Issue.record("not saved")
      return
    }
    #expect(summary.inserted == 21 && summary.updated == 0 && summary.carriedBy == nil)
    #expect(!contexts.contains { bench.isDirty($0) })
    leaf.performAndWait { _ in
      people[0].name = "changed"
      people[1].delete()
    }
    try leaf.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try Company.findFirst(in: reader)?.employees.count == 19)
    #expect(try Person.findFirst(where: \.age == 0, in: reader)?.name == "changed")
    #expect(try leaf.saveAndWait(toPersistentStore: true) == .noChanges)
  }

  @Test(arguments: StoreKind.allCases)
  func `an object may be created, changed and deleted by three levels`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let contexts = chain(bench, 4)
    let leaf = contexts[3]
    let kept = Person.named("kept", in: leaf)
    let gone = Person.named("gone", in: leaf)
    try leaf.save()
    let middle = contexts[2]
    try Person.find(kept.objectID, in: middle)?.age = 1
    try Person.find(gone.objectID, in: middle)?.age = 1
    try middle.save()
    let upper = contexts[1]
    try Person.find(kept.objectID, in: upper)?.name = "renamed"
    try Person.find(gone.objectID, in: upper)?.delete()
    upper.processPendingChanges()
    // The leaf's own objects stay as they are, but what it fetches is up to date.
    let seen = try Person.findAll(in: leaf)
    #expect(seen == [kept])
    try upper.saveAndWait(toPersistentStore: true)
    let found = try Person.findAll(in: bench.committed())
    #expect(found.map(\.name) == ["renamed"])
    #expect(found.map(\.age) == [1])
  }

  @Test(arguments: StoreKind.allCases)
  func `a child's deletion of a stored object reaches the store`(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let parent = bench.child("Parent")
    let jack = Person.named("jack", in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    let child = bench.child("Child", of: parent)
    try Person.find(jack.objectID, in: child)?.delete()
    #expect(try Person.count(in: child) == 0)
    #expect(try Person.count(in: parent) == 1)
    try child.save()
    #expect(try Person.count(in: parent) == 0)
    parent.processPendingChanges()
    #expect(jack.isDeleted)
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try Person.count(in: bench.committed()) == 0)
  }

  @Test func `many small events before one save add up`() throws {
    let bench = try Bench(.file)
    let child = bench.child()
    let jack = Person.named("jack", in: child)
    for round in 0..<100 {
      jack.age = round
      if round % 3 == 0 { Person.named("extra", age: round, in: child) }
      if round % 9 == 0 { try Person.findFirst(where: \.name == "extra", in: child)?.delete() }
      child.processPendingChanges()
    }
    try child.saveAndWait(toPersistentStore: true)
    let reader = bench.committed()
    #expect(try Person.findFirst(where: \.name == "jack", in: reader)?.age == 99)
    #expect(try Person.count(where: \.name == "extra", in: reader) == 34 - 12)
  }
}
