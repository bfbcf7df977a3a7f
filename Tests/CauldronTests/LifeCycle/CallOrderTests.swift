import Cauldron
import CauldronModel
import TestSupport
import Testing

/// The order in which objects and observers are told, one test for each kind of thing that happens.
@Suite(.againstHanging) struct CallOrderTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private var tale: Tale { bench.tale }

  init() throws {
    bench = try Creature.bench()
    context = bench.committed()
    context.name = "A"
  }

  /// What is told while a block runs.
  private func told(_ body: () throws -> Void) rethrows -> String {
    _ = tale.take()
    let tokens = tale.listen(to: context)
    try body()
    return withExtendedLifetime(tokens) { tale.take().joined(separator: "\n") }
  }

  private func creature(_ id: ManagedObjectID) throws -> Creature {
    try #require(try Creature.find(id, in: context))
  }

  @Test func `insert`() {
    var seen: [String] = []
    tale.on("awakeFromInsert") { seen.append("\($0.name) \($0.count) \($0.isInserted)") }
    let text = told {
      _ = Creature.create(in: context)
      context.processPendingChanges()
    }
    #expect(
      text == """
        A: awakeFromInsert
        A: objectsDidChange inserted
        """)
    #expect(seen == ["new 7 true"])
  }

  @Test func `what a deletion takes along is told before the save is announced`() throws {
    let ids = try bench.creatures("a")
    let owner = try creature(ids[0])
    Creature.named("pet", in: context).owner = owner
    try context.saveAndWait(toPersistentStore: true)
    owner.delete()
    let text = try told { try context.saveAndWait(toPersistentStore: true) }
    let lines = text.split(separator: "\n")
    let announced = try #require(lines.firstIndex { $0.hasSuffix("willSave note") })
    let deleted = try #require(lines.lastIndex { $0.hasSuffix("prepareForDeletion") })
    #expect(deleted < announced, "\(text)")
  }

  @Test func `fetch`() throws {
    let ids = try bench.creatures("a")
    let fault = try #require(context.object(with: ids[0]) as? Creature)
    let text = told {
      #expect(fault.isFault)
      tale.add("access")
      #expect(fault.name == "a")
      tale.add("access")
      #expect(fault.count == 7)
      tale.add("fetch")
      #expect((try? Creature.findAll(in: context))?.count == 1)
    }
    #expect(
      text == """
        access
        A: awakeFromFetch
        access
        fetch
        """)
  }

  @Test func `fetch of what the context does not have`() throws {
    _ = try bench.creatures("a", "b")
    var counts: [Int] = []
    tale.on("awakeFromFetch") { _ in counts.append(context.registeredObjects.count) }
    let text = try told { _ = try Creature.findAll(in: context) }
    #expect(
      text == """
        A: awakeFromFetch
        A: awakeFromFetch
        """)
    #expect(counts == [2, 2], "all are there before the first is told")
  }

  @Test func `refault`() throws {
    let ids = try bench.creatures("a")
    let object = try creature(ids[0])
    var seen: [String] = []
    tale.on("willTurnIntoFault") { seen.append("\($0.name) \($0.mark) \($0.isFault)") }
    tale.on("didTurnIntoFault") { seen.append("\($0.isFault)") }
    (object.name, object.mark) = ("edited", "kept")
    let text = told {
      context.refresh(object, mergeChanges: false)
      tale.add("access")
      #expect(object.name == "a" && object.mark == "none")
    }
    #expect(
      text == """
        A: willTurnIntoFault
        A: didTurnIntoFault
        access
        A: awakeFromFetch
        """)
    #expect(seen == ["edited kept false", "true"])
  }

  @Test func `delete`() throws {
    let ids = try bench.creatures("a", "pet")
    let (object, pet) = (try creature(ids[0]), try creature(ids[1]))
    pet.owner = object
    try context.save()
    var seen: [String] = []
    tale.on("prepareForDeletion") {
      seen.append("\($0.name) \($0.pets.count) \($0.owner?.name ?? "-") \($0.isDeleted)")
    }
    let text = told {
      object.delete()
      tale.add("again")
      object.delete()
      tale.add("event ends")
      context.processPendingChanges()
    }
    #expect(
      text == """
        A: prepareForDeletion
        again
        A: prepareForDeletion
        event ends
        A: prepareForDeletion
        A: objectsDidChange deleted
        """)
    #expect(seen == ["a 1 - false", "a 1 - true", "pet 0 a false"])
  }

  @Test func `save`() throws {
    let ids = try bench.creatures("old", "doomed")
    let (old, doomed) = (try creature(ids[0]), try creature(ids[1]))
    var rounds = 0
    tale.on("willSave") {
      guard $0 === old else { return }
      rounds += 1
      if rounds == 1 { $0.count += 1 }
    }
    old.name = "changed"
    let new = Creature.create(in: context)
    doomed.delete()
    context.processPendingChanges()
    let text = try told { try context.save() }
    #expect(
      text == """
        A: willSave note
        A: willSave
        A: willSave
        A: willSave
        A: objectsDidChange updated
        A: willSave
        A: validateForDelete
        A: validateForInsert
        A: validateForUpdate
        A: didSave
        A: didSave
        didSave
        A: didSave note inserted updated deleted
        A: didSaveObjectIDs note
        """)
    #expect(rounds == 2 && old.count == 8 && !new.isInserted)
  }

  @Test func `merge`() throws {
    let ids = try bench.creatures("seen", "doomed")
    let (seen, doomed) = (try creature(ids[0]), try creature(ids[1]))
    context.automaticallyMergesChangesFromParent = true
    let other = bench.committed()
    let text = try told {
      try Creature.find(ids[0], in: other)?.name = "theirs"
      try Creature.find(ids[1], in: other)?.delete()
      _ = Creature.create(in: other)
      try other.save()
      _ = tale.take()
      context.processPendingChanges()
    }
    #expect(
      text == """
        A: awakeFromSnapshotEvents 32
        A: objectsDidChange inserted deleted refreshed
        A: didMergeObjectIDs note
        """)
    #expect(seen.name == "theirs" && doomed.isDeleted)
  }

  @Test func `rollback`() throws {
    let ids = try bench.creatures("a", "b")
    let (a, b) = (try creature(ids[0]), try creature(ids[1]))
    var seen: [String] = []
    tale.on("awakeFromSnapshotEvents") { seen.append("\($0.name) \($0.isDeleted)") }
    a.name = "edited"
    context.processPendingChanges()
    b.delete()
    let new = Creature.create(in: context)
    let text = told { context.rollback() }
    #expect(
      text == """
        A: awakeFromSnapshotEvents 16
        A: awakeFromSnapshotEvents 16
        A: objectsDidChange deleted refreshed
        """)
    #expect(Set(seen) == ["a false", "b false"] && new.isDeleted)
  }

  @Test func `undo`() throws {
    let ids = try bench.creatures("a", "b", "c")
    let (a, b) = (try creature(ids[0]), try creature(ids[1]))
    context.undoManager = UndoManager()
    a.name = "edited"
    b.delete()
    _ = Creature.create(in: context)
    context.processPendingChanges()
    var seen: [String] = []
    tale.on("awakeFromSnapshotEvents") { seen.append("\($0.name) \($0.isDeleted)") }
    let text = try told {
      try context.undo()
      tale.add("and again")
      try context.redo()
    }
    #expect(
      text == """
        A: awakeFromFetch
        A: awakeFromSnapshotEvents 4
        A: awakeFromSnapshotEvents 8
        A: awakeFromSnapshotEvents 2
        A: objectsDidChange updated deleted refreshed
        and again
        A: awakeFromSnapshotEvents 8
        A: awakeFromSnapshotEvents 4
        A: awakeFromSnapshotEvents 2
        A: objectsDidChange inserted updated deleted
        """)
    #expect(Set(seen.prefix(3)) == ["a false", "b false", "new true"])
  }

  @Test func `refresh of what is edited`() throws {
    let ids = try bench.creatures("a")
    let object = try creature(ids[0])
    object.name = "edited"
    let text = told {
      context.refresh(object, mergeChanges: true)
      tale.add("event ends")
      context.processPendingChanges()
    }
    #expect(
      text == """
        A: awakeFromSnapshotEvents 32
        event ends
        A: objectsDidChange updated refreshed
        """)
  }

  @Test func `a merge policy's decision`() throws {
    let ids = try bench.creatures("a")
    let object = try creature(ids[0])
    let other = bench.committed()
    try Creature.find(ids[0], in: other)?.name = "theirs"
    try other.save()
    (object.name, object.count) = ("mine", 8)
    context.processPendingChanges()
    var seen: [String] = []
    tale.on("awakeFromSnapshotEvents") { seen.append("\($0.name) \($0.count)") }
    let text = try told { try context.save(mergePolicy: .mergeByPropertyStoreTrump) }
    let lines = text.split(separator: "\n")
    #expect(lines.filter { $0.contains("Snapshot") } == ["A: awakeFromSnapshotEvents 64"])
    #expect(seen == ["theirs 8"] && object.name == "theirs" && object.count == 8)
  }
}
