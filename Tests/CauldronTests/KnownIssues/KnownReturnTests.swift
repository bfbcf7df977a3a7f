import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Known issues: an object that a child's edit brings back, while its deletion in the parent does
/// not take place.
@Suite(.againstHanging, .ownThread) struct KnownReturnTests {
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
        for trial in local.context.deletedObjects {
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
    withKnownIssue("G2") { #expect(counts == [[1, 1], [1, 1]]) }
  }

  // G2
  @Test(arguments: Ending.allCases)
  func `an edit that brings an object back is saved, however the deletion ends`(
    _ ending: Ending
  ) throws {
    try comeBack(ending)
    _ = try child.performAndWait { try Trial.count(in: $0) }
    withKnownIssue("G2") {
      _ = try child.saveAndWait(
        toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    }
    let stored = try Trial.findAll(in: bench.committed()).map(\.size)
    withKnownIssue("G2") { #expect(stored == [2]) }
  }

  // G2
  @Test func `no fetch gives an object that is deleted`() throws {
    let trial = try Trial.saved("ann", in: parent)
    try editInChild()
    parent.performAndWait { _ in trial.delete() }
    try child.saveAndWait(toPersistentStore: false, mergePolicy: .mergeByPropertyObjectTrump)
    let found = try parent.performAndWait { try Trial.findAll(in: $0).map(\.isDeleted) }
    withKnownIssue("G2") { #expect(!found.contains(true)) }
  }
}
