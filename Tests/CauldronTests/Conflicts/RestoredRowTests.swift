import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// An object that a policy brings back: a child's edit of it has won over its deletion in the parent. It is an
/// update where its row lies below, and an insertion where none does.
@Suite(.againstHanging, .ownThread) struct RestoredRowTests {
  private let bench: Bench
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    bench = try Trial.bench(.file)
    parent = bench.child("Parent")
    child = bench.child("Child", of: parent)
  }

  private func editInChild() throws {
    try child.performAndWait { try Trial.findFirst(in: $0)?.size = 2 }
  }

  /// How a deletion ends that a child's edit has overruled.
  enum Ending: CaseIterable { case refresh, undo, refusal, refreshAtRoot }

  /// A child's edit wins over an unsaved deletion, which then does not take place.
  private func comeBack(_ ending: Ending) throws {
    parent.undoManager = UndoManager()
    let trial = try Trial.saved("ann", in: parent)
    try editInChild()
    if ending == .refreshAtRoot {
      try bench.root.performAndWait { try Trial.findFirst(in: $0)?.delete() }
    } else {
      parent.performAndWait { _ in trial.delete() }
    }
    if ending == .refusal {
      try bench.stack.saveAndWait { try Trial.findFirst(in: $0)?.name = "amy" }
    }
    _ = try? child.saveAndWait(
      toPersistentStore: ending == .refusal, mergePolicy: .mergeByPropertyObjectTrump)
    switch ending {
    case .refresh: parent.performAndWait { $0.context.refresh(trial, mergeChanges: false) }
    case .undo: try parent.performAndWait { try $0.context.undo() }
    case .refusal: parent.performAndWait { $0.context.rollback() }
    case .refreshAtRoot:
      _ = try parent.saveAndWait(
        toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
      bench.root.performAndWait { local in
        for trial in local.context.updatedObjects {
          local.context.refresh(trial, mergeChanges: false)
        }
      }
    }
  }

  // G2
  @Test(arguments: Ending.allCases)
  func `an object that an edit brings back is one object, however its deletion ends`(
    _ ending: Ending
  ) throws {
    try comeBack(ending)
    let counts = try [parent, child].map { context in
      try context.performAndWait { local in
        [try Trial.findAll(in: local).count, try Trial.count(in: local)]
      }
    }
    #expect(counts == [[1, 1], [1, 1]])
  }

  // G2
  @Test(arguments: Ending.allCases)
  func `an edit that brings an object back is saved, however the deletion ends`(
    _ ending: Ending
  ) throws {
    try comeBack(ending)
    _ = try child.performAndWait { try Trial.count(in: $0) }
    try child.saveAndWait(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try Trial.findAll(in: bench.committed()).map(\.size) == [2])
  }

  // G2
  @Test func `no fetch gives an object that is deleted`() throws {
    let trial = try Trial.saved("ann", in: parent)
    try editInChild()
    parent.performAndWait { _ in trial.delete() }
    try child.saveAndWait(toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
    let found = try parent.performAndWait { try Trial.findAll(in: $0).map(\.isDeleted) }
    #expect(found == [false])
  }

  @Test func `a query finds what came back alive, also before the context has an event`() throws {
    let main = bench.mainContext
    let trial = main.performAndWait { local in
      let trial = Trial.create(in: local.context)
      trial.name = "ann"
      return trial
    }
    try main.saveAndWait(toPersistentStore: true)
    let child = bench.child("Child", of: main)
    try child.performAndWait { try Trial.findFirst(in: $0)?.size = 2 }
    try main.performAndWait { local in
      trial.delete()
      local.context.processPendingChanges()
      try child.saveAndWait(toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
      let found = try #require(try Trial.findAll(in: local.context).first)
      #expect(found === trial && !trial.isDeleted && trial.size == 2)
      #expect(local.context.deletedObjects.isEmpty)
    }
  }

  @Test func `with an overruled deletion goes what it has entailed, and its undo does nothing`()
    throws
  {
    parent.undoManager = UndoManager()
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
    parent.performAndWait { _ in #expect(part.isDeleted && follower.leader == nil) }
    try child.saveAndWait(toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
    for undoes in [false, true] {
      try parent.performAndWait { local in
        if undoes { try local.context.undo() }
        #expect(!trial.isDeleted && !part.isDeleted && trial.size == 2)
        #expect(part.owner === trial && follower.leader === trial)
        #expect(local.context.deletedObjects.isEmpty)
        let count = try Trial.count(in: local)
        #expect(count == 3)
      }
    }
    try parent.saveAndWait(toPersistentStore: true)
    let stored = try Trial.findAll(sortedBy: \.name, in: bench.committed())
    #expect(stored.map(\.size) == [2, 0, 0])
    #expect(stored.map { $0.owner?.name ?? $0.leader?.name } == [nil, "ann", "ann"])
  }

  @Test(arguments: [false, true])
  func `with an edit comes back what the parent had changed before its deletion`(
    _ isOneEvent: Bool
  ) throws {
    let trial = try Trial.saved("ann", in: parent)
    parent.performAndWait { _ in trial.name = "amy" }
    try editInChild()
    parent.performAndWait { local in
      if !isOneEvent { local.context.processPendingChanges() }
      trial.delete()
    }
    try child.saveAndWait(toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
    parent.performAndWait { _ in #expect(trial.name == "amy" && trial.size == 2) }
    try parent.saveAndWait(toPersistentStore: true)
    let stored = try Trial.findAll(in: bench.committed()).map { "\($0.name) \($0.size)" }
    #expect(stored == ["amy 2"])
  }

  @Test(arguments: [MergePolicy.error, .mergeByPropertyStoreTrump])
  func `what came back over a saved deletion is saved, whatever the policies further up`(
    _ policy: MergePolicy
  ) throws {
    _ = try Trial.saved("ann", in: parent)
    try editInChild()
    try bench.stack.saveAndWait { try Trial.findFirst(in: $0)?.delete() }
    child.mergePolicy = .mergeByPropertyObjectTrump
    try child.saveAndWait(toPersistentStore: false)
    #expect(try parent.performAndWait { try Trial.findAll(in: $0).map(\.size) } == [2])
    parent.mergePolicy = policy
    bench.root.mergePolicy = policy
    let outcome = try parent.saveAndWait(toPersistentStore: true)
    guard case .saved(let summary) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(summary.resolutions.isEmpty)
    #expect(try Trial.findAll(in: bench.committed()).map(\.size) == [2])
  }

  @Test func `a deletion after an overruled one is a conflict`() throws {
    let trial = try Trial.saved("ann", in: parent)
    try editInChild()
    parent.performAndWait { _ in trial.delete() }
    // Not that of the save, which would hold at every level.
    child.mergePolicy = .mergeByPropertyObjectTrump
    try child.saveAndWait(toPersistentStore: false)
    parent.performAndWait { _ in #expect(!trial.isDeleted) }
    try bench.stack.saveAndWait { try Trial.findFirst(in: $0)?.delete() }
    let error = cauldronError { _ = try parent.saveAndWait(toPersistentStore: true) }
    #expect(error?.code == .saveConflict)
    #expect(try Trial.count(in: bench.committed()) == 0)
  }

  @Test func `what came back and is given back is an edit, about which a policy decides anew`()
    throws
  {
    let bench = try Bench(.file, model: ManagedObjectModel(Trial.self)) { $0.busyTimeout = 0.02 }
    let parent = bench.child("Parent")
    let child = bench.child("Child", of: parent)
    _ = try Trial.saved("ann", in: parent)
    try child.performAndWait { try Trial.findFirst(in: $0)?.size = 2 }
    try bench.stack.saveAndWait { try Trial.findFirst(in: $0)?.delete() }
    let other = OtherConnection(try #require(bench.stack.coordinator.storeURL))
    #expect(other.run("BEGIN IMMEDIATE"))
    let busy = cauldronError {
      _ = try child.saveAndWait(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    }
    other.run("ROLLBACK")
    #expect(busy?.code == .storeBusy)
    #expect(try parent.performAndWait { try Trial.count(in: $0) } == 0)
    let error = cauldronError {
      _ = try child.saveAndWait(toPersistentStore: true, mergePolicy: .error)
    }
    #expect(error?.code == .saveConflict)
    try child.saveAndWait(toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    #expect(try Trial.findAll(in: bench.committed()).map(\.size) == [2])
  }
}
