import Cauldron
import TestSupport
import Testing

/// An edited end of a one-to-one link whose partner has no edit: it was set back to where it led at first, or
/// showed a third object when the end was edited.
@Suite(.againstHanging) struct LonelyEndTests {
  private let bench: Bench
  private let middle: ManagedObjectContext

  init() throws {
    bench = try Bench(.memory, model: Pairs.model())
    middle = bench.child("Middle")
    let maker = bench.committed()
    Pairs.furnish(maker)
    try maker.save()
  }

  /// A child that has read chair 1 before it was taken by sitter 1, and sitter 1 afterwards; it leads the
  /// sitter to chair 2 and back, each in an event of its own.
  private func childWithOneEnd() throws -> ManagedObjectContext {
    let child = bench.child("Child", of: middle)
    let chair = try child.performAndWait { local in
      let chair = try local.context.chair(1)
      _ = chair?.sitter
      return Handle(chair)
    }
    try middle.performAndWait { local in
      try local.context.sitter(1)?.chair = local.context.chair(1)
    }
    try child.performAndWait { local in
      let sitter = try local.context.sitter(1)
      sitter?.chair = try local.context.chair(2)
      local.context.processPendingChanges()
      sitter?.chair = chair.object
    }
    return child
  }

  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func `a policy by which its edits win has the partner lead back`(_ policy: MergePolicy) throws {
    let child = try childWithOneEnd()
    // The sitter has no edit, and moves elsewhere.
    try middle.performAndWait { local in
      try local.context.sitter(1)?.chair = local.context.chair(3)
    }
    try child.performAndWait { local in
      local.context.mergePolicy = policy
      try local.context.save()
    }
    #expect(try Pairs.links(in: middle) == [1: 1])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [1: 1])
  }

  @Test func `a save without such a policy is refused, and keeps the edit`() throws {
    let child = try childWithOneEnd()
    try middle.performAndWait { local in
      try local.context.sitter(1)?.chair = local.context.chair(3)
    }
    #expect(throws: CauldronError.self) { try child.saveAndWait(toPersistentStore: false) }
    #expect(child.performAndWait { $0.hasChanges })
    #expect(try Pairs.links(in: middle) == [3: 1])
  }

  /// A child that has read sitter 1 before it moved from chair 3 to chair 1, and chair 1 afterwards; it seats sitter 2
  /// there, and leaves sitter 1 alone, who sits in chair 3 as far as it knows.
  private func childThatTakesAChair() throws -> ManagedObjectContext {
    let child = bench.child("Child", of: middle)
    try middle.performAndWait { local in
      try local.context.sitter(1)?.chair = local.context.chair(3)
    }
    let sitter = try child.performAndWait { local in
      let sitter = try local.context.sitter(1)
      _ = sitter?.chair
      return Handle(sitter)
    }
    try middle.performAndWait { local in
      try local.context.sitter(1)?.chair = local.context.chair(1)
    }
    try child.performAndWait { local in
      #expect(sitter.object?.chair?.number == 3)
      try local.context.sitter(2)?.chair = local.context.chair(1)
    }
    return child
  }

  @Test(arguments: Pairs.policies)
  func `a former partner that the context has left alone follows under every policy`(
    _ policy: MergePolicy
  ) throws {
    let child = try childThatTakesAChair()
    try child.performAndWait { local in
      local.context.mergePolicy = policy
      try local.context.save()
    }
    #expect(try Pairs.links(in: middle) == [1: 2])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [1: 2])
    #expect(try child.performAndWait { try $0.context.sitter(2)?.chair?.number } == 1)
  }

  @Test(arguments: Pairs.policies)
  func `edits that were refreshed stand under every policy`(_ policy: MergePolicy) throws {
    let child = bench.child("Child", of: middle)
    try child.performAndWait { local in
      try local.context.chair(3)?.sitter = local.context.sitter(3)
    }
    try middle.performAndWait { local in
      try local.context.sitter(3)?.chair = local.context.chair(2)
    }
    try child.performAndWait { local in
      for object in [try local.context.chair(3), try local.context.sitter(3)] as [ManagedObject?] {
        local.context.refresh(try #require(object), mergeChanges: true)
      }
      local.context.mergePolicy = policy
      try local.context.save()
    }
    #expect(try Pairs.links(in: middle) == [3: 3])
  }

  @Test func `a refresh ends both ends of a link that another save has made, too`() throws {
    let child = bench.child("Child", of: middle)
    try child.performAndWait { local in
      try local.context.chair(1)?.sitter = local.context.sitter(1)
    }
    try middle.performAndWait { local in
      try local.context.chair(1)?.sitter = local.context.sitter(1)
    }
    try child.performAndWait { local in
      #expect(local.context.hasChanges)
      let chair = try #require(try local.context.chair(1))
      local.context.refresh(chair, mergeChanges: true)
      #expect(!local.context.hasChanges)
      #expect(try local.context.sitter(1)?.changedValues().isEmpty == true)
    }
  }

  @Test func `a strict save compares what was set back with the row of the first edit`() throws {
    let child = bench.child("Child", of: middle)
    child.automaticallyMergesChangesFromParent = true
    try child.performAndWait { try $0.context.chair(1)?.note = "mine" }
    try middle.performAndWait { local in
      try local.context.chair(1)?.sitter = local.context.sitter(1)
      try local.context.save()
    }
    try child.performAndWait { local in
      let chair = try local.context.chair(1)
      #expect(chair?.sitter?.number == 1)
      chair?.sitter = nil
      local.context.processPendingChanges()
      chair?.sitter = try local.context.sitter(1)
      local.context.processPendingChanges()
      local.context.mergePolicy = .strict
      let error = #expect(throws: CauldronError.self) { try local.context.save() }
      #expect(error?.conflicts.flatMap { $0.properties.map(\.name) } == ["sitter"])
    }
  }

  @Test func `a refresh takes back both ends at a partner that has no edit`() throws {
    let child = bench.child("Child", of: middle)
    try middle.performAndWait { local in
      try local.context.chair(1)?.sitter = local.context.sitter(1)
    }
    let sitters = try child.performAndWait { local in
      let (first, second) = (try local.context.sitter(1), try local.context.sitter(2))
      #expect(first?.chair?.number == 1 && second?.chair == nil)
      return Handle((first, second))
    }
    try middle.performAndWait { local in
      try local.context.chair(1)?.sitter = local.context.sitter(2)
    }
    try child.performAndWait { local in
      let (first, second) = sitters.object
      let chair = try local.context.chair(1)
      chair?.sitter = first
      local.context.processPendingChanges()
      chair?.sitter = second
      local.context.processPendingChanges()
      local.context.refresh(try #require(first), mergeChanges: false)
      #expect(!local.context.hasChanges)
    }
    try middle.performAndWait { local in
      try local.context.chair(1)?.sitter = local.context.sitter(3)
    }
    try child.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [1: 3])
  }
}
