import Cauldron
import TestSupport
import Testing

/// A one-to-one link that a context has changed in two events, between which a child has saved: the edits are in
/// two layers of one save, and one end alone has edits where the other one was set back.
@Suite(.againstHanging) struct SplitPairTests {
  private let bench: Bench
  private let middle: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws { (bench, middle, child) = try Pairs.family() }

  private func link(
    _ chair: Int, to sitter: Int?, in context: ManagedObjectContext
  ) throws {
    try context.performAndWait { local in
      let other = try sitter.flatMap { try local.context.sitter($0) }
      try local.context.chair(chair)?.sitter = other
    }
  }

  @Test(arguments: Pairs.policies)
  func `a link made again over that of a child is whole`(_ policy: MergePolicy) throws {
    try link(1, to: nil, in: middle)
    try link(1, to: 3, in: child)
    try child.saveAndWait(toPersistentStore: false)
    try link(1, to: 1, in: middle)
    try middle.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try Pairs.links(in: bench.committed()) == [1: 1])
  }

  @Test(arguments: Pairs.policies)
  func `a partner that was passed on between is no conflict`(_ policy: MergePolicy) throws {
    try link(3, to: 3, in: middle)
    try link(2, to: 2, in: child)
    try child.saveAndWait(toPersistentStore: false)
    try link(3, to: 1, in: middle)
    try middle.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try Pairs.links(in: bench.committed()) == [2: 2, 3: 1])
  }

  @Test(arguments: Pairs.policies)
  func `a former partner follows where the link ends elsewhere`(_ policy: MergePolicy) throws {
    try link(1, to: nil, in: middle)
    try link(1, to: 3, in: child)
    try child.saveAndWait(toPersistentStore: false)
    try link(1, to: 2, in: middle)
    try middle.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try Pairs.links(in: bench.committed()) == [1: 2])
  }

  @Test(arguments: Pairs.policies)
  func `a partner that has no edit and that a child leads on is no conflict`(
    _ policy: MergePolicy
  ) throws {
    // The child shows sitter 2 in chair 3, and the context chair 1 with sitter 1.
    let sitter = try child.performAndWait { local in
      let sitter = try local.context.sitter(2)
      sitter?.chair = try local.context.chair(3)
      return Handle(sitter)
    }
    try child.saveAndWait(toPersistentStore: true)
    let chair = try middle.performAndWait { local in
      let chair = try local.context.chair(1)
      #expect(chair?.sitter?.number == 1)
      return Handle(chair)
    }
    let other = bench.child("Other")
    try link(1, to: 2, in: other)
    try other.saveAndWait(toPersistentStore: true)
    try link(1, to: 3, in: child)
    try link(2, to: 2, in: middle)
    withExtendedLifetime((sitter, chair)) {}
    try child.saveAndWait(toPersistentStore: false)
    try middle.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try Pairs.links(in: bench.committed()) == [1: 3, 2: 2])
  }

  @Test(arguments: Pairs.policies, [true, false])
  func `an end that was led on to a deleted object is edited`(
    _ policy: MergePolicy, isOneEvent: Bool
  ) throws {
    try middle.performAndWait { local in
      try local.context.chair(2)?.sitter = local.context.sitter(1)
      try local.context.chair(1)?.sitter = local.context.sitter(3)
      if !isOneEvent { local.context.processPendingChanges() }
      try local.context.sitter(3)?.delete()
    }
    let other = bench.child("Other")
    try link(2, to: 2, in: other)
    try other.saveAndWait(toPersistentStore: true)
    let expected: [Int: Int]?
    switch policy {
    case .error, .strict: expected = nil
    case .mergeByPropertyStoreTrump, .rollback: expected = [1: 1, 2: 2]
    case .mergeByPropertyObjectTrump, .overwrite: expected = [2: 1]
    }
    guard let expected else {
      #expect(throws: CauldronError.self) {
        try middle.saveAndWait(toPersistentStore: true, mergePolicy: policy)
      }
      return
    }
    try middle.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try Pairs.links(in: bench.committed()) == expected)
  }
}
