import Cauldron
import Foundation
import TestSupport
import Testing

/// What a distrustful reader has claimed to go wrong.
@Suite(.againstHanging, .ownThread) struct UndoClaimTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    context = bench.child()
    Person.named("ann", age: 1, at: Company.named("firm", in: context), in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
  }

  private func ann(in context: ManagedObjectContext? = nil) throws -> Person {
    try #require(try Person.findFirst(in: context ?? self.context))
  }

  /// Has somebody be told, on the caller's thread, of what the context changes.
  private func observe(_ body: @escaping @Sendable () -> Void) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.didChangeObjectsNotification, object: context, queue: nil
    ) { _ in body() }
  }

  private func rename(_ name: String) throws {
    try ann().name = name
    context.processPendingChanges()
  }

  @Test func `who is told of an undo may forget everything`() throws {
    try rename("amy")
    let once = Locked(true)
    let token = observe { [context] in
      guard once.withLock({ $0.exchange(false) }) else { return }
      context.rollback()
    }
    try context.undo()
    NotificationCenter.default.removeObserver(token)
    #expect(context.undoManager?.canUndo == false && context.undoManager?.canRedo == false)
    #expect(try ann().name == "ann")
  }

  @Test func `who is told of a change cannot undo it`() throws {
    let code = Locked<CauldronError.Code?>(nil)
    let token = observe { [context] in
      do { try context.undo() } catch { code.withLock { $0 = (error as? CauldronError)?.code } }
    }
    try rename("amy")
    NotificationCenter.default.removeObserver(token)
    #expect(code.withLock { $0 } == .undoGroupOpen)
    try context.undo()
    #expect(try ann().name == "ann")
  }

  @Test func `what observers answer belongs to what they are told of`() throws {
    let names = Locked("ann")
    let token = observe { [context] in
      guard let ann = try? Person.findFirst(in: context),
        names.withLock({ $0.exchange(ann.name) }) != ann.name
      else { return }
      ann.age += 10
    }
    try rename("amy")
    try context.undo()
    context.processPendingChanges()
    #expect(context.undoManager?.canRedo == true)
    try ann().name = "ada"
    try context.undo()
    #expect(try ann().name == "ann")
    let age = try ann().age
    try context.redo()
    try context.undo()
    #expect(try ann().age == age)
    NotificationCenter.default.removeObserver(token)
  }

  @Test func `what a child has built on an edit stays, and is not lost`() throws {
    let child = bench.child("Grandchild", of: context)
    try context.performAndWait { _ in try ann().name = "b" }
    try child.performAndWait { local in
      try ann(in: local.context).name = "c"
      try local.context.save()
    }
    try context.performAndWait { local in
      try local.context.undo()
      #expect(try ann().name == "c")
      #expect(try Person.names(in: local.context) == ["c"] && local.hasChanges)
    }
  }

  @Test func `what a child has saved beside an undone creation is saved`() throws {
    let child = bench.child("Grandchild", of: context)
    let id = context.performAndWait { Person.named("new", in: $0.context).objectID }
    try child.performAndWait { local in
      try (local.existingObject(with: id) as? Person)?.age = 5
      try Company.findFirst(in: local.context)?.name = "other"
      try local.context.save()
    }
    try context.performAndWait { try $0.context.undo() }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["ann"])
    #expect(try Company.findFirst(in: bench.committed())?.name == "other")
  }

  @Test func `a deletion of what a child has edited since is undone with its edit`() throws {
    let child = bench.child("Grandchild", of: context)
    try context.performAndWait { _ in try ann().name = "b" }
    try child.performAndWait { local in
      try ann(in: local.context).name = "c"
      try local.context.save()
    }
    try context.performAndWait { local in
      try ann().delete()
      local.context.processPendingChanges()
      try local.context.undo()
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["c"])
  }

  @Test(arguments: ["name", "age"])
  func `a deletion of what a child has edited, too, is undone by the same object`(
    _ property: String
  ) throws {
    let child = bench.child("Grandchild", of: context)
    context.mergePolicy = .strict
    let id = try context.performAndWait { _ in
      let ann = try ann()
      ann.name = "b"
      return ann.objectID
    }
    try child.performAndWait { local in
      let ann = try ann(in: local.context)
      if property == "name" { ann.name = "c" } else { ann.age = 5 }
      try local.context.save()
    }
    let changed = try context.performAndWait { _ in
      let ann = try ann()
      ann.email = "a@b"
      return Set(ann.changedValues().keys)
    }
    try context.performAndWait { _ in try ann().delete() }
    try context.performAndWait { local in
      try local.context.undo()
      try local.context.redo()
      #expect(try Person.count(in: local.context) == 0)
      try local.context.undo()
      let ann = try ann()
      #expect(ann.objectID == id && ann.email == "a@b")
      #expect(property == "name" ? ann.name == "c" : ann.name == "b" && ann.age == 5)
      #expect(Set(ann.changedValues().keys) == changed)
      #expect(local.context.updatedObjects.contains(ann))
    }
    try context.saveAndWait(toPersistentStore: true)
    let found = try #require(try Person.findFirst(in: bench.committed()))
    #expect(found.objectID == id && found.email == "a@b")
    #expect(property == "name" ? found.name == "c" : found.name == "b" && found.age == 5)
  }

  @Test(arguments: [false, true])
  func `what an edit has hidden shows when it is undone`(_ isDeletion: Bool) throws {
    context.automaticallyMergesChangesFromParent = true
    try rename("amy")
    let (mine, other) = (try ann(), bench.child("Other"))
    try other.performAndWait { local in
      let ann = try ann(in: local.context)
      if isDeletion { ann.delete() } else { ann.name = "eve" }
    }
    try other.saveAndWait(toPersistentStore: true)
    context.processPendingChanges()
    #expect(mine.name == "amy")
    try? context.undo()
    #expect(isDeletion ? mine.isDeleted : mine.name == "eve" || mine.hasChanges)
  }

  @Test func `a refresh is not noted, whatever it brings back`() throws {
    let firm = try #require(try Company.findFirst(in: context))
    firm.delete()
    context.processPendingChanges()
    context.refresh(firm, mergeChanges: false)
    context.processPendingChanges()
    #expect(try ann().employer === firm)
    try? context.undo()
    #expect(try ann().employer === firm)
  }

  @Test func `a creation that is made again has what others have added`() throws {
    let bob = Person.named("bob", in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.automaticallyMergesChangesFromParent = true
    let other = bench.child("Other")
    try other.performAndWait { local in
      try Person.findFirst(where: \.name == "bob", in: local.context)?.age = 5
    }
    try other.saveAndWait(toPersistentStore: true)
    context.processPendingChanges()
    #expect(bob.age == 5)
    try context.undo()
    // What others have changed is a conflict.
    #expect(throws: CauldronError.self) { try context.save() }
    try context.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    try context.redo()
    #expect(try Person.findFirst(where: \.name == "bob", in: context)?.age == 5)
  }

  @Test func `the creation of what somebody else has saved goes, and theirs stays`() throws {
    let glossary = try Bench(.file, model: Glossary.model())
    let (a, b) = (glossary.child("A"), glossary.child("B"))
    b.undoManager = UndoManager()
    _ = try Keyword.findOrCreate(\.name, "x", in: b)
    b.processPendingChanges()
    _ = try Keyword.findOrCreate(\.name, "x", in: a)
    try a.saveAndWait(toPersistentStore: true)
    try b.undo()
    try b.saveAndWait(toPersistentStore: true)
    #expect(try Keyword.count(in: glossary.committed()) == 1)
  }

  @Test func `what was changed before a block is another step`() throws {
    try ann().name = "amy"
    try context.performAndWait { local in try ann(in: local.context).age = 9 }
    try context.performAndWait { local in
      try local.context.undo()
      let ann = try ann(in: local.context)
      #expect(ann.name == "amy" && ann.age == 1)
    }
  }

  @Test func `what was noted in a context that is gone is forgotten`() throws {
    let manager = UndoManager()
    do {
      let gone = bench.child("Gone")
      gone.undoManager = manager
      try ann(in: gone).name = "x"
      try gone.saveAndWait(toPersistentStore: true)
    }
    context.undoManager = manager
    #expect(!manager.canUndo)
  }

  @Test func `own edits beside an undo are no conflict`() throws {
    let ann = try ann()
    try rename("b")
    context.undoManager?.disableUndoRegistration()
    try rename("c")
    context.undoManager?.enableUndoRegistration()
    try context.undo()
    #expect(ann.committedValues(forKeys: ["name"])["name"] as? String == "ann")
    try context.saveAndWait(toPersistentStore: true)
  }
}

extension Bool {
  fileprivate mutating func exchange(_ new: Bool) -> Bool {
    defer { self = new }
    return self
  }
}

extension String {
  fileprivate mutating func exchange(_ new: String) -> String {
    defer { self = new }
    return self
  }
}
