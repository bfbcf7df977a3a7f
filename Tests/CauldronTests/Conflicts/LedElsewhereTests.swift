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
    Pairs.furnish(maker)
    try maker.chair(1)?.sitter = maker.sitter(1)
    try maker.save()
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
    #expect(try Pairs.links(in: middle) == [3: 1])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: middle) == [3: 1])
    #expect(try Pairs.links(in: bench.committed()) == [3: 1])
    #expect(try bench.committed().chair(1) != nil)
    #expect(try bench.committed().sitter(1)?.note == (isEditedToo ? "seen" : ""))
  }

  @Test(arguments: policies)
  func `what comes back leaves a partner that the context has led elsewhere`(
    _ policy: MergePolicy
  ) throws {
    let child = bench.child("Child", of: middle)
    try child.performAndWait { try $0.context.chair(1)?.note = "mine" }
    try middle.performAndWait { local in
      try local.context.chair(1)?.delete()
      local.context.processPendingChanges()
      try local.context.chair(2)?.sitter = local.context.sitter(1)
    }
    try save(child, policy)
    // As a whole it comes back with its link.
    let links = policy == .overwrite ? [1: 1] : [2: 1]
    #expect(try Pairs.links(in: middle) == links)
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == links)
    #expect(try bench.committed().chair(1)?.note == "mine")
  }

  @Test(arguments: policies)
  func `what comes back leads to nothing that stays deleted`(_ policy: MergePolicy) throws {
    let child = bench.child("Child", of: middle)
    try child.performAndWait { try $0.context.chair(1)?.note = "mine" }
    let chair = try #require(
      try middle.performAndWait { local in
        let chair = try local.context.chair(1)
        try local.context.sitter(1)?.delete()
        chair?.delete()
        return Handle(chair)
      })
    try save(child, policy)
    try middle.performAndWait { local in
      let chair = try #require(chair.object)
      #expect(!chair.isDeleted && chair.note == "mine" && chair.sitter == nil)
      #expect(try local.context.sitter(1) == nil)
    }
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [:])
    #expect(try bench.committed().chair(1)?.note == "mine")
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
    #expect(try Pairs.links(in: middle) == [1: 2])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [1: 2])
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
    #expect(try Pairs.links(in: middle) == [3: 1])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [3: 1])
  }

  @Test(arguments: policies)
  func `a link that was made when its former partner was deleted stands when that comes back`(
    _ policy: MergePolicy
  ) throws {
    let child = bench.child("Child", of: middle)
    try child.performAndWait { try $0.context.chair(1)?.note = "kept" }
    try middle.performAndWait { local in
      try local.context.chair(1)?.delete()
      local.context.processPendingChanges()
    }
    try child.performAndWait { local in
      try local.context.chair(3)?.sitter = local.context.sitter(1)
    }
    try save(child, policy)
    #expect(try Pairs.links(in: middle) == [3: 1])
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try Pairs.links(in: bench.committed()) == [3: 1])
    #expect(try bench.committed().chair(1)?.note == "kept")
  }
}

/// A link of two objects of one entity, and what goes with its owner.
@Entity final class Dancer: ManagedObject {
  var number: Int = 0
  var note: String = ""
  @Relationship(inverse: "partner") var partner: Dancer?
  @Relationship(deleteRule: .cascade) var pupils: ToMany<Dancer>
  @Relationship(inverse: "pupils") var teacher: Dancer?
}

extension ManagedObjectContext {
  fileprivate func dancer(_ number: Int) throws -> Dancer? {
    try Dancer.findFirst(where: \.number == number, in: self)
  }
}

/// The same of links whose two ends are one property, and of what comes back with its owner.
@Suite(.againstHanging) struct LedPartnerTests {
  private let bench: Bench
  private let middle: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    bench = try Bench(.memory, model: ManagedObjectModel(entities: [Dancer._describeEntity()]))
    middle = bench.child("Middle")
    child = bench.child("Child", of: middle)
    child.mergePolicy = .mergeByPropertyObjectTrump
    let maker = bench.committed()
    let dancers = (1...6).map { number in
      let dancer = Dancer.create(in: maker)
      dancer.number = number
      return dancer
    }
    for (a, b) in [(0, 1), (2, 3), (4, 5)] { dancers[a].partner = dancers[b] }
    dancers[1].teacher = dancers[4]
    try maker.save()
  }

  private func partners(in context: ManagedObjectContext) throws -> [Int: Int] {
    try context.performAndWait { local in
      try Dancer.findAll(in: local.context).reduce(into: [:]) { $0[$1.number] = $1.partner?.number }
    }
  }

  private func change(
    _ context: ManagedObjectContext, _ body: (ManagedObjectContext) throws -> Void
  )
    throws
  {
    try context.performAndWait { local in
      try body(local.context)
      local.context.processPendingChanges()
    }
  }

  private func expect(_ partners: [Int: Int]) throws {
    try child.saveAndWait(toPersistentStore: false)
    #expect(try self.partners(in: middle) == partners)
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try self.partners(in: bench.committed()) == partners)
  }

  @Test func `the object that comes back leads where the child has led it`() throws {
    try change(child) { try $0.dancer(1)?.partner = $0.dancer(3) }
    try change(middle) { try $0.dancer(1)?.delete() }
    try expect([1: 3, 3: 1, 5: 6, 6: 5])
  }

  @Test func `an overwriting save keeps its link beside the edit of a child`()
    throws
  {
    try change(middle) { try $0.dancer(1)?.partner = $0.dancer(3) }
    try change(child) { try $0.dancer(5)?.partner = nil }
    try bench.root.performAndWait { local in
      try local.context.dancer(1)?.partner = local.context.dancer(5)
    }
    for context in [child, middle] { context.mergePolicy = .overwrite }
    try child.saveAndWait(toPersistentStore: false)
    try middle.saveAndWait(toPersistentStore: false)
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try partners(in: bench.committed()) == [1: 3, 3: 1])
  }

  @Test func `what comes back with its owner leaves a partner that was led elsewhere`() throws {
    try change(child) { try $0.dancer(5)?.note = "kept" }
    try change(middle) { try $0.dancer(5)?.delete() }
    try change(child) { try $0.dancer(1)?.partner = $0.dancer(3) }
    try expect([1: 3, 3: 1, 5: 6, 6: 5])
    #expect(try partners(in: child)[2] == nil)
    #expect(try bench.committed().dancer(2) != nil)
  }

  @Test func `what comes back with its owner has lost a partner that the context led elsewhere`()
    throws
  {
    try change(child) { try $0.dancer(5)?.note = "kept" }
    try change(middle) { try $0.dancer(5)?.delete() }
    try change(middle) { try $0.dancer(1)?.partner = $0.dancer(3) }
    try expect([1: 3, 3: 1, 5: 6, 6: 5])
    #expect(try bench.committed().dancer(2) != nil)
  }

  @Test func `what comes back with its owner has lost a partner that stays deleted`() throws {
    try change(child) { try $0.dancer(5)?.note = "kept" }
    try change(middle) { try $0.dancer(5)?.delete() }
    try change(middle) { try $0.dancer(1)?.delete() }
    try child.saveAndWait(toPersistentStore: false)
    #expect(try middle.performAndWait { try $0.context.dancer(2)?.partner } == nil)
    try expect([3: 4, 4: 3, 5: 6, 6: 5])
  }
}
