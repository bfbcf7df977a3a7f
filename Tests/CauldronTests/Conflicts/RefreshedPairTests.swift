import Cauldron
import TestSupport
import Testing

/// One-to-one links that a context has edited, a child has led on, and a refresh, an undo or a deletion takes back.
@Suite(.againstHanging) struct RefreshedPairTests {
  private let bench: Bench
  private let middle: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws { (bench, middle, child) = try Pairs.family() }

  enum Refreshed: CaseIterable { case sitter, chair, newChair }

  @Test(arguments: Refreshed.allCases, Pairs.policies)
  func `a refresh leaves what a child has made of the link`(
    _ refreshed: Refreshed, _ policy: MergePolicy
  ) throws {
    try middle.performAndWait { try $0.context.sitter(1)?.chair = $0.context.chair(2) }
    try child.performAndWait { try $0.context.chair(1)?.sitter = $0.context.sitter(2) }
    try child.saveAndWait(toPersistentStore: false)
    try middle.performAndWait { local in
      let object: ManagedObject? =
        switch refreshed {
        case .sitter: try local.context.sitter(1)
        case .chair: try local.context.chair(1)
        case .newChair: try local.context.chair(2)
        }
      local.context.refresh(try #require(object), mergeChanges: false)
    }
    #expect(try Pairs.links(in: middle) == [1: 2])
    try middle.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try Pairs.links(in: bench.committed()) == [1: 2])
  }

  @Test(arguments: Pairs.policies)
  func `a link that a child has left alone is as it was stored`(_ policy: MergePolicy) throws {
    let maker = bench.committed()
    try maker.chair(3)?.sitter = maker.sitter(3)
    try maker.save()
    try middle.performAndWait { try $0.context.sitter(3)?.chair = $0.context.chair(1) }
    try child.performAndWait { try $0.context.chair(2)?.sitter = $0.context.sitter(3) }
    try child.saveAndWait(toPersistentStore: false)
    try middle.performAndWait { local in
      local.context.refresh(try #require(try local.context.sitter(1)), mergeChanges: false)
    }
    #expect(try Pairs.links(in: middle) == [1: 1, 2: 3])
    try middle.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try Pairs.links(in: bench.committed()) == [1: 1, 2: 3])
  }

  @Test func `an undo leaves a link whole that a child has taken`() throws {
    middle.performAndWait { $0.undoManager = UndoManager() }
    try middle.performAndWait { try $0.context.sitter(1)?.chair = $0.context.chair(2) }
    try child.performAndWait { try $0.context.chair(1)?.sitter = $0.context.sitter(2) }
    try child.saveAndWait(toPersistentStore: false)
    try middle.performAndWait { try $0.context.undo() }
    #expect(try Pairs.links(in: middle) == [1: 2, 2: 1])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [1: 2, 2: 1])
  }

  @Test func `an undo leaves no edit of an end that stayed where it led`() throws {
    let other = bench.child("Other")
    let sitter = try middle.performAndWait { local in
      let sitter = try local.context.sitter(1)
      #expect(sitter?.chair?.number == 1)
      local.undoManager = UndoManager()
      return Handle(sitter)
    }
    try other.performAndWait { try $0.context.chair(1)?.sitter = nil }
    try other.saveAndWait(toPersistentStore: true)
    try middle.performAndWait { local in
      try local.context.chair(1)?.sitter = sitter.object
      local.context.processPendingChanges()
      #expect(local.hasChanges)
    }
    try other.performAndWait { try $0.context.chair(1)?.sitter = $0.context.sitter(1) }
    try other.saveAndWait(toPersistentStore: true)
    try middle.performAndWait { local in
      try local.context.undo()
      #expect(!local.hasChanges)
    }
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [1: 1])
  }

  @Test func `a deletion that was refreshed takes the link away that it has met`() throws {
    try child.performAndWait { try $0.context.sitter(2)?.delete() }
    try middle.performAndWait { try $0.context.sitter(2)?.chair = $0.context.chair(2) }
    try middle.saveAndWait(toPersistentStore: true)
    child.performAndWait { $0.refreshAllObjects() }
    try child.saveAndWait(toPersistentStore: false)
    let free = bench.child("Reader", of: middle)
    #expect(try free.performAndWait { try $0.context.chair(2)?.sitter } == nil)
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [1: 1])
  }
}
