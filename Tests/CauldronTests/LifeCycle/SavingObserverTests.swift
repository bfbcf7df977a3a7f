import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// What an observer of a save may save.
@Suite(.againstHanging, .ownThread) struct SavingObserverTests {
  private let bench: Bench
  private let context: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    context = bench.child("A")
  }

  /// Runs a block, and another one at each notification meanwhile.
  private func observing(
    _ name: Notification.Name, of context: ManagedObjectContext?,
    _ handler: @escaping () throws -> Void, _ body: () throws -> Void
  ) throws -> [CauldronError] {
    let errors = Locked<[CauldronError]>([])
    let handler = LentClosure(run: handler)
    let coordinator = bench.stack.coordinator
    let token = NotificationCenter.default.addObserver(
      forName: name, object: context, queue: nil
    ) { note in
      // Other tests have contexts, too.
      let context = note.object as? ManagedObjectContext
      guard context?.persistentStoreCoordinator === coordinator else { return }
      do { try handler.run() } catch let error as CauldronError {
        errors.withLock { $0.append(error) }
      } catch {
        Issue.record(error)
      }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try body()
    return errors.withLock { $0 }
  }

  /// A closure that is called on the thread that has made it.
  ///
  /// `@unchecked Sendable` because the notifications are posted on that thread.
  private struct LentClosure: @unchecked Sendable { let run: () throws -> Void }

  enum Form: CaseIterable { case save, saveAndWait, performAndWait, block, completion }

  /// Each form with an observer of one context, and with one of all. A block that is saved whenever any
  /// context is about to be saved, its own new one included, would never end.
  private static let forms = Form.allCases.flatMap { form in
    form == .block ? [(form, false)] : [(form, false), (form, true)]
  }

  @Test(arguments: forms)
  func `a save of the same context is refused where it is about to be saved`(
    _ form: Form, _ observesAll: Bool
  ) throws {
    _ = Person.named("ann", in: context)
    let completed = Locked<[CauldronError?]>([])
    let will = ManagedObjectContext.willSaveObjectsNotification
    let errors = try observing(will, of: observesAll ? nil : context) {
      switch form {
      case .save: try context.save()
      case .saveAndWait: try context.saveAndWait(toPersistentStore: true)
      case .performAndWait: try context.performAndWait { try $0.context.save() }
      case .block: try context.saveAndWait { Person.named("jill", in: $0.context).age = 3 }
      case .completion:
        context.save(toPersistentStore: true) { _, error in
          completed.withLock { $0.append(error as? CauldronError) }
        }
      }
    } _: {
      try context.saveAndWait(toPersistentStore: true)
    }
    bench.settleMain()
    let all = errors + completed.withLock { $0.compactMap(\.self) }
    let first = try #require(all.first)
    #expect(first.code == .validationFailed)
    #expect(
      first.message == "Cannot save \"A\" while an observer of willSaveObjectsNotification runs,"
        + " which is part of a save.")
    // A block is refused before it runs.
    #expect(try Person.names(in: bench.committed()) == ["ann"])
    #expect(!context.hasChanges)
  }

  @Test func `the parent and a child may be saved where a context is about to be saved`() throws {
    let parent = bench.child("Parent")
    let middle = bench.child("Middle", of: parent)
    let child = bench.child("Child", of: middle)
    _ = (Person.named("a", in: parent), Person.named("b", in: middle))
    let will = ManagedObjectContext.willSaveObjectsNotification
    let errors = try observing(will, of: middle) {
      _ = Person.named("c", in: child)
      try child.save()
      try parent.save()
    } _: {
      try middle.save()
    }
    #expect(errors.isEmpty && !middle.hasChanges && !child.hasChanges)
    #expect(try Set(Person.names(in: bench.child())) == ["a"])
    #expect(try Set(Person.names(in: parent)) == ["a", "b", "c"])
  }

  @Test func `observers may still change and undo where a context is about to be saved`() throws {
    context.undoManager = UndoManager()
    let ann = Person.named("ann", in: context)
    context.processPendingChanges()
    ann.name = "bob"
    let errors = try observing(ManagedObjectContext.willSaveObjectsNotification, of: context) {
      try context.undo()
      ann.age = 7
      try ann.validateForSave()
    } _: {
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(errors.isEmpty && ann.name == "ann")
    #expect(try Person.findFirst(in: bench.committed())?.age == 7)
  }

  @Test(arguments: [false, true])
  func `an observer of a save that has ended may save again`(_ edits: Bool) throws {
    let ann = Person.named("ann", in: context)
    var rounds = 0
    let errors = try observing(ManagedObjectContext.didSaveObjectsNotification, of: context) {
      rounds += 1
      if edits, ann.age < 5 { ann.age += 1 }
      try context.saveAndWait(toPersistentStore: true)
    } _: {
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(errors.isEmpty && rounds == (edits ? 6 : 1) && !context.hasChanges)
    #expect(try Person.findFirst(in: bench.committed())?.age == (edits ? 5 : ann.age))
  }

  @Test func `observers that change and save without end are stopped, and lose nothing`() throws {
    let ann = Person.named("ann", age: 0, in: context)
    let errors = try observing(ManagedObjectContext.didSaveObjectsNotification, of: context) {
      ann.age += 1
      try context.save()
    } _: {
      try context.save()
    }
    #expect(errors.count == 1 && errors.first?.code == .validationFailed)
    #expect(errors.first?.message.contains("observers of its saves still change objects") == true)
    #expect(context.hasChanges)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.committed())?.age == ann.age)
  }

  /// Each save is one of a new context, so that no context has two in hand. The saves stand on the small
  /// stack of a thread of the pool.
  @Test(arguments: [
    ManagedObjectContext.willSaveObjectsNotification,
    ManagedObjectContext.didSaveObjectsNotification,
  ])
  func `observers that save a new context at each save are stopped, and the rest is saved`(
    _ name: Notification.Name
  ) throws {
    _ = Person.named("ann", in: context)
    for isBlock in [true, false] {
      let (stack, root, context) = (bench.stack, bench.root, context)
      let errors = try observing(name, of: nil) {
        if isBlock {
          try stack.saveAndWait { Company.named("log", in: $0.context).rating = 1 }
        } else {
          let audit = ManagedObjectContext.contextWithParent(root)
          _ = Company.named("log", in: audit)
          try audit.saveAndWait(toPersistentStore: true)
        }
      } _: {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          context.performAndWait { _ = Person.named("bob", in: $0.context) }
          do { try context.saveAndWait(toPersistentStore: true) } catch {
            Issue.record(error)
          }
          done.signal()
        }
        done.wait()
      }
      #expect(!errors.isEmpty && errors.allSatisfy { $0.code == .validationFailed })
      #expect(errors.first?.message.contains("after 100 rounds") == true)
    }
    let reader = bench.committed()
    #expect(try Person.names(in: reader).sorted() == ["ann", "bob", "bob"])
    #expect(try 2...202 ~= Company.count(in: reader))
  }

  @Test func `a save up the chain hands nothing to a level that cannot be saved`() throws {
    let child = bench.child("Child", of: context)
    _ = Person.named("ann", in: context)
    let errors = try observing(ManagedObjectContext.willSaveObjectsNotification, of: context) {
      _ = Person.named("jill", in: child)
      try child.saveAndWait(toPersistentStore: true)
    } _: {
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(errors.map(\.code) == [CauldronError.Code.validationFailed] && child.hasChanges)
    #expect(try Person.names(in: bench.committed()) == ["ann"])
    try child.saveAndWait(toPersistentStore: true)
    #expect(try Person.names(in: bench.committed()).sorted() == ["ann", "jill"])
  }

  @Test func `an observer of changes and one by a closure may save, too`() throws {
    let ann = Person.named("ann", in: context)
    let lent = LentClosure { try context.save() }
    let failed = Locked<[String]>([])
    let observation = context.observe { _ in
      do { try lent.run() } catch { failed.withLock { $0.append("\(error)") } }
    }
    let errors = try observing(ManagedObjectContext.didChangeObjectsNotification, of: context) {
      try context.save()
    } _: {
      try context.save()
      ann.name = "bob"
      context.processPendingChanges()
    }
    observation.cancel()
    #expect(errors.isEmpty && failed.withLock { $0 }.isEmpty && !context.hasChanges)
    #expect(try Person.names(in: bench.child()) == ["bob"])
  }
}
