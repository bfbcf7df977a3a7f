import Cauldron
import CauldronModel
import TestSupport
import Testing

/// A save writes both ends of a one-to-one link, or neither.
@Suite(.againstHanging) struct WholePairTests {
  private let bench: Bench
  private let middle: ManagedObjectContext

  init() throws {
    bench = try Bench(.file, model: Pairs.model())
    middle = bench.child("Middle")
  }

  /// Three chairs and three sitters, the last of which inherits its end.
  private func furnish(_ links: [(chair: Int, sitter: Int)] = []) throws {
    let maker = bench.committed()
    let chairs = (1...3).map { number in
      let chair = Chair.create(in: maker)
      chair.number = number
      return chair
    }
    let sitters = (1...3).map { number in
      let sitter = number == 3 ? Jury.create(in: maker) : Sitter.create(in: maker)
      sitter.number = number
      return sitter
    }
    for link in links { chairs[link.chair - 1].sitter = sitters[link.sitter - 1] }
    try maker.save()
  }

  private func links(in context: ManagedObjectContext) throws -> [Int: Int] {
    try context.performAndWait { local in
      try Chair.findAll(in: local.context).reduce(into: [:]) { $0[$1.number] = $1.sitter?.number }
    }
  }

  /// What the file holds; an issue is recorded where a link is half there.
  @discardableResult
  private func stored(_ location: SourceLocation = #_sourceLocation) throws -> [Int: Int] {
    let reader = bench.committed()
    #expect(try Pairs.halves(in: reader) == [], sourceLocation: location)
    return try links(in: reader)
  }

  private func level(_ depth: Int) -> (ManagedObjectContext, other: ManagedObjectContext) {
    switch depth {
    case 0: (bench.committed(), bench.committed())
    case 1: (bench.child("Mine"), bench.child("Other"))
    default: (bench.child("Mine", of: middle), bench.child("Other", of: middle))
    }
  }

  @Test func `a refresh of one end leaves the link that a child has saved`() throws {
    try furnish()
    let child = bench.child("Child", of: middle)
    try child.performAndWait { local in
      try local.context.chair(1)?.sitter = local.context.sitter(3)
      try local.save()
    }
    try middle.performAndWait { local in
      let chair = try #require(try local.context.chair(2))
      chair.sitter = try local.context.sitter(3)
      local.context.processPendingChanges()
      local.context.refresh(chair, mergeChanges: false)
    }
    #expect(try links(in: middle) == [1: 3])
    #expect(try middle.performAndWait { try Pairs.halves(in: $0.context) } == [])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try stored() == [1: 3])
  }

  /// Two links that hang together by a third object are edited as one: the edits of all ends end.
  @Test func `a refresh of one end drops the edits of all ends that hang on by a third`() throws {
    try furnish([(1, 1), (3, 2)])
    try middle.performAndWait { local in
      let chair = try #require(try local.context.chair(3))
      // 2 moves to chair 1, and 1, whose place that was, to chair 2.
      try local.context.chair(1)?.sitter = local.context.sitter(2)
      try local.context.chair(2)?.sitter = local.context.sitter(1)
      local.context.processPendingChanges()
      #expect(local.context.updatedObjects.count == 5)
      local.context.refresh(chair, mergeChanges: false)
      local.context.processPendingChanges()
      #expect(!local.hasChanges && local.context.updatedObjects.isEmpty)
    }
    #expect(try links(in: middle) == [1: 1, 3: 2])
    #expect(try middle.saveAndWait(toPersistentStore: true) == .noChanges)
    #expect(try stored() == [1: 1, 3: 2])
  }

