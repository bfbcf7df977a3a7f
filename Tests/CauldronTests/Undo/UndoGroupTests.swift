import Cauldron
import TestSupport
import Testing

/// Groups, names, levels, and what ends them.
@Suite(.againstHanging, .ownThread) struct UndoGroupTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let manager = UndoManager()

  init() throws {
    bench = try Bench(.memory)
    context = bench.child()
    Person.named("ann", in: context)
    try context.saveAndWait(toPersistentStore: true)
    context.undoManager = manager
  }

  private func ann() throws -> Person { try #require(try Person.findFirst(in: context)) }

  private func age(_ person: Person, _ age: Int) {
    person.age = age
    context.processPendingChanges()
  }

  @Test func `a group of several events is undone as one`() throws {
    let ann = try ann()
    age(ann, 1)
    manager.beginUndoGrouping()
    age(ann, 2)
    age(ann, 3)
    manager.endUndoGrouping()
    context.processPendingChanges()
    try context.undo()
    #expect(ann.age == 1)
    try context.redo()
    #expect(ann.age == 3)
  }

  @Test func `a nested group is undone by itself`() throws {
    let ann = try ann()
    manager.beginUndoGrouping()
    age(ann, 1)
    manager.beginUndoGrouping()
    age(ann, 2)
    manager.endUndoGrouping()
    try manager.undoNestedGroup()
    #expect(ann.age == 1)
    let error = #expect(throws: CauldronError.self) { try manager.undo() }
    #expect(error?.code == .undoGroupOpen)
    manager.endUndoGrouping()
    try manager.undo()
    #expect(ann.age == 0)
  }

  @Test func `names stand for what would be undone and redone`() throws {
    let ann = try ann()
    ann.age = 1
    manager.setActionName("Birthday")
    context.processPendingChanges()
    age(ann, 2)
    #expect(manager.undoActionName == "" && manager.undoMenuItemTitle == "Undo")
    try context.undo()
    #expect(manager.undoMenuItemTitle == "Undo Birthday" && manager.redoMenuItemTitle == "Redo")
    try context.undo()
    #expect(manager.redoActionName == "Birthday" && manager.undoActionName == "")
    try context.redo()
    #expect(manager.undoActionName == "Birthday" && ann.age == 1)
  }

  @Test func `a name before the first change is that of the step that follows`() throws {
    let ann = try ann()
    for (name, number) in [("First", 1), ("Second", 2)] {
      manager.setActionName(name)
      age(ann, number)
    }
    #expect(manager.undoActionName == "Second")
    try context.undo()
    #expect(manager.undoActionName == "First" && manager.redoActionName == "Second")
    try context.undo()
    #expect(manager.undoActionName == "" && manager.redoActionName == "First")
    #expect(ann.age == 0)
  }

  @Test func `the name of an event that changes nothing is forgotten with it`() throws {
    let ann = try ann()
    manager.setActionName("Birthday")
    age(ann, 1)
    try context.undo()
    manager.setActionName("Nothing")
    context.processPendingChanges()
    #expect(manager.redoActionName == "Birthday" && !manager.canUndo)
    try context.redo()
    manager.setActionName("Nothing")
    #expect(manager.canUndo)
    try context.undo()
    #expect(ann.age == 0 && manager.redoActionName == "Birthday")
    age(ann, 2)
    #expect(manager.undoActionName == "")
  }

  @Test func `in a perform block a name may come before the change, too`() throws {
    let ann = try ann()
    age(ann, 1)
    context.performAndWait { local in
      local.context.undoManager?.setActionName("Birthday")
      local.context.registeredObjects.compactMap { $0 as? Person }.first?.age = 2
    }
    #expect(context.performAndWait { $0.context.undoManager?.undoActionName } == "Birthday")
  }

  @Test func `without groups of events a name is that of what was done last`() throws {
    let ann = try ann()
    manager.groupsByEvent = false
    age(ann, 1)
    manager.setActionName("Birthday")
    #expect(manager.undoActionName == "Birthday" && manager.groupingLevel == 0)
  }

  @Test func `no more levels are kept than are wanted`() throws {
    let ann = try ann()
    manager.levelsOfUndo = 2
    for number in 1...5 { age(ann, number) }
    for _ in 0..<5 { try context.undo() }
    #expect(ann.age == 3)
    for _ in 0..<5 { try context.redo() }
    #expect(ann.age == 5)
  }

  @Test func `another change ends what can be made again`() throws {
    let ann = try ann()
    age(ann, 1)
    try context.undo()
    ann.name = "amy"
    context.processPendingChanges()
    #expect(!manager.canRedo)
    try context.redo()
    #expect(ann.age == 0 && ann.name == "amy")
  }

  @Test func `without groups by event each change that is processed is a group`() throws {
    let ann = try ann()
    manager.groupsByEvent = false
    context.performAndWait { _ in
      age(ann, 1)
      age(ann, 2)
    }
    try context.performAndWait { try $0.context.undo() }
    #expect(context.performAndWait { _ in ann.age } == 1)
  }

  @Test func `merges, saves of children and refreshes are not noted`() throws {
    let ann = try ann()
    let child = bench.child("Grandchild", of: context)
    context.performAndWait { _ in }
    try child.performAndWait { local in
      try Person.findFirst(in: local.context)?.age = 5
      try local.context.save()
    }
    context.performAndWait { local in
      local.context.refresh(ann, mergeChanges: true)
      #expect(!manager.canUndo && ann.age == 5)
    }
  }

  @Test func `an edit is undone below what a child has saved into the context since`() throws {
    let id = try ann().objectID
    try context.performAndWait { try ($0.existingObject(with: id) as? Person)?.age = 1 }
    let child = bench.child("Grandchild", of: context)
    try child.performAndWait { local in
      try Person.findFirst(in: local.context)?.name = "amy"
      try local.context.save()
    }
    try context.performAndWait { local in
      try local.context.undo()
      let ann = try #require(try local.existingObject(with: id) as? Person)
      #expect(ann.age == 0 && ann.name == "amy")
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["amy"])
  }

  @Test func `the deletion of what a child has created and saved here is undone`() throws {
    let child = bench.child("Grandchild", of: context)
    context.performAndWait { _ in }
    try child.performAndWait { local in
      Person.named("bob", in: local.context)
      try local.context.save()
    }
    try context.performAndWait { local in
      try Person.findFirst(where: \.name == "bob", in: local.context)?.delete()
      local.context.processPendingChanges()
      try local.context.undo()
    }
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()) == ["ann", "bob"])
  }

  @Test func `children see what is undone`() throws {
    let id = try ann().objectID
    try context.performAndWait { try $0.existingObject(with: id).delete() }
    let child = bench.child("Grandchild", of: context)
    #expect(try child.performAndWait { try Person.count(in: $0.context) } == 0)
    try context.performAndWait { try $0.context.undo() }
    #expect(try child.performAndWait { try Person.names(in: $0.context) } == ["ann"])
  }

  @Test func `a reference that a redone deletion clears is no edit`() throws {
    let other = bench.child("Other")
    let ann = try ann()
    ann.employer = Company.named("firm", in: context)
    try context.saveAndWait(toPersistentStore: true)
    try #require(try Company.findFirst(in: context)).delete()
    context.processPendingChanges()
    try context.undo()
    try context.redo()
    try other.performAndWait { local in try Person.findFirst(in: local.context)?.delete() }
    try other.saveAndWait(toPersistentStore: true)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Company.count(in: bench.committed()) == 0)
  }

  @Test func `a redo takes away what was led to a deleted object in the same event`() throws {
    let ann = try ann()
    let (first, second) = (Company.named("a", in: context), Company.named("b", in: context))
    ann.employer = first
    context.processPendingChanges()
    ann.employer = second
    second.delete()
    context.processPendingChanges()
    #expect(ann.employer == nil)
    try context.undo()
    #expect(ann.employer === first)
    try context.redo()
    #expect(ann.employer == nil && first.employees.isEmpty)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Company.findAll(in: bench.committed()).map(\.name) == ["a"])
  }

  /// What code asks while the running event of the main context has renamed ann amy.
  enum Question: CaseIterable {
    case nothing, perform, fetch, count, link, ownFetch

    func ask(
      of ann: Person, _ sheet: ManagedObjectContext, _ main: ManagedObjectContext
    ) throws {
      switch self {
      case .nothing: break
      case .perform: sheet.performAndWait { _ in }
      case .fetch: #expect(try Person.names(in: sheet) == ["amy"])
      case .count: #expect(try Person.count(in: sheet) == 1)
      case .link: #expect(ann.in(sheet).name == "amy")
      case .ownFetch: #expect(try Person.names(in: main) == ["amy"])
      }
    }
  }

  @Test(arguments: StackLayout.allCases, Question.allCases)
  func `what was changed before a block is a step of its own, whatever is asked in between`(
    _ layout: StackLayout, _ question: Question
  ) throws {
    let bench = try Bench { $0.layout = layout }
    try bench.onMain { main in
      main.undoManager = UndoManager()
      let ann = Person.named("ann", in: main)
      main.processPendingChanges()
      let sheet = ManagedObjectContext(.main, parent: main, name: "Sheet")
      ann.name = "amy"
      try question.ask(of: ann, sheet, main)
      main.performAndWait { _ in ann.age = 3 }
      try main.undo()
      #expect(ann.name == "amy" && ann.age == 0)
      try main.undo()
      #expect(ann.name == "ann")
      try main.redo()
      try main.redo()
      #expect(ann.name == "amy" && ann.age == 3)
    }
  }

  @Test(arguments: Question.allCases)
  func `what a block changes is one step, whatever it asks in between`(
    _ question: Question
  ) throws {
    let bench = try Bench()
    try bench.onMain { main in
      main.undoManager = UndoManager()
      let ann = Person.named("ann", in: main)
      main.processPendingChanges()
      let sheet = ManagedObjectContext(.main, parent: main, name: "Sheet")
      try main.performAndWait { (_) throws -> Void in
        ann.name = "amy"
        try question.ask(of: ann, sheet, main)
        main.performAndWait { _ in ann.age = 3 }
      }
      try main.undo()
      #expect(ann.name == "ann" && ann.age == 0)
    }
  }

  @Test func `a group of the program's own goes on over blocks`() throws {
    let bench = try Bench()
    try bench.onMain { main in
      let manager = UndoManager()
      main.undoManager = manager
      let ann = Person.named("ann", in: main)
      main.processPendingChanges()
      let sheet = ManagedObjectContext(.main, parent: main, name: "Sheet")
      manager.beginUndoGrouping()
      ann.name = "amy"
      sheet.performAndWait { _ in }
      main.performAndWait { _ in ann.age = 3 }
      manager.endUndoGrouping()
      main.processPendingChanges()
      try main.undo()
      #expect(ann.name == "ann" && ann.age == 0)
    }
  }
}
