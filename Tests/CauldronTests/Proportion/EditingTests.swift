import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import TestSupport
import Testing

/// Unsaved edits take the memory of what is there, however many events they took.
@Suite(.againstHanging) struct EditingTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    context = bench.child()
  }

  private var changes: [EntityChanges] {
    bench.stack.coordinator.ledger.layers(of: context.core.node).flatMap(\.changes.entities)
  }

  private var pendingCount: Int { context.performAndWait { $0.context.core.pending.count } }

  private func save() throws { try context.saveAndWait(toPersistentStore: true) }

  private func savedPerson() throws -> (Person, rowSize: Int) {
    let person = Person.named("", age: 0, in: context)
    try save()
    return (person, context.performAndWait { _ in person.rowSize })
  }

  @Test func `a text typed letter by letter keeps one row and the one it was made from`() throws {
    let (person, empty) = try savedPerson()
    for _ in 0..<3_000 { context.performAndWait { _ in person.name += "x" } }
    #expect(changes.count == 1 && changes[0].updated.count == 1)
    #expect(changes[0].memory.blockCount <= 2)
    #expect(changes[0].updated[0].row.size == empty + 3_000)
    try save()
    let stored = try bench.committed().performAndWait { try Person.findAll(in: $0)[0].name.count }
    #expect(stored == 3_000)
  }

  @Test func `an object edited in many events is one change with one place in the lists`() throws {
    let (person, _) = try savedPerson()
    for _ in 0..<5_000 { context.performAndWait { _ in person.age += 1 } }
    #expect(changes.count == 1 && changes[0].count == 1)
    #expect(changes[0].memory.blockCount <= 2)
    #expect(pendingCount == 1)
    context.performAndWait { _ in
      #expect(person.committedValues()["age"] == .integer(0) && person.age == 5_000)
    }
    try save()
    #expect(pendingCount == 0)
  }

  @Test func `many objects edited in turn are one change each`() throws {
    let people = (0..<50).map { Person.named("\($0)", in: context) }
    try save()
    for round in 0..<2_000 { context.performAndWait { _ in people[round % 50].age = round } }
    #expect(changes.reduce(0) { $0 + $1.count } < 4 * 50)
    #expect(changes.allSatisfy { $0.memory.blockCount <= 2 * $0.count })
    #expect(pendingCount == 50)
    try save()
    let ages = try bench.committed().performAndWait { try Person.findAll(in: $0).map(\.age) }
    #expect(Set(ages) == Set(1_950..<2_000))
  }

  @Test func `a text that is set and cleared again and again leaves its row as it was`() throws {
    let (person, empty) = try savedPerson()
    for round in 0..<1_000 {
      context.performAndWait { _ in person.name = "jack" }
      if round % 50 == 0 { try save() }
      context.performAndWait { _ in person.name = "" }
    }
    context.performAndWait { _ in #expect(person.rowSize <= empty + 4) }
  }

  @Test func `an object that a refresh has made clean is listed once when it is edited`() throws {
    let (person, _) = try savedPerson()
    for _ in 0..<20 {
      context.performAndWait { _ in person.age += 1 }
      context.performAndWait { $0.context.refresh(person, mergeChanges: false) }
    }
    #expect(pendingCount <= 1)
    context.performAndWait { _ in person.age = 7 }
    try save()
    context.performAndWait { _ in person.age = 8 }
    #expect(pendingCount == 1)
    #expect(context.performAndWait { _ in person.isUpdated })
  }
}

extension ManagedObject {
  fileprivate var rowSize: Int { RowPointer(row).size }
}
