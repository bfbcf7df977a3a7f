import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// Edits that a merge policy has dropped leave nothing behind, and edits that stand are saved.
@Suite(.againstHanging, .ownThread) struct DroppedEditTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    bench = try Bench(.file)
    parent = bench.child("Parent")
    child = bench.child("Child", of: parent)
  }

  /// A child that has edited a person whom another context has changed or deleted in the store
  /// since.
  private func overtaken(isDeleted: Bool) throws -> ManagedObjectID {
    let id = Person.named("ann", age: 1, in: parent).objectID
    try parent.saveAndWait(toPersistentStore: true)
    try child.performAndWait { try Person.findFirst(in: $0)?.age = 2 }
    try bench.stack.saveAndWait { local in
      let ann = try #require(try Person.findFirst(in: local))
      if isDeleted { ann.delete() } else { ann.age = 9 }
    }
    return id
  }

  @Test(arguments: [false, true])
  func `an edit after a rollback is none that a refresh has dropped before`(_ resets: Bool) throws {
    let ann = Person.named("ann", age: 1, in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    try parent.performAndWait { local in
      ann.age = 2
      local.context.refresh(ann, mergeChanges: false)
      if resets { local.context.reset() } else { local.context.rollback() }
      let person = try #require(try local.existingObject(with: ann.objectID) as? Person)
      person.age = 3
      local.context.processPendingChanges()
      #expect(try Person.count(where: \.age == 3, in: local) == 1)
      #expect(local.context.hasChanges)
    }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.committed())?.age == 3)
  }

  @Test(arguments: [false, true])
  func `a save whose edits a policy has dropped leaves nothing in the parent`(
    _ isDeleted: Bool
  ) throws {
    let id = try overtaken(isDeleted: isDeleted)
    let dropped = try child.saveAndWait(
      toPersistentStore: false, mergePolicy: .mergeByPropertyStoreTrump)
    guard case .saved(let summary) = dropped else {
      Issue.record("nothing is told of what the policy has dropped")
      return
    }
    #expect(summary.resolutions.map(\.objectID) == [id])
    #expect(!parent.performAndWait { $0.hasChanges })
    let outcome = try parent.saveAndWait(toPersistentStore: true)
    #expect(outcome == .noChanges)
  }

  @Test func `the remedy of a conflict works where a child does not read what is unsaved`() throws {
    let ann = Person.named("ann", age: 1, in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    child.readsUncommitted = false
    let id = ann.objectID
    try child.performAndWait { local in
      _ = try #require(try local.context.existingObject(with: id) as? Person).age
    }
    parent.performAndWait { _ in ann.age = 2 }
    try child.performAndWait { local in
      try #require(try local.context.existingObject(with: id) as? Person).age = 3
    }
    let error = cauldronError { try child.saveAndWait(toPersistentStore: false) }
    #expect(error?.code == .saveConflict && error?.hint.contains("mergeChanges: true") == true)
    try child.performAndWait { local in
      local.context.refresh(try local.context.existingObject(with: id), mergeChanges: true)
    }
    try child.saveAndWait(toPersistentStore: false)
    #expect(parent.performAndWait { _ in ann.age } == 3)
  }

  /// A context below the root with a reference to a company that is deleted in the store since.
  private func dangling() throws -> ManagedObjectContext {
    let context = bench.child("Mine")
    let firm = Company.named("firm", in: context)
    let ann = Person.named("ann", in: context)
    try context.saveAndWait(toPersistentStore: true)
    try bench.stack.saveAndWait { try Company.findFirst(in: $0)?.delete() }
    context.performAndWait { _ in ann.employer = firm }
    return context
  }

  @Test func `a reference to what the store has lost is told where it is saved into the root`()
    throws
  {
    let context = try dangling()
    let outcome = try context.saveAndWait(toPersistentStore: false)
    guard case .saved(let summary) = outcome else {
      Issue.record("nothing was saved")
      return
    }
    #expect(summary.resolutions.map(\.property) == ["employer"])
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Person.findFirst(in: bench.committed())?.employer == nil)
  }

  // A thread of its own, as code that has both contexts at hand publishes before it reads.
  @Test func `an edit that a refresh drops is at once dropped for children on other threads`()
    throws
  {
    let ann = Person.named("ann", age: 1, in: parent)
    let bob = Person.named("bob", age: 1, in: parent)
    try parent.saveAndWait(toPersistentStore: true)
    parent.performAndWait { _ in (ann.age, bob.age) = (5, 5) }
    let child = child
    let seen = Locked<[Int]>([])
    parent.performAndWait { local in
      local.context.refresh(ann, mergeChanges: false)
      let read = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        let ages = child.performAndWait { local in
          try? Person.findAll(sortedBy: \.name, in: local).map(\.age)
        }
        seen.withLock { $0 = ages ?? [] }
        read.signal()
      }
      read.wait()
      #expect(ann.age == 1 && bob.age == 5)
    }
    #expect(seen.withLock { $0 } == [1, 5])
    try parent.saveAndWait(toPersistentStore: true)
    let stored = try Person.findAll(sortedBy: \.name, in: bench.committed()).map(\.age)
    #expect(stored == [1, 5])
  }
}
