import Cauldron
import TestSupport
import Testing

/// What somebody has met who built an editor with undo.
@Suite(.againstHanging, .ownThread) struct UndoneEditorTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    context = bench.child()
  }

  private func begin() throws {
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
  }

  @Test func `an undone deletion leaves the partner of others alone, as a refresh does`() throws {
    for isUndone in [true, false] {
      let (ann, bob) = (Person.named("ann", in: context), Person.named("bob", in: context))
      let passport = Passport.create(in: context)
      passport.holder = bob
      try begin()
      passport.holder = ann
      context.processPendingChanges()
      bob.delete()
      context.processPendingChanges()
      if isUndone {
        try context.undo()
      } else {
        context.refresh(bob, mergeChanges: false)
      }
      #expect(passport.holder === ann && ann.passport === passport && bob.passport == nil)
      try context.saveAndWait(toPersistentStore: true)
      let found = try #require(try Passport.findAll(in: bench.committed()).last)
      #expect(found.holder?.name == "ann" && found.holder?.passport === found)
      #expect(try Person.findFirst(where: \.name == "bob", in: bench.committed())?.passport == nil)
      try Person.deleteAll(where: nil, in: context)
    }
  }

  @Test func `an unsaved link that was taken away and made again stays`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let context = bench.child()
    let tag = Tag.create(in: context)
    let post = Post.titled("a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    post.tags.insert(tag)
    context.processPendingChanges()
    post.tags.removeAll()
    post.tags.insert(tag)
    context.processPendingChanges()
    #expect(post.tags.count == 1 && tag.posts.count == 1)
    try context.undo()
    #expect(post.tags.isEmpty && tag.posts.isEmpty && context.undoManager?.canUndo == false)
    try context.redo()
    #expect(post.tags.count == 1 && tag.posts.count == 1)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Post.findFirst(in: bench.committed())?.tags.count == 1)
  }

  @Test func `an order stays that was made after an undone deletion`() throws {
    let bench = try Bench(.file, model: Radio.model())
    let context = bench.child()
    let fan = Listener.named("l", in: context)
    for name in ["x", "y"] { fan.favourites.append(Playlist.named(name, in: context)) }
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    fan.favourites[1].delete()
    context.processPendingChanges()
    try context.undo()
    #expect(fan.names == "xy")
    fan.favourites.swapAt(0, 1)
    context.processPendingChanges()
    #expect(fan.names == "yx")
    fan.delete()
    context.processPendingChanges()
    try context.undo()
    #expect(fan.names == "yx")
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Listener.named("l", of: bench.committed())?.names == "yx")
  }

  @Test func `what a child has made of an edit stays where the edit is undone`() throws {
    let ann = Person.named("ann", age: 1, in: context)
    try begin()
    ann.name = "mine"
    ann.age = 2
    context.processPendingChanges()
    let child = bench.child("Grandchild", of: context)
    try child.performAndWait { local in
      try Person.findFirst(in: local.context)?.name = "theirs"
      try local.context.save()
    }
    context.processPendingChanges()
    try context.undo()
    #expect(ann.name == "theirs" && ann.age == 1)
    #expect(bench.log.lines.contains { $0.message.contains("Person.name") })
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["theirs"])
  }

  @Test func `undoing a creation conflicts with what others have made of it`() throws {
    try begin()
    _ = Company.named("firm", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    try #require(try Company.findFirst(in: other)).name = "theirs"
    try other.save()
    context.processPendingChanges()
    #expect(try Company.findFirst(in: context)?.name == "theirs")
    try context.undo()
    #expect(try Company.count(in: context) == 0)
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    context.rollback()
    #expect(try Company.findFirst(in: context)?.name == "theirs")
  }

  @Test func `a deletion is not made again where others have edited what it would take`() throws {
    let ann = Person.named("ann", in: context)
    try begin()
    ann.delete()
    try context.saveAndWait(toPersistentStore: true)
    try context.undo()
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    try #require(try Person.findFirst(in: other)).name = "theirs"
    try other.save()
    context.processPendingChanges()
    _ = try Person.names(in: context)
    try context.redo()
    let error = cauldronError { try context.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    #expect(try Person.names(in: bench.committed()) == ["theirs"])
  }

  @Test func `a creation is not undone where a rule would take what others have added`() throws {
    let bench = try Bench(.file, model: ManagedObjectModel(Creature.self))
    let context = bench.child()
    context.undoManager = UndoManager()
    let owner = Creature.named("owner", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let other = bench.committed()
    Creature.named("pet", in: other).owner = try Creature.findFirst(in: other)
    try other.save()
    context.processPendingChanges()
    let error = cauldronError { try context.undo() }
    #expect(error?.code == .undoBlocked && error?.objectIDs.first == owner.objectID)
    #expect(!context.hasChanges && context.undoManager?.canUndo == false)
    #expect(try Creature.count(in: context) == 2)
  }

  @Test func `what willSave sets belongs to the step, and kills no redo`() throws {
    let bench = try Creature.bench()
    let context = bench.child()
    let object = Creature.named("a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    var stamp = 100
    bench.tale.on("willSave") { object in
      let changes = object.changedValues()
      guard changes["name"] != nil, changes["count"] == nil else { return }
      stamp += 1
      object.count = stamp
    }
    object.name = "b"
    context.undoManager?.setActionName("Rename")
    try context.saveAndWait(toPersistentStore: true)
    #expect(object.count > 100 && context.undoManager?.undoMenuItemTitle == "Undo Rename")
    try context.undo()
    #expect(object.name == "a" && object.count == 7)
    try context.saveAndWait(toPersistentStore: true)
    #expect(context.undoManager?.canRedo == true && context.undoManager?.canUndo == false)
    try context.redo()
    #expect(object.name == "b")
    try context.saveAndWait(toPersistentStore: true)
    try context.undo()
    #expect(object.name == "a" && context.undoManager?.canUndo == false)
  }

  @Test func `all is forgotten, what the event has done so far included`() throws {
    try begin()
    let ann = Person.named("ann", in: context)
    context.undoManager?.removeAllActions()
    #expect(context.undoManager?.canUndo == false)
    try context.undo()
    #expect(!ann.isDeleted && context.insertedObjects.count == 1)
  }
}

/// More of that.
@Suite(.againstHanging, .ownThread) struct UndoneEditorMoreTests {
  @Test func `what is made and taken away by one event is no step`() throws {
    let bench = try Bench(.file, model: Blog.model())
    let context = bench.child()
    let post = Post.titled("a", in: context)
    let old = Tag.create(in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    let tag = Tag.create(in: context)
    post.tags.insert(tag)
    tag.delete()
    context.processPendingChanges()
    #expect(context.undoManager?.canUndo == false && !context.hasChanges)
    post.tags.insert(old)
    post.tags.remove(old)
    context.processPendingChanges()
    #expect(context.undoManager?.canUndo == false && !context.hasChanges)
    let other = Tag.create(in: context)
    post.tags.insert(other)
    post.tags.remove(other)
    other.delete()
    context.processPendingChanges()
    #expect(context.undoManager?.canUndo == false && !context.hasChanges)
  }

  @Test func `an undo manager prints what it could do`() throws {
    let bench = try Bench()
    let context = bench.child()
    #expect("\(UndoManager())" == "<UndoManager: 0 to undo, 0 to redo, of no context>")
    let manager = UndoManager()
    context.undoManager = manager
    for name in ["New", "Newer"] {
      Person.named(name, in: context)
      manager.setActionName(name)
      context.processPendingChanges()
    }
    try context.undo()
    #expect("\(manager)" == "<UndoManager: 1 to undo (\"New\"), 1 to redo (\"Newer\")>")
    manager.beginUndoGrouping()
    manager.disableUndoRegistration()
    #expect("\(manager)".hasSuffix("1 group open, notes nothing>"))
  }

  @Test func `a creation that is made again takes its partner from the one who has it`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let ann = Person.named("ann", in: context)
    let passport = Passport.create(in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = UndoManager()
    passport.holder = ann
    context.processPendingChanges()
    let bob = Person.named("bob", in: context)
    context.processPendingChanges()
    passport.holder = bob
    context.processPendingChanges()
    try context.saveAndWait(toPersistentStore: true)
    for _ in 0..<2 { try context.undo() }
    #expect(passport.holder === ann && ann.passport === passport)
    try context.redo()
    #expect(passport.holder === ann && ann.passport === passport)
    try context.redo()
    #expect(passport.holder?.name == "bob" && ann.passport == nil)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Passport.findFirst(in: bench.committed())?.holder?.name == "bob")
  }

  @Test func `what a rollback brings back is where others have led it`() throws {
    let bench = try Bench(.file)
    let context = bench.child()
    let ann = Person.named("ann", in: context)
    let firm = Company.named("firm", in: context)
    try context.saveAndWait(toPersistentStore: true)
    ann.delete()
    context.processPendingChanges()
    let other = bench.committed()
    try Person.findFirst(in: other)?.employer = try Company.findFirst(in: other)
    try other.save()
    context.processPendingChanges()
    #expect(firm.employees.isEmpty)
    context.rollback()
    #expect(firm.employees.map(\.name) == ["ann"] && ann.employer === firm)
  }

  @Test func `what the store's values win back is in the relationship that they lead to`() throws {
    let bench = try Bench(.file)
    let context = bench.mainContext
    try bench.onMain { context in
      Person.named("ann", in: context)
      _ = Company.named("firm", in: context)
      try context.saveAndWait(toPersistentStore: true)
      let ann = try #require(try Person.findFirst(in: context))
      let firm = try #require(try Company.findFirst(in: context))
      #expect(firm.employees.isEmpty)
      ann.delete()
      context.processPendingChanges()
      let other = bench.committed()
      try Person.findFirst(in: other)?.employer = try Company.findFirst(in: other)
      try other.save()
      context.processPendingChanges()
      try context.saveAndWait(
        toPersistentStore: true, mergePolicy: .mergeByPropertyStoreTrump)
      context.processPendingChanges()
      #expect(try Person.findFirst(in: context)?.employer === firm)
      #expect(firm.employees.count == 1 && firm.employees.map(\.name) == ["ann"])
    }
    #expect(context.name == "Default Context")
  }
}
