import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// Known issues: values that are set, set back, or set by hooks, and what is written and told of
/// them.
@Suite(.againstHanging, .ownThread) struct KnownEditTests {
  /// A parent whose own edits of "node" stay behind, and a child that saves another value to the
  /// store.
  private func overtaken() throws -> (Bench, ManagedObjectContext, node: Trial, wrong: Trial) {
    let bench = try Trial.bench(.file)
    let parent = bench.child("Parent")
    let node = try Trial.saved("node", in: parent)
    let wrong = Trial.create(in: parent)
    (wrong.name, wrong.size, node.size) = ("wrong", 50, 3)
    parent.processPendingChanges()
    let child = bench.child("Child", of: parent)
    try child.performAndWait { local in
      try #require(try Trial.findFirst(where: \.name == "node", in: local)).size = 6
    }
    try child.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    parent.performAndWait { _ in }
    return (bench, parent, node, wrong)
  }

  // G9
  @Test func `an object shows what its fetches find where own edits stay behind`() throws {
    let (bench, parent, node, _) = try overtaken()
    defer { withExtendedLifetime(bench) {} }
    let (shown, fetched) = try parent.performAndWait { local in
      (node.size, try Trial.where(\.name == "node").select(\.size).fetch(in: local))
    }
    withKnownIssue("G9") { #expect(fetched == [shown]) }
  }

  // G9
  @Test func `edits that stayed behind are saved as the object shows them`() throws {
    let (bench, parent, node, wrong) = try overtaken()
    let shown = parent.performAndWait { _ in node.size }
    parent.performAndWait { _ in wrong.delete() }
    try parent.saveAndWait(
      toPersistentStore: true, mergePolicy: .mergeByPropertyObjectTrump)
    let stored = try Trial.findAll(in: bench.committed()).map(\.size)
    withKnownIssue("G9") { #expect(stored == [shown]) }
  }

  // G21
  @Test func `a transient property that was never set prints as its default`() throws {
    let context = try Creature.bench(.memory).child()
    let cat = Creature.named("cat", in: context)
    #expect(cat.mark == "none")
    withKnownIssue("G21") { #expect("\(cat)".contains("mark: \"none\"")) }
    cat.mark = "none"
    #expect("\(cat)".contains("mark: \"none\""))
  }
}
