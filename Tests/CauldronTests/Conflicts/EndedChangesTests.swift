import Cauldron
import Logging
import TestSupport
import Testing

/// What becomes of changes that were seen elsewhere when the context that made them ends them.
@Suite(.againstHanging) struct EndedChangesTests {
  private let bench: Bench
  private let middle: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    bench = try Bench()
    middle = bench.child("Middle")
    child = bench.child("Child", of: middle)
    try bench.stack.saveAndWait { Person.create(in: $0).name = "ann" }
  }

  private func ages(in context: ManagedObjectContext) throws -> [Int] {
    try context.performAndWait { try Person.findAll(in: $0.context).map(\.age) }
  }

  @Test(arguments: ["set back", "undo", "refresh"])
  func `a child that has seen an edit learns that it has ended`(_ way: String) throws {
    child.automaticallyMergesChangesFromParent = true
    middle.performAndWait { $0.context.undoManager = UndoManager() }
    let ann = try child.performAndWait { local in
      let ann = try #require(try Person.findFirst(in: local.context))
      ann.name = "anna"
      return ann
    }
    try middle.performAndWait { local in
      try #require(try Person.findFirst(in: local.context)).age = 7
    }
    child.performAndWait { local in
      local.context.refresh(ann, mergeChanges: true)
      #expect(ann.age == 7)
    }
    try middle.performAndWait { local in
      let person = try #require(try Person.findFirst(in: local.context))
      switch way {
      case "set back": person.age = 0
      case "undo": try local.context.undo()
      default: local.context.refresh(person, mergeChanges: false)
      }
      local.context.processPendingChanges()
      #expect(!local.hasChanges)
    }
    child.performAndWait { _ in #expect(ann.age == 0 && ann.name == "anna") }
  }

  @Test func `an undone deletion leaves what a policy has brought back elsewhere`() throws {
    let beside = bench.child("Beside")
    middle.performAndWait { $0.context.undoManager = UndoManager() }
    try beside.performAndWait { try Person.findFirst(in: $0.context)?.age = 5 }
    try middle.performAndWait { try Person.findFirst(in: $0.context)?.delete() }
    try middle.saveAndWait(toPersistentStore: true)
    beside.mergePolicy = .mergeByPropertyObjectTrump
    try beside.saveAndWait(toPersistentStore: false)
    #expect(try ages(in: middle) == [5])
    try middle.performAndWait { local in
      try Person.findFirst(in: local.context)?.delete()
      local.context.processPendingChanges()
      try local.context.undo()
    }
    #expect(try ages(in: middle) == [5])
    try bench.root.saveAndWait(toPersistentStore: true)
    #expect(try ages(in: bench.committed()) == [5])
  }

  @Test(arguments: [false, true])
  func `an edit of a reference stands where its save overrules a deletion`(
    _ leadsElsewhere: Bool
  ) throws {
    try bench.stack.saveAndWait { context in
      let (old, new) = (Company.create(in: context), Company.create(in: context))
      (old.name, new.name) = ("old", "new")
      try Person.findFirst(in: context)?.employer = old
    }
    try middle.performAndWait { (local: LocalContext) in
      let (person, old) = (try Person.findFirst(in: local.context), try company("old", local))
      old?.rating = 3
      person?.employer = leadsElsewhere ? try company("new", local) : nil
    }
    // Not saved: the save below overrules it, with what it has cleared.
    try bench.root.performAndWait { (local: LocalContext) in try company("old", local)?.delete() }
    middle.mergePolicy = .mergeByPropertyObjectTrump
    try middle.saveAndWait(toPersistentStore: false)
    try bench.root.saveAndWait(toPersistentStore: true)
    try bench.committed().performAndWait { (local: LocalContext) in
      let person = try #require(try Person.findFirst(in: local.context))
      #expect(person.employer?.name == (leadsElsewhere ? "new" : nil))
      #expect(try company("old", local)?.rating == 3)
    }
  }

  /// The policies of a save whose parts delete an object and bring it back.
  static let policies: [MergePolicy] = [
    .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
  ]

  @Test(arguments: policies, [false, true])
  func `a deletion that another part of the same save overrules is no conflict`(
    _ policy: MergePolicy, _ isOnDisk: Bool
  ) throws {
    let (second, beside) = (bench.child("Second", of: middle), bench.child("Beside"))
    middle.mergePolicy = policy
    bench.root.mergePolicy = policy
    try child.performAndWait { try Person.findFirst(in: $0.context)?.name = "anna" }
    try second.performAndWait { try Person.findFirst(in: $0.context)?.delete() }
    try second.saveAndWait(toPersistentStore: false)
    child.mergePolicy = .overwrite
    try child.saveAndWait(toPersistentStore: false)
    if isOnDisk { try middle.saveAndWait(toPersistentStore: false) }
    try beside.performAndWait { try Person.findFirst(in: $0.context)?.age = 5 }
    if isOnDisk {
      let direct = bench.committed()
      try direct.performAndWait { try Person.findFirst(in: $0.context)?.age = 5 }
      try direct.saveAndWait(toPersistentStore: true)
      try bench.root.saveAndWait(toPersistentStore: true)
    } else {
      try beside.saveAndWait(toPersistentStore: false)
      try middle.saveAndWait(toPersistentStore: true)
    }
    // The child has changed the name, and the other context the age.
    try bench.committed().performAndWait { local in
      let person = try #require(try Person.findFirst(in: local.context))
      #expect(person.name == "anna")
      #expect(person.age == (policy == .overwrite ? 0 : 5))
    }
    #expect(try ages(in: middle) == ages(in: bench.committed()))
    #expect(try ages(in: bench.root) == ages(in: bench.committed()))
  }

  @Test func `a refresh of all objects reads the rows below many edits together`() throws {
    let log = LogCapture(.trace)
    let bench = try Bench(.file) { $0.logger = log.logger }
    let context = bench.child()
    try context.performAndWait { local in
      let people = (0..<100).map { Person.named("person \($0)", in: local.context) }
      try local.context.saveAndWait(toPersistentStore: true)
      for person in people { person.age = 1 }
      local.context.processPendingChanges()
      let before = log.reads.count
      local.context.refreshAllObjects()
      #expect(log.reads.count - before <= 4)
      #expect(people.allSatisfy { $0.age == 1 } && local.context.updatedObjects.count == 100)
    }
  }

  @Test(arguments: [false, true])
  func `a refresh that keeps edits keeps those that a child has saved, too`(_ all: Bool) throws {
    let beside = bench.child("Beside")
    try child.performAndWait { try Person.findFirst(in: $0.context)?.age = 3 }
    try child.saveAndWait(toPersistentStore: false)
    let ann = try middle.performAndWait { try #require(try Person.findFirst(in: $0.context)) }
    try beside.performAndWait { try Person.findFirst(in: $0.context)?.age = 5 }
    try beside.saveAndWait(toPersistentStore: false)
    middle.performAndWait { local in
      if all { local.context.refreshAllObjects() } else { local.refresh(ann, mergeChanges: true) }
      #expect(ann.age == 3)
    }
    try middle.saveAndWait(toPersistentStore: true)
    #expect(try ages(in: bench.committed()) == [3])
  }

  @Test func `changes that a refresh has kept go back to their child as they were`() throws {
    let beside = bench.child("Beside")
    try child.performAndWait { try Person.findFirst(in: $0.context)?.age = 3 }
    try child.saveAndWait(toPersistentStore: false)
    for age in [5, 6] {
      try beside.performAndWait { try Person.findFirst(in: $0.context)?.age = age }
      try beside.saveAndWait(toPersistentStore: false)
      if age == 6 { break }
      try middle.performAndWait { local in
        let ann = try #require(try Person.findFirst(in: local.context))
        local.refresh(ann, mergeChanges: true)
      }
    }
    #expect(throws: CauldronError.self) { try middle.saveAndWait(toPersistentStore: false) }
    // The child has seen neither of the other values.
    try child.performAndWait { try Person.findFirst(in: $0.context)?.name = "anna" }
    #expect(throws: CauldronError.self) { try child.saveAndWait(toPersistentStore: true) }
    #expect(try ages(in: bench.root) == [6])
  }

  @Test func `a child learns that a save has ended what it had created`() throws {
    child.automaticallyMergesChangesFromParent = true
    let new = try child.performAndWait { local in
      let new = Person.named("new", in: local.context)
      try local.save()
      return new
    }
    try middle.performAndWait { local in
      try Person.findFirst(where: \.name == "new", in: local.context)?.delete()
      // Nothing is left to save.
      try local.save()
    }
    child.performAndWait { _ in #expect(new.isDeleted || new.managedObjectContext == nil) }
  }

  @Test func `a strict save passes where an edit before another one was set back`() throws {
    try child.performAndWait { local in
      let ann = try #require(try Person.findFirst(in: local.context))
      for edit in [{ ann.name = "anna" }, { ann.age = 7 }, { ann.name = "ann" }] {
        edit()
        local.context.processPendingChanges()
      }
      local.context.mergePolicy = .strict
      try local.save()
    }
    #expect(try ages(in: middle) == [7])
  }

  private func company(_ name: String, _ local: LocalContext) throws -> Company? {
    try Company.findFirst(where: \.name == name, in: local.context)
  }

  @Test func `the deletion of what a rollback above has dropped has nothing to do`() throws {
    middle.performAndWait { _ = Person.named("new", in: $0.context) }
    try child.performAndWait { local in
      try #require(try Person.findFirst(where: \.name == "new", in: local.context)).delete()
      Person.named("other", in: local.context)
    }
    middle.performAndWait { $0.context.rollback() }
    try child.saveAndWait(toPersistentStore: true)
    #expect(try bench.committed().performAndWait { try Person.count(in: $0.context) } == 2)
  }

  @Test func `an edit of what was saved into a context and deleted there is a conflict`() throws {
    try middle.performAndWait { local in
      Person.named("new", in: local.context)
      try local.save()
    }
    let person = try child.performAndWait { local in
      let person = try #require(try Person.findFirst(where: \.name == "new", in: local.context))
      person.age = 9
      return person
    }
    try middle.performAndWait { local in
      try Person.findFirst(where: \.name == "new", in: local.context)?.delete()
    }
    let error = #expect(throws: CauldronError.self) {
      try child.saveAndWait(toPersistentStore: false)
    }
    #expect(error?.code == .saveConflict && error?.conflicts.first?.objectID == person.objectID)
  }
}
