import Cauldron
import TestSupport
import Testing

/// What is taken back, and made again.
@Suite(.againstHanging, .ownThread) struct UndoTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    context = bench.child()
    let company = Company.named("firm", in: context)
    Person.named("ann", age: 1, at: company, in: context)
    Person.named("bob", age: 2, in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
  }

  private func ann() throws -> Person {
    try #require(try Person.findFirst(where: \.age == 1, in: context))
  }

  private func firm() throws -> Company { try #require(try Company.findFirst(in: context)) }

  @Test func `values go back and forth, event by event`() throws {
    let ann = try ann()
    ann.name = "amy"
    context.processPendingChanges()
    ann.name = "ada"
    ann.email = "a@b"
    context.processPendingChanges()
    try context.undo()
    #expect(ann.name == "amy" && ann.email == nil && context.undoManager?.canRedo == true)
    try context.undo()
    #expect(ann.name == "ann" && !context.hasChanges && ann.changedValues().isEmpty)
    try context.undo()
    try context.redo()
    try context.redo()
    #expect(ann.name == "ada" && ann.email == "a@b" && context.undoManager?.canRedo == false)
    try context.redo()
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["ada", "bob"])
  }

  @Test func `what one block changes is a group, and so is what the next one does`() throws {
    let id = try ann().objectID
    for name in ["amy", "ada"] {
      try context.performAndWait { local in
        let ann = try local.existingObject(with: id) as? Person
        ann?.name = "x"
        local.context.processPendingChanges()
        ann?.name = name
      }
    }
    try context.performAndWait { try $0.context.undo() }
    #expect(try context.performAndWait { _ in try ann().name } == "amy")
  }

  @Test func `only what was changed goes back`() throws {
    let ann = try ann()
    ann.name = "amy"
    context.processPendingChanges()
    context.undoManager?.disableUndoRegistration()
    ann.email = "a@b"
    context.undoManager?.enableUndoRegistration()
    try context.undo()
    #expect(ann.name == "ann" && ann.email == "a@b")
  }

  @Test func `a created object goes and comes again, with all that leads to it`() throws {
    let (ann, firm) = (try ann(), try firm())
    let new = Company.named("new", in: context)
    ann.employer = new
    context.processPendingChanges()
    try context.undo()
    #expect(ann.employer === firm && firm.employees.contains(ann))
    #expect(context.insertedObjects.isEmpty)
    #expect(try Company.count(in: context) == 1 && !context.hasChanges)
    try context.redo()
    #expect(ann.employer?.name == "new" && firm.employees.isEmpty)
    #expect(ann.employer?.employees.contains(ann) == true)
    try context.undo()
    try context.redo()
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    #expect(try Company.findFirst(where: \.name == "new", in: other)?.employees.count == 1)
  }

  @Test func `a created object of a one-to-one relationship comes again with it`() throws {
    let ann = try ann()
    let passport = Passport.create(in: context)
    passport.holder = ann
    context.processPendingChanges()
    try context.undo()
    #expect(ann.passport == nil)
    try context.redo()
    #expect(ann.passport?.holder === ann)
  }

  @Test func `an unsaved deletion is dropped, and the object is the same`() throws {
    let (ann, firm) = (try ann(), try firm())
    let id = firm.objectID
    ann.name = "amy"
    context.processPendingChanges()
    firm.delete()
    context.processPendingChanges()
    #expect(ann.employer == nil && firm.isDeleted)
    try context.undo()
    #expect(!firm.isDeleted && firm.name == "firm" && ann.employer === firm)
    #expect(firm.employees.contains(ann) && ann.name == "amy" && firm.objectID == id)
    try context.redo()
    #expect(firm.isDeleted && ann.employer == nil)
    try context.undo()
    try context.undo()
    #expect(!context.hasChanges)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Company.findAll(in: bench.committed()).map(\.objectID) == [id])
  }

  @Test func `what was edited before it was deleted is edited again`() throws {
    let ann = try ann()
    ann.name = "amy"
    context.processPendingChanges()
    ann.delete()
    context.processPendingChanges()
    try context.undo()
    #expect(ann.name == "amy" && ann.changedValues().keys.sorted() == ["name"])
    try context.undo()
    #expect(ann.name == "ann" && !context.hasChanges)
  }

  @Test
  func `a deletion is undone of what has let go of another before, which has found somebody else`()
    throws
  {
    let (ann, passport) = (try ann(), Passport.create(in: context))
    let bob = try #require(try Person.findFirst(where: \.age == 2, in: context))
    ann.passport = passport
    try context.saveAndWait(toPersistentStore: true)
    ann.passport = nil
    passport.holder = bob
    context.processPendingChanges()
    ann.delete()
    context.processPendingChanges()
    try context.undo()
    #expect(ann.passport == nil && passport.holder === bob && bob.passport === passport)
    try context.undo()
    #expect(ann.passport === passport && passport.holder === ann && bob.passport == nil)
    #expect(!context.hasChanges)
  }

  @Test func `a second deletion is undone with what was changed between the two`() throws {
    let ann = try ann()
    ann.delete()
    context.processPendingChanges()
    try context.undo()
    try context.redo()
    try context.undo()
    ann.name = "amy"
    context.processPendingChanges()
    ann.delete()
    context.processPendingChanges()
    try context.undo()
    #expect(ann.name == "amy")
  }

  @Test func `a saved deletion is undone by an object with the same values and links`() throws {
    let (ann, firm) = (try ann(), try firm())
    firm.rating = 4
    context.processPendingChanges()
    firm.delete()
    try context.saveAndWait(toPersistentStore: true)
    #expect(ann.employer == nil)
    try context.undo()
    let again = try self.firm()
    #expect(again.name == "firm" && again.rating == 4 && ann.employer === again)
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    #expect(try Company.findFirst(in: other)?.employees.map(\.name) == ["ann"])
    // What was done to the old one is undone of the new one.
    try context.undo()
    #expect(again.rating == nil)
    try context.redo()
    try context.redo()
    #expect(try Company.count(in: context) == 0)
  }

  @Test func `an undo across a save is a change like any other`() throws {
    let ann = try ann()
    ann.name = "amy"
    try context.saveAndWait(toPersistentStore: true)
    try context.undo()
    #expect(ann.name == "ann" && ann.changedValues()["name"] as? String == "ann")
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["ann", "bob"])
  }

  @Test func `what another one has changed since is a conflict, and no loss`() throws {
    let ann = try ann()
    ann.name = "amy"
    ann.age = 7
    try context.saveAndWait(toPersistentStore: true)
    context.automaticallyMergesChangesFromParent = true
    let other = bench.child("Other")
    try other.performAndWait { local in
      try #require(try Person.findFirst(where: \.age == 7, in: local.context)).name = "eve"
    }
    try other.saveAndWait(toPersistentStore: true)
    context.processPendingChanges()
    #expect(ann.name == "eve")
    try context.undo()
    #expect(ann.name == "ann" && ann.age == 1)
    let error = #expect(throws: CauldronError.self) {
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(error?.code == .saveConflict)
    context.mergePolicy = .mergeByPropertyStoreTrump
    try context.saveAndWait(toPersistentStore: true)
    let found = try #require(try Person.findFirst(where: \.name == "eve", in: bench.committed()))
    #expect(found.age == 1)
  }

  @Test func `undo of what is gone says so, loses nothing, and is forgotten`() throws {
    let (ann, firm) = (try ann(), try firm())
    firm.rating = 1
    context.processPendingChanges()
    ann.name = "amy"
    context.undoManager?.setActionName("Rename")
    try context.saveAndWait(toPersistentStore: true)
    context.automaticallyMergesChangesFromParent = true
    let other = bench.child("Other")
    try other.performAndWait { local in
      try Person.findFirst(where: \.name == "amy", in: local.context)?.delete()
    }
    try other.saveAndWait(toPersistentStore: true)
    context.processPendingChanges()
    let error = #expect(throws: CauldronError.self) { try context.undo() }
    #expect(error?.code == .objectNotFound)
    #expect(error?.message.hasPrefix("Cannot undo \"Rename\": Person ") == true)
    #expect(!context.hasChanges)
    try context.undo()
    #expect(firm.rating == nil)
  }

  @Test func `what an undo takes along comes back with the redo`() throws {
    let bob = try #require(try Person.findFirst(where: \.age == 2, in: context))
    let new = Company.named("new", in: context)
    context.processPendingChanges()
    context.undoManager?.disableUndoRegistration()
    bob.employer = new
    context.undoManager?.enableUndoRegistration()
    try context.undo()
    #expect(bob.employer == nil)
    try context.redo()
    #expect(bob.employer?.name == "new" && bob.employer !== new)
  }

  @Test func `acceptance 15: without an undo manager nothing happens, and a rollback forgets all`()
    throws
  {
    let ann = try ann()
    ann.name = "amy"
    context.processPendingChanges()
    context.rollback()
    #expect(context.undoManager?.canUndo == false)
    try context.undo()
    #expect(ann.name == "ann")
    context.undoManager = nil
    ann.name = "amy"
    try context.undo()
    try context.redo()
    #expect(ann.name == "amy")
    context.rollback()
    #expect(ann.name == "ann")
  }

  @Test func `acceptance 16: what is processed while registration is disabled cannot be undone`()
    throws
  {
    let (ann, manager) = (try ann(), try #require(context.undoManager))
    ann.name = "amy"
    context.processPendingChanges()
    manager.disableUndoRegistration()
    ann.age = 9
    context.processPendingChanges()
    manager.enableUndoRegistration()
    try context.undo()
    #expect(ann.name == "ann" && ann.age == 9 && !manager.canUndo)
  }
}
