import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What stays behind in a context loses what newer changes have taken ahead.
@Suite(.againstHanging, .ownThread) struct LeftBehindTests {
  /// A parent whose own edits of "node" stay behind, and a child that saves another value to the
  /// store.
  /// - Parameter onRoot: Whether the parent lies on the store.
  private func overtaken(
    onRoot: Bool = false, _ edit: (Trial) -> Void = { _ in },
    by childsEdit: (Trial) -> Void = { $0.size = 6 }
  ) throws -> (Bench, ManagedObjectContext, node: Trial, wrong: Trial) {
    let bench = try Trial.bench(.file)
    let parent = onRoot ? bench.root : bench.child("Parent")
    let node = try Trial.saved("node", in: parent)
    let wrong = Trial.create(in: parent)
    (wrong.name, wrong.size, node.size) = ("wrong", 50, 3)
    edit(node)
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    try child.performAndWait { local in
      childsEdit(try #require(try Trial.findFirst(where: \.size == 3, in: local)))
    }
    try child.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    parent.performAndWait { _ in }
    return (bench, parent, node, wrong)
  }

  @Test(arguments: [false, true])
  func `an object shows what its fetches find where own edits stay behind`(
    _ onRoot: Bool
  ) throws {
    let (bench, parent, node, _) = try overtaken(onRoot: onRoot)
    defer { withExtendedLifetime(bench) {} }
    let (shown, fetched) = try parent.performAndWait { local in
      (node.size, try Trial.where(\.name == "node").select(\.size).fetch(in: local))
    }
    #expect(fetched == [shown])
  }

  @Test(arguments: [false, true])
  func `edits that stayed behind are saved as the object shows them`(_ onRoot: Bool) throws {
    let (bench, parent, node, wrong) = try overtaken(onRoot: onRoot)
    let shown = parent.performAndWait { _ in node.size }
    parent.performAndWait { _ in wrong.delete() }
    try parent.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    let stored = try Trial.findAll(in: bench.committed()).map(\.size)
    #expect(stored == [shown])
  }

  @Test(arguments: [false, true])
  func `what a child has changed is no edit of what stays behind, and the rest is`(
    _ onRoot: Bool
  ) throws {
    let (bench, parent, node, wrong) = try overtaken(onRoot: onRoot) { $0.name = "mine" }
    parent.performAndWait { local in
      #expect(node.changedValues().keys.sorted() == ["name"] && node.size == 6)
      #expect(local.context.updatedObjects == [node])
      wrong.delete()
    }
    try parent.saveAndWait(toPersistentStore: true)
    let stored = try Trial.findAll(in: bench.committed())
    #expect(stored.map(\.size) == [6] && stored.map(\.name) == ["mine"])
    #expect(!bench.isDirty(parent))
  }

  @Test func `an edit that stays behind ends where a child has changed all of it`() throws {
    let (bench, parent, node, wrong) = try overtaken()
    parent.performAndWait { local in
      #expect(!node.hasChanges && node.changedValues().isEmpty)
      wrong.delete()
      local.processPendingChanges()
      #expect(!local.hasChanges)
    }
    #expect(try parent.saveAndWait(toPersistentStore: false) == .noChanges)
    try bench.stack.saveAndWait { try Trial.findFirst(in: $0)?.size = 7 }
    parent.performAndWait { _ in node.name = "again" }
    try parent.saveAndWait(toPersistentStore: true)
    #expect(try Trial.findAll(in: bench.committed()).map(\.size) == [7])
  }

  @Test func `an edit that stays behind ends where a child has deleted the object`() throws {
    let (bench, parent, _, wrong) = try overtaken(by: { $0.delete() })
    parent.performAndWait { _ in wrong.delete() }
    parent.performAndWait { local in #expect(!local.hasChanges) }
    #expect(try parent.saveAndWait(toPersistentStore: true) == .noChanges)
    #expect(try Trial.count(in: bench.committed()) == 0)
  }
}
