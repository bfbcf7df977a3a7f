import Cauldron
import TestSupport
import Testing

/// Ends of links that a context has changed, and that a child's save leads elsewhere: the context's part is
/// no edit once it has come to nothing.
@Suite(.againstHanging) struct LedElsewhereTests {
  private let bench: Bench
  private let middle: ManagedObjectContext

  init() throws {
    bench = try Bench(.memory, model: Pairs.model())
    middle = bench.child("Middle")
    let maker = bench.committed()
    for number in 1...3 {
      Chair.create(in: maker).number = number
      Sitter.create(in: maker).number = number
    }
    try maker.chair(1)?.sitter = maker.sitter(1)
    try maker.save()
  }

  private func links(in context: ManagedObjectContext) throws -> [Int: Int] {
    try context.performAndWait { local in
      #expect(try Pairs.halves(in: local.context) == [])
      return try Chair.findAll(in: local.context)
        .reduce(into: [:]) { $0[$1.number] = $1.sitter?.number }
    }
  }

  private func save(_ child: ManagedObjectContext, _ policy: MergePolicy) throws {
    try child.performAndWait { local in
      local.context.mergePolicy = policy
      try local.context.save()
    }
  }

  static let policies: [MergePolicy] = [.mergeByPropertyObjectTrump, .overwrite]

  @Test(arguments: policies, [false, true])
  func `the partner stands where the child has led it`(
    _ policy: MergePolicy, _ isEditedToo: Bool
  ) throws {
    let child = bench.child("Child", of: middle)
    try child.performAndWait { local in
      try local.context.chair(3)?.sitter = local.context.sitter(1)
    }
    try middle.performAndWait { local in
      if isEditedToo { try local.context.sitter(1)?.note = "seen" }
      try local.context.chair(1)?.delete()
      local.context.processPendingChanges()
    }
    try save(child, policy)
    #expect(try links(in: middle) == [3: 1])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try links(in: middle) == [3: 1])
    #expect(try links(in: bench.committed()) == [3: 1])
    #expect(try bench.committed().chair(1) != nil)
    #expect(try bench.committed().sitter(1)?.note == (isEditedToo ? "seen" : ""))
  }

  @Test(arguments: policies)
  func `an end stands that the child has led from the deleted object to another`(
    _ policy: MergePolicy
  ) throws {
    let child = bench.child("Child", of: middle)
    try child.performAndWait { local in
      try local.context.chair(1)?.sitter = local.context.sitter(2)
    }
    try middle.performAndWait { local in
      try local.context.sitter(1)?.delete()
      local.context.processPendingChanges()
    }
    try save(child, policy)
    #expect(try links(in: middle) == [1: 2])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try links(in: bench.committed()) == [1: 2])
  }

  @Test(arguments: policies)
  func `an edit counts as made of the row that was deleted`(_ policy: MergePolicy) throws {
    let child = bench.child("Child", of: middle)
    try child.performAndWait { try $0.context.chair(2)?.note = "the child's" }
    try middle.performAndWait { local in
      try local.context.chair(2)?.note = "saved before"
      try local.context.save()
      try local.context.chair(2)?.delete()
      local.context.processPendingChanges()
    }
    try save(child, policy)
    #expect(try middle.performAndWait { try $0.context.chair(2)?.note } == "the child's")
    // Nothing is left to decide about: a save without such a policy goes through.
    try middle.performAndWait { local in
      local.context.mergePolicy = .error
      try local.context.save()
    }
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try bench.committed().chair(2)?.note == "the child's")
  }

  @Test func `a refresh ends the context's part in all ends, and the child's stands`() throws {
    let child = bench.child("Child", of: middle)
    try child.performAndWait { local in
      try local.context.chair(3)?.sitter = local.context.sitter(1)
    }
    try middle.performAndWait { local in
      try local.context.chair(2)?.sitter = local.context.sitter(1)
    }
    try save(child, .mergeByPropertyObjectTrump)
    try middle.performAndWait { local in
      let chair = try #require(try local.context.chair(1))
      local.context.refresh(chair, mergeChanges: false)
      #expect(chair.sitter == nil)
    }
    #expect(try links(in: middle) == [3: 1])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try links(in: bench.committed()) == [3: 1])
  }
}
