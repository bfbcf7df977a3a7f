import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Foundation
import TestSupport
import Testing

/// What a context has found by unique values is found again without asking the store, and never where
/// it has other values by then.
@Suite(.againstHanging) struct FoundObjectsTests {
  @Test func `what was found or created before costs no statement`() throws {
    let file = try CountedFile(Glossary.model())
    let context = file.context("Context")
    let tag = try Keyword.findOrCreate(\.name, "a", in: context)
    // A busy machine may take longer than what is remembered holds.
    func isFoundWithoutStatement() throws -> Bool {
      for _ in 0..<1_000 {
        let found = try file.store.tally { try Keyword.findOrCreate(\.name, "a", in: context) }
        #expect(found.answer === tag)
        if found.asked.calls == 0 { return true }
      }
      return false
    }
    #expect(try isFoundWithoutStatement())
    try context.saveAndWait(toPersistentStore: true)
    #expect(try isFoundWithoutStatement())
  }

  @Test(arguments: StoreKind.allCases)
  func `an object that has other values here is not found by the former ones`(
    _ kind: StoreKind
  ) throws {
    let bench = try Glossary.bench(kind)
    let context = bench.child()
    let tag = try Keyword.findOrCreate(\.name, "a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    tag.name = "b"
    let second = try Keyword.findOrCreate(\.name, "a", in: context)
    #expect(second !== tag && second.isInserted)
    #expect(try Keyword.findOrCreate(\.name, "b", in: context) === tag)
    context.delete(second)
    #expect(try Keyword.findOrCreate(\.name, "a", in: context) !== second)
    context.rollback()
    #expect(try Keyword.findOrCreate(\.name, "a", in: context) === tag)
  }

  @Test(arguments: StoreKind.allCases)
  func `what others have renamed or deleted meanwhile is not found`(_ kind: StoreKind) throws {
    let bench = try Glossary.bench(kind)
    let parent = bench.child("Parent")
    let context = bench.child("Context", of: parent)
    let tag = try Keyword.findOrCreate(\.name, "a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let sibling = bench.child("Sibling", of: parent)
    try #require(try Keyword.findFirst(\.name, "a", in: sibling)).name = "b"
    try sibling.save()
    let second = try Keyword.findOrCreate(\.name, "a", in: context)
    #expect(second.objectID != tag.objectID)
    try context.save()
    sibling.processPendingChanges()
    sibling.delete(try #require(try Keyword.findFirst(\.name, "a", in: sibling)))
    try sibling.save()
    let third = try Keyword.findOrCreate(\.name, "a", in: context)
    #expect(third.isInserted && third.objectID != second.objectID)
  }

  @Test func `what another program has renamed is not found a moment later`() throws {
    let bench = try Glossary.bench(.file)
    let context = bench.child()
    let tag = try Keyword.findOrCreate(\.name, "a", in: context)
    try context.saveAndWait(toPersistentStore: true)
    let url = try #require(bench.stack.coordinator.storeURL)
    #expect(OtherConnection(url).run("UPDATE ZKEYWORD SET ZNAME = 'b', Z_OPT = Z_OPT + 1"))
    Thread.sleep(forTimeInterval: 0.02)
    let second = try Keyword.findOrCreate(\.name, "a", in: context)
    #expect(second.objectID != tag.objectID)
  }

  /// A guess by what the context has found before must not take the claim from the other context.
  @Test func `a context that has rolled back finds what another one has claimed`() throws {
    let bench = try Glossary.bench(.memory)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    // What is remembered holds for a moment, which is over before the end on a busy machine.
    for number in 0..<50 {
      let claimed = try Keyword.findOrCreate(\.name, "\(number)", in: first)
      _ = try Keyword.findOrCreate(\.name, "\(number)", in: second)
      second.rollback()
      let again = try Keyword.findOrCreate(\.name, "\(number)", in: second)
      #expect(again.objectID == claimed.objectID)
    }
  }

  @Test(arguments: [false, true])
  func `a fault of an object that another context has claimed is the object that is created`(
    _ isRead: Bool
  ) throws {
    let bench = try Glossary.bench(.memory)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let claimed = try Keyword.findOrCreate(\.name, "x", in: first)
    let fault = try #require(second.object(with: claimed.objectID) as? Keyword)
    if isRead { #expect(fault.name == nil) }
    let created = try Keyword.findOrCreate(\.name, "x", in: second)
    #expect(created === fault && created.isInserted && !created.isFault)
    #expect(created.name == "x" && second.insertedObjects == [created])
    created.count = 3
    #expect(try Keyword.findOrCreate(\.name, "x", in: second) === created)
    for context in [first, second] { try context.saveAndWait(toPersistentStore: true) }
    let counts = try Keyword.select(\.count).fetch(in: bench.committed())
    #expect(counts == [3])
  }

  @Test func `a fault with unsaved edits is not the object that is created`() throws {
    let bench = try Glossary.bench(.memory)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let claimed = try Keyword.findOrCreate(\.name, "x", in: first)
    let fault = try #require(second.object(with: claimed.objectID) as? Keyword)
    fault.count = 3
    let created = try Keyword.findOrCreate(\.name, "x", in: second)
    #expect(created !== fault && created.name == "x" && created.count == 0)
    #expect(fault.count == 3)
  }
}
