import Cauldron
import TestSupport
import Testing

/// What an undo has set back is no edit any more, whatever else of the object is edited.
@Suite(.againstHanging, .ownThread) struct UndoneEditTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let ann: Person
  private let passport: Passport

  init() throws {
    bench = try Bench(.file)
    context = bench.child()
    ann = Person.named("ann", age: 1, in: context)
    passport = Passport.create(in: context)
    ann.passport = passport
    try context.saveAndWait(toPersistentStore: true)
    context.automaticallyMergesChangesFromParent = true
    context.undoManager = UndoManager()
  }

  /// Has somebody else change the object that the context edits, too.
  private func theyEdit(_ change: (Person) -> Void) throws {
    let other = bench.child("Other")
    try other.performAndWait { change(try #require(try Person.findFirst(in: $0.context))) }
    try other.saveAndWait(toPersistentStore: true)
    context.processPendingChanges()
  }

  /// Has a child save something else into the context.
  private func saveChild() throws {
    let child = bench.child("Grandchild", of: context)
    try child.performAndWait { local in
      _ = Company.named("firm", in: local.context)
      try local.context.save()
    }
    context.processPendingChanges()
  }

  @Test(arguments: [false, true])
  func `a value that is set back shows what others change`(_ isOvertaken: Bool) throws {
    ann.age = 2
    context.processPendingChanges()
    if isOvertaken { try theyEdit { $0.name = "amy" } }
    ann.name = "x"
    context.processPendingChanges()
    try context.undo()
    try theyEdit { $0.name = "theirs" }
    #expect(ann.name == "theirs" && ann.age == 2)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["theirs"])
    try context.undo()
    #expect(ann.name == "theirs" && ann.age == 1)
  }

  @Test func `a value that is set back shows what others have changed meanwhile`() throws {
    ann.age = 2
    context.processPendingChanges()
    ann.name = "x"
    context.processPendingChanges()
    try theyEdit { $0.name = "theirs" }
    #expect(ann.name == "x")
    try context.undo()
    #expect(ann.name == "theirs" && ann.age == 2)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["theirs"])
  }

  @Test(arguments: [false, true], [false, true])
  func `a reference that a deletion has cleared is where others lead it`(
    _ isEdited: Bool, _ hasChild: Bool
  ) throws {
    if isEdited { ann.age = 2 }
    context.processPendingChanges()
    if hasChild { try saveChild() }
    passport.delete()
    context.processPendingChanges()
    #expect(ann.passport == nil)
    try context.undo()
    #expect(ann.passport === passport && passport.holder === ann)
    #expect(context.hasChanges == (isEdited || hasChild))
    try theyEdit { $0.passport = nil }
    #expect(ann.passport == nil && passport.holder == nil && ann.age == (isEdited ? 2 : 1))
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.committed())?.passport == nil)
  }

  @Test func `other edits are in conflict still`() throws {
    ann.age = 2
    ann.name = "x"
    context.processPendingChanges()
    ann.name = "y"
    context.processPendingChanges()
    try context.undo()
    #expect(ann.name == "x")
    try theyEdit { $0.name = "theirs" }
    #expect(ann.name == "x")
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
  }

  @Test func `an undone deletion leaves no edit of a one-to-one end`() throws {
    ann.age = 2
    context.processPendingChanges()
    ann.delete()
    context.processPendingChanges()
    try context.undo()
    #expect(ann.passport == passport && passport.holder == ann)
    ann.age = 1
    context.processPendingChanges()
    #expect(!context.hasChanges && context.updatedObjects.isEmpty)
    // Nothing is in conflict with another context's link.
    let other = bench.child("Other")
    try other.performAndWait { local in
      try Passport.findFirst(in: local)?.holder = Person.named("bob", in: local.context)
    }
    try other.saveAndWait(toPersistentStore: true)
    #expect(try context.saveAndWait(toPersistentStore: true) == .noChanges)
  }
}