  @Test func `a refresh leads no end back to an object that stays deleted`() throws {
    try furnish([(2, 2), (3, 3)])
    try middle.performAndWait { local in
      let context = local.context
      let (chair, sitter) = (try context.chair(2), try #require(try context.sitter(3)))
      try context.sitter(2)?.delete()
      context.processPendingChanges()
      sitter.chair = chair
      context.processPendingChanges()
      context.refresh(sitter, mergeChanges: false)
      #expect(chair?.sitter == nil && sitter.chair?.number == 3)
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(try stored() == [3: 3])
  }

  @Test func `a refreshed end does not lead to an object that the context has led elsewhere`()
    throws
  {
    try furnish([(2, 3)])
    let (mine, other) = level(2)
    let sitter = try mine.performAndWait { local in
      let sitter = try local.context.sitter(3)
      #expect(sitter?.chair?.number == 2)
      sitter?.number = 4
      try local.context.chair(1)?.sitter = local.context.sitter(2)
      return sitter
    }
    try other.performAndWait { local in
      try local.context.sitter(3)?.chair = local.context.chair(1)
      try local.save()
    }
    try mine.performAndWait { local in
      let sitter = try #require(sitter)
      local.context.refresh(sitter, mergeChanges: false)
      #expect(sitter.chair == nil && sitter.number == 3)
      #expect(try local.context.chair(1)?.sitter?.number == 2)
      #expect(try Pairs.halves(in: local.context) == [])
      try local.context.saveAndWait(toPersistentStore: true, mergePolicy: .overwrite)
    }
    #expect(try stored() == [1: 2])
  }

  @Test func `ends of a refreshed link are no edits where the parent has made the link`() throws {
    try furnish([(3, 3)])
    let child = bench.child("Child", of: middle)
    let chair = try child.performAndWait { local in
      let chair = try #require(try local.context.chair(3))
      chair.sitter = try local.context.sitter(1)
      return chair
    }
    try middle.performAndWait { local in
      try local.context.chair(3)?.sitter = local.context.sitter(1)
    }
    child.performAndWait { local in
      local.context.refresh(chair, mergeChanges: false)
      #expect(chair.sitter?.number == 1)
      local.context.processPendingChanges()
      #expect(!local.hasChanges)
    }
    try middle.performAndWait { local in
      try local.context.chair(2)?.sitter = local.context.sitter(1)
    }
    try child.saveAndWait(toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try links(in: middle) == [2: 1])
  }

  /// Which end is read before the other save, and which edit is made after it.
  static let stale: [(readsChair: Bool, edit: Int)] =
    [false, true].flatMap { reads in (0..<5).map { (reads, $0) } }

  @Test(arguments: Pairs.policies, [0, 1, 2])
  func `ends that were read at different moments are saved together or not at all`(
    _ policy: MergePolicy, _ depth: Int
  ) throws {
    try furnish()
    for (readsChair, edit) in Self.stale {
      let (mine, other) = level(depth)
      try other.performAndWait { local in
        try local.context.chair(2)?.sitter = nil
        try local.context.chair(1)?.sitter = nil
      }
      try other.saveAndWait(toPersistentStore: true, mergePolicy: .overwrite)
      let held: [ManagedObject?] = try mine.performAndWait { local in
        if readsChair {
          let chairs = try [local.context.chair(1), local.context.chair(2)]
          return chairs.map { chair in
            _ = chair?.sitter
            return chair
          }
        }
        let sitter = try local.context.sitter(3)
        _ = sitter?.chair
        return [sitter]
      }
      try other.performAndWait { local in
        try local.context.chair(1)?.sitter = try local.context.sitter(3)
      }
      try other.saveAndWait(toPersistentStore: true)
      try mine.performAndWait { local in
        let (one, two) = (try local.context.chair(1), try local.context.chair(2))
        let sitter = try local.context.sitter(3)
        switch edit {
        case 0: one?.sitter = nil
        case 1: sitter?.chair = nil
        case 2: two?.sitter = sitter
        case 3: sitter?.chair = two
        default: one?.sitter = sitter
        }
      }
      let before = try stored()
      do {
        try mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)
      } catch let error as CauldronError {
        #expect(error.code == .saveConflict)
        #expect(mine.performAndWait { $0.hasChanges })
        #expect(try stored() == before)
      }
      try stored()
      _ = held
    }
  }

  @Test func `a stale end is a conflict although it shows the new value`() throws {
    try furnish()
    let (mine, other) = level(1)
    let sitter = try mine.performAndWait { try $0.context.sitter(1) }
    #expect(mine.performAndWait { _ in sitter?.chair == nil })
    try other.performAndWait { local in
      try local.context.chair(1)?.sitter = try local.context.sitter(1)
    }
    try other.saveAndWait(toPersistentStore: true)
    try mine.performAndWait { try $0.context.chair(1)?.sitter = nil }
    let error = cauldronError { try mine.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict && error?.property == "chair")
    #expect(try stored() == [1: 1])
    try mine.saveAndWait(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try stored() == [:])
  }

  /// Leads sitter 3 away from a chair that shows a third object, so that the edit is one of the sitter alone.
  private func editOfOneEnd(
    depth: Int
  ) throws -> (mine: ManagedObjectContext, chair: Chair?, sitter: Sitter) {
    try furnish([(1, 2)])
    let (mine, other) = level(depth)
    let chair = try mine.performAndWait { try $0.context.chair(1) }
    #expect(mine.performAndWait { _ in chair?.sitter?.number } == 2)
    try other.performAndWait { local in
      try local.context.chair(1)?.sitter = try local.context.sitter(3)
    }
    try other.saveAndWait(toPersistentStore: true)
    let sitter = try mine.performAndWait { local in
      let sitter = try #require(try local.context.sitter(3))
      sitter.chair = nil
      return sitter
    }
    return (mine, chair, sitter)
  }

  @Test(arguments: Pairs.policies, [0, 1, 2])
  func `a partner that a seen end is led away from follows under every policy`(
    _ policy: MergePolicy, _ depth: Int
  ) throws {
    let (mine, _, sitter) = try editOfOneEnd(depth: depth)
    try mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    #expect(try stored() == [:])
    #expect(mine.performAndWait { _ in !sitter.hasChanges && sitter.chair == nil })
  }

  @Test(arguments: Pairs.policies, [false, true])
  func `an object gets its partner back where the link that took it does not stand`(
    _ policy: MergePolicy, _ fromChair: Bool
  ) throws {
    try furnish([(1, 2), (3, 3)])
    let (mine, other) = level(1)
    try mine.performAndWait { local in
      let (chair, first) = (try local.context.chair(1), try local.context.sitter(1))
      if fromChair {
        chair?.sitter = try local.context.sitter(3)
      } else {
        first?.chair = chair
      }
    }
    try other.performAndWait { local in
      let first = try local.context.sitter(1)
      if fromChair {
        try local.context.chair(1)?.sitter = first
      } else {
        first?.chair = try local.context.chair(2)
      }
    }
    try other.saveAndWait(toPersistentStore: true)
    let theirs = try stored()
    if policy == .error || policy == .strict {
      let error = cauldronError {
        try mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)
      }
      #expect(error?.code == .saveConflict)
    } else {
      try mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    }
    let isMine = policy == .mergeByPropertyObjectTrump || policy == .overwrite
    let ours = fromChair ? [1: 3] : [1: 1, 3: 3]
    #expect(try stored() == (isMine ? ours : theirs))
  }

  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite], [false, true])
  func `an object that is inserted again is linked at both ends, or at none`(
    _ policy: MergePolicy, _ isTaken: Bool
  ) throws {
    try furnish([(1, 3)])
    let (mine, other) = level(1)
    try mine.performAndWait { try $0.context.sitter(3)?.number = 33 }
    try other.performAndWait { local in
      try local.context.sitter(3)?.delete()
      if isTaken { try local.context.chair(1)?.sitter = try local.context.sitter(1) }
    }
    try other.saveAndWait(toPersistentStore: true)
    try mine.saveAndWait(toPersistentStore: true, mergePolicy: policy)
    let isGivenUp = isTaken && policy == .mergeByPropertyObjectTrump
    #expect(try stored() == (isGivenUp ? [1: 1] : [1: 33]))
  }

  @Test func `an overwritten object takes its partner with it`() throws {
    try furnish([(1, 1)])
    let (mine, other) = level(1)
    try mine.performAndWait { try $0.context.sitter(1)?.number = 11 }
    try other.performAndWait { local in
      let sitter = try local.context.sitter(1)
      sitter?.number = 12
      sitter?.chair = try local.context.chair(2)
      try local.context.chair(1)?.sitter = try local.context.sitter(2)
    }
    try other.saveAndWait(toPersistentStore: true)
    try mine.saveAndWait(toPersistentStore: true, mergePolicy: .overwrite)
    #expect(try stored() == [1: 11])
  }

  @Test(arguments: ["sitter 1", "sitter 2", "chair 1", "chair 2", "sitters 1, 2"], [true, false])
  func `a refresh without merging drops or restores whole links`(
    _ name: String, _ isPublished: Bool
  ) throws {
    try furnish([(2, 1), (1, 2)])
    let (mine, _) = level(1)
    try mine.performAndWait { local in
      let context = local.context
      let (one, two) = (try context.sitter(1), try context.sitter(2))
      let (first, second) = (try context.chair(1), try context.chair(2))
      one?.chair = first
      if isPublished { context.processPendingChanges() }
      let all: [String: [ManagedObject?]] = [
        "sitter 1": [one], "sitter 2": [two], "chair 1": [first], "chair 2": [second],
        "sitters 1, 2": [one, two],
      ]
      for object in all[name]?.compactMap({ $0 }) ?? [] {
        context.refresh(object, mergeChanges: false)
      }
      #expect(try Pairs.halves(in: context) == [])
    }
    try mine.saveAndWait(toPersistentStore: true)
    // All four ends were edited together.
    #expect(try stored() == [2: 1, 1: 2])
  }

  @Test func `a refresh of a former partner drops an end that a deletion has cleared`() throws {
    try furnish([(1, 1)])
    let (mine, _) = level(1)
    try mine.performAndWait { local in
      let context = local.context
      let (former, new) = (try context.sitter(1), try context.sitter(2))
      try context.chair(1)?.sitter = new
      new?.delete()
      context.processPendingChanges()
      context.refresh(try #require(former), mergeChanges: false)
      #expect(try Pairs.halves(in: context) == [])
      #expect(former?.chair?.number == 1)
    }
    try mine.saveAndWait(toPersistentStore: true)
    #expect(try stored() == [1: 1])
  }

  @Test(arguments: [0, 1, 2])
  func `swaps, moves, deletions and undone edits are saved`(_ depth: Int) throws {
    try furnish([(1, 1), (2, 2)])
    let (mine, _) = level(depth)
    mine.performAndWait { $0.context.undoManager = UndoManager() }
    try mine.performAndWait { local in
      let context = local.context
      let one = try #require(try context.chair(1))
      let two = try #require(try context.chair(2))
      (one.sitter, two.sitter) = (two.sitter, one.sitter)
    }
    try mine.saveAndWait(toPersistentStore: true)
    #expect(try stored() == [1: 2, 2: 1])
    try mine.performAndWait { local in
      try local.context.sitter(2)?.chair = try local.context.chair(3)
      local.context.processPendingChanges()
      try local.context.undoManager?.undo()
      try local.context.undoManager?.redo()
      try local.context.sitter(1)?.delete()
    }
    try mine.saveAndWait(toPersistentStore: true)
    #expect(try stored() == [3: 2])
  }

  @Test func `an object with a broken link can be edited, and the link be mended`() throws {
    try furnish([(1, 1)])
    let connection = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(
      connection.run("UPDATE ZSITTER SET ZCHAIR = NULL, Z_OPT = Z_OPT + 1 WHERE ZNUMBER = 1"))
    let (mine, _) = level(1)
    try mine.performAndWait { local in
      try local.context.chair(1)?.number = 9
      try local.context.sitter(1)?.number = 8
    }
    try mine.saveAndWait(toPersistentStore: true)
    try mine.performAndWait { local in
      let sitter = try local.context.sitter(8)
      #expect(sitter?.chair == nil)
      sitter?.chair = try local.context.chair(9)
    }
    try mine.saveAndWait(toPersistentStore: true)
    #expect(try stored() == [9: 8])
  }

  @Test func `many links in one save are looked at in proportion to their number`() throws {
    let maker = bench.committed()
    let start = ContinuousClock.now
    let pairs = (0..<8_000).map { number in
      let (chair, sitter) = (Chair.create(in: maker), Sitter.create(in: maker))
      (chair.number, sitter.number, chair.sitter) = (number, number, sitter)
      return (chair, sitter)
    }
    try maker.save()
    for (first, second) in zip(pairs, pairs.dropFirst()) { first.0.sitter = second.1 }
    try maker.save()
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(try links(in: maker).count == 7_999)
  }
}
