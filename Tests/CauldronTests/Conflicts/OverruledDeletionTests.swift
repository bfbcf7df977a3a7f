import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// An unsaved deletion of a parent that the policy of a child's save has overruled, and what the parent had
/// changed of the object before.
@Suite(.againstHanging, .ownThread) struct OverruledDeletionTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    bench = try Trial.bench(.file)
    parent = bench.child("Parent")
    child = bench.child("Child", of: parent)
    child.mergePolicy = .mergeByPropertyObjectTrump
  }

  private func stored() throws -> [String] {
    try Trial.findAll(sortedBy: \.name, in: bench.committed()).map { "\($0.name) \($0.size)" }
  }

  private func editInChild() throws {
    try child.performAndWait { try Trial.findFirst(in: $0)?.size = 2 }
  }

  /// Saves the child on another thread: where the same code has both contexts, the parent takes in at once
  /// what has come.
  private func saveChildElsewhere() {
    let (child, saved) = (child, DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      _ = try? child.saveAndWait(toPersistentStore: false)
      saved.signal()
    }
    saved.wait()
  }

  @Test func `an edit that the child has not seen goes with the deletion`() throws {
    let trial = try Trial.saved("ann", in: parent)
    let copy = try child.performAndWait { local in
      let copy = try #require(try Trial.findFirst(in: local))
      #expect(copy.size == 0)
      return copy
    }
    try bench.stack.saveAndWait { try Trial.findFirst(in: $0)?.size = 5 }
    parent.performAndWait { local in
      local.context.refresh(trial, mergeChanges: true)
      trial.size = 2
    }
    parent.performAndWait { _ in trial.delete() }
    child.performAndWait { _ in copy.name = "new" }
    try child.saveAndWait(toPersistentStore: false)
    parent.performAndWait { _ in
      #expect(!trial.isDeleted && trial.name == "new" && trial.size == 5)
    }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try stored() == ["new 5"])
  }

  @Test(arguments: [false, true])
  func `an edit that the child has seen stays the parent's own`(_ isOneEvent: Bool) throws {
    let trial = try Trial.saved("ann", in: parent)
    parent.performAndWait { _ in trial.name = "amy" }
    try editInChild()
    parent.performAndWait { local in
      if !isOneEvent { local.context.processPendingChanges() }
      trial.delete()
    }
    try child.saveAndWait(toPersistentStore: false)
    parent.performAndWait { local in
      #expect(trial.name == "amy" && trial.size == 2)
      #expect(local.context.updatedObjects == [trial])
      #expect(trial.changedValues().keys.sorted() == ["name"])
    }
    // What the child has saved is refused, and goes back alone.
    try bench.stack.saveAndWait { try Trial.findFirst(in: $0)?.size = 7 }
    _ = try? parent.saveAndWait(toPersistentStore: true)
    #expect(try stored() == ["amy 7"])
    try child.performAndWait { local in
      let copy = try #require(try Trial.findFirst(in: local))
      #expect(copy.size == 2 && copy.changedValues().keys.sorted() == ["size"])
    }
    #expect(!parent.performAndWait { $0.hasChanges })
  }

  @Test func `what is brought back over two deletions is there after either`() throws {
    let trial = try Trial.saved("ann", in: parent)
    try editInChild()
    parent.performAndWait { _ in trial.delete() }
    try bench.stack.saveAndWait { try Trial.findFirst(in: $0)?.delete() }
    try child.saveAndWait(toPersistentStore: false)
    for context in [parent, child] {
      #expect(try context.performAndWait { try Trial.findAll(in: $0).map(\.size) } == [2])
      #expect(try context.performAndWait { try Trial.count(in: $0) } == 1)
    }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try stored() == ["ann 2"])
  }

  @Test func `the parent's own edit is one that it can drop`() throws {
    let trial = try Trial.saved("ann", in: parent)
    parent.performAndWait { _ in trial.name = "amy" }
    try editInChild()
    parent.performAndWait { _ in trial.delete() }
    try child.saveAndWait(toPersistentStore: false)
    parent.performAndWait { local in
      #expect(trial.name == "amy")
      local.context.refresh(trial, mergeChanges: false)
      #expect(trial.name == "ann" && trial.size == 2)
    }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try stored() == ["ann 2"])
  }

  @Test func `an edit of a link stays with all its ends where the child's save is refused`() throws
  {
    let bench = try Bench(.file)
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    child.mergePolicy = .mergeByPropertyObjectTrump
    let (ann, first, second) = parent.performAndWait { local in
      let ann = Person.named("ann", in: local.context)
      let first = Passport.create(in: local.context)
      let second = Passport.create(in: local.context)
      (first.number, second.number, ann.passport) = (1, 2, first)
      return (ann, first, second)
    }
    try parent.saveAndWait(toPersistentStore: true)
    parent.performAndWait { _ in ann.passport = second }
    try child.performAndWait { try Person.findFirst(in: $0)?.age = 2 }
    parent.performAndWait { _ in ann.delete() }
    parent.performAndWait { _ in #expect(second.holder == nil) }
    try child.saveAndWait(toPersistentStore: false)
    parent.performAndWait { _ in
      #expect(!ann.isDeleted && ann.age == 2)
      #expect(ann.passport === second && second.holder === ann && first.holder == nil)
    }
    try bench.stack.saveAndWait { try Person.findFirst(in: $0)?.age = 7 }
    _ = try? parent.saveAndWait(toPersistentStore: true)
    func ends() throws -> [String] {
      let context = bench.committed()
      return try Person.findAll(in: context).map { "\($0.age) \($0.passport?.number ?? 0)" }
        + Passport.findAll(sortedBy: \.number, in: context).map { $0.holder?.name ?? "" }
    }
    #expect(try ends() == ["7 2", "", "ann"])
    try child.performAndWait { local in
      let copy = try #require(try Person.findFirst(in: local))
      #expect(copy.changedValues().keys.sorted() == ["age"])
    }
    try child.saveAndWait(toPersistentStore: true)
    #expect(try ends() == ["2 2", "", "ann"])
  }

  /// How a deletion goes that a child's edit has overruled, before the context has taken the edit in.
  enum Going: CaseIterable { case refresh, refreshAll, undo, rollbackAbove }

  @Test(arguments: Going.allCases)
  func `what has come back is beaten by a deletion after the overruled one`(
    _ going: Going
  ) throws {
    let deleter = going == .rollbackAbove ? bench.root : parent
    deleter.undoManager = UndoManager()
    _ = try Trial.saved("ann", in: parent)
    try editInChild()
    try deleter.performAndWait { local in
      let trial = try #require(try Trial.findFirst(in: local))
      trial.delete()
      local.context.processPendingChanges()
      saveChildElsewhere()
      switch going {
      case .refresh: local.context.refresh(trial, mergeChanges: false)
      case .refreshAll: local.context.refreshAllObjects()
      case .undo: try local.context.undo()
      case .rollbackAbove: local.context.rollback()
      }
    }
    parent.performAndWait { $0.context.processPendingChanges() }
    try bench.stack.saveAndWait { try Trial.findFirst(in: $0)?.delete() }
    let error = cauldronError { _ = try parent.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    #expect(try stored().isEmpty)
  }

  @Test func `so is what has come back over a deletion that was refused`() throws {
    for name in ["ann", "bob"] { _ = try Trial.saved(name, in: parent) }
    try editInChild()
    let second = bench.child("Second", of: parent)
    try second.performAndWait { local in
      try Trial.findFirst(where: \.name == "ann", in: local)?.delete()
      try Trial.findFirst(where: \.name == "bob", in: local)?.name = "ben"
    }
    try second.saveAndWait(toPersistentStore: false)
    try child.saveAndWait(toPersistentStore: false)
    // The other edit of the same save is refused, and the deletion with it.
    try bench.stack.saveAndWait { local in
      try Trial.findFirst(where: \.name == "bob", in: local)?.name = "rob"
    }
    _ = try? parent.saveAndWait(toPersistentStore: false)
    #expect(second.performAndWait { $0.hasChanges })
    let restored = [parent, bench.root].flatMap { context in
      bench.stack.coordinator.ledger.layers(of: context.core.node).flatMap(\.changes.entities)
        .flatMap(\.updated).map(\.isRestored)
    }
    #expect(restored == [false])
    try bench.stack.saveAndWait { try Trial.findFirst(where: \.name == "ann", in: $0)?.delete() }
    _ = try? bench.root.saveAndWait(toPersistentStore: true)
    #expect(try Trial.findAll(in: bench.committed()).map(\.name) == ["rob"])
  }

  /// The moment of its parent's save at which a child brings back what the save is to delete.
  enum Moment: CaseIterable { case willSave, validation }

  @Test(arguments: Moment.allCases)
  func `an edit that arrives while a deletion is saved withdraws what goes with it`(
    _ moment: Moment
  ) throws {
    let (trial, part, follower) = parent.performAndWait { local in
      let trial = Trial.create(in: local.context)
      let part = Trial.create(in: local.context)
      let follower = Trial.create(in: local.context)
      (trial.name, part.name, follower.name) = ("ann", "part", "follower")
      (part.owner, follower.leader) = (trial, trial)
      return (trial, part, follower)
    }
    try parent.saveAndWait(toPersistentStore: true)
    try child.performAndWait { try Trial.findFirst(where: \.name == "ann", in: $0)?.size = 2 }
    parent.performAndWait { _ in trial.delete() }
    let isSaved = Locked(false)
    let save: @Sendable () -> Void = { [self] in
      let wasSaved = isSaved.withLock { saved in
        defer { saved = true }
        return saved
      }
      if !wasSaved { saveChildElsewhere() }
    }
    var observer: (any NSObjectProtocol)?
    if moment == .validation {
      parent.performAndWait { _ in part.on("delete") { _ in save() } }
    } else {
      observer = NotificationCenter.default.addObserver(
        forName: ManagedObjectContext.willSaveObjectsNotification, object: parent, queue: nil
      ) { _ in save() }
    }
    try parent.saveAndWait(toPersistentStore: true)
    if let observer { NotificationCenter.default.removeObserver(observer) }
    #expect(isSaved.withLock { $0 })
    try parent.saveAndWait(toPersistentStore: true)
    let stored = try Trial.findAll(sortedBy: \.name, in: bench.committed())
    #expect(stored.map { "\($0.name) \($0.size)" } == ["ann 2", "follower 0", "part 0"])
    #expect(stored.map { $0.owner?.name ?? $0.leader?.name } == [nil, "ann", "ann"])
    parent.performAndWait { _ in
      #expect(!trial.isDeleted && !part.isDeleted)
      #expect(part.owner === trial && follower.leader === trial)
    }
  }

  /// The deletion waits above the parent, where another context has saved it.
  @Test func `deleting what a child has restored above leaves nothing to save`() throws {
    _ = try Trial.saved("ann", in: parent)
    let sibling = bench.child("Sibling")
    try editInChild()
    try sibling.performAndWait { try Trial.findFirst(in: $0)?.delete() }
    try sibling.saveAndWait(toPersistentStore: false)
    try child.saveAndWait(toPersistentStore: false)
    #expect(try parent.performAndWait { try Trial.count(in: $0) } == 1)
    #expect(parent.performAndWait { $0.hasChanges })
    try parent.performAndWait { try Trial.findFirst(in: $0)?.delete() }
    #expect(!parent.performAndWait { $0.hasChanges })
    #expect(try parent.saveAndWait(toPersistentStore: false) == .noChanges)
    #expect(try parent.performAndWait { try Trial.count(in: $0) } == 0)
    try bench.mainContext.saveAndWait(toPersistentStore: true)
    #expect(try stored().isEmpty)
  }
}
