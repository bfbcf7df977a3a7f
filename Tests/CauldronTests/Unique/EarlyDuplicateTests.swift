import Cauldron
import Foundation
import TestSupport
import Testing

/// Who is second to save a unique value is told so by the push, not first by the store.
@Suite(.againstHanging) struct EarlyDuplicateTests {
  @Test func `the second of two children with one name is refused at once`() throws {
    let bench = try Glossary.bench()
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let a = Keyword.named("swift", in: first)
    let b = Keyword.named("swift", in: second)
    try first.save()
    let error = #expect(throws: CauldronError.self) { try second.save() }
    #expect(
      error?.code == .saveConstraint && error?.entity == "Keyword" && error?.property == "name")
    #expect(error?.objectIDs == [b.objectID, a.objectID])
    #expect(
      error?.message
        == "Cannot save Keyword \(b.objectID): name must be unique; \(a.objectID) has the same"
        + " value.")
    #expect(second.hasChanges && b.isInserted)
    b.name = "linux"
    try second.save()
    #expect(try Keyword.count(in: bench.root) == 2)
  }

  @Test func `two objects of one save are found, too`() throws {
    let bench = try Glossary.bench()
    let context = bench.child()
    Keyword.named("a", in: context)
    let (first, second) = (Keyword.named("b", in: context), Keyword.named("b", in: context))
    let error = #expect(throws: CauldronError.self) { try context.save() }
    #expect(error?.objectIDs == [second.objectID, first.objectID])
    #expect(try Keyword.count(in: bench.root) == 0)
  }

  @Test func `nil collides with nothing, and parts of a key neither`() throws {
    let bench = try Glossary.bench()
    for _ in 0..<2 {
      let context = bench.child()
      Keyword.named(nil, in: context).kind = nil
      try context.save()
    }
    for order in 1..<3 {
      let context = bench.child()
      let tag = Keyword.named(nil, in: context)
      (tag.kind, tag.order) = ("k", order)
      try context.save()
    }
    let context = bench.child()
    let tag = Keyword.named(nil, in: context)
    (tag.kind, tag.order) = ("k", 2)
    let error = #expect(throws: CauldronError.self) { try context.save() }
    #expect(error?.message.contains("kind, order must be unique") == true)
  }

  @Test func `values may move on, within a save and to what a save has freed`() throws {
    let bench = try Glossary.bench()
    let context = bench.child()
    let (a, b) = (Keyword.named("a", in: context), Keyword.named("b", in: context))
    try context.save()
    (a.name, b.name) = ("b", "a")
    try context.save()
    a.name = "c"
    try context.save()
    Keyword.named("b", in: context)
    b.delete()
    Keyword.named("a", in: context)
    try context.save()
    #expect(try Keyword.count(in: bench.root) == 3)
    try context.saveAndWait(toPersistentStore: true)
    #expect(try Keyword.count(in: bench.committed()) == 3)
  }

  @Test func `a changed value collides as a new one does`() throws {
    let bench = try Glossary.bench()
    let context = bench.child()
    let (a, b) = (Keyword.named("a", in: context), Keyword.named("b", in: context))
    try context.saveAndWait(toPersistentStore: true)
    let (first, second) = (bench.child(), bench.child())
    let mine = try #require(try Keyword.find(a.objectID, in: first))
    let theirs = try #require(try Keyword.find(b.objectID, in: second))
    mine.name = "c"
    theirs.name = "c"
    try first.save()
    let error = #expect(throws: CauldronError.self) { try second.save() }
    #expect(error?.code == .saveConstraint && error?.objectIDs == [b.objectID, a.objectID])
    try second.save(mergePolicy: .mergeByPropertyStoreTrump)
    second.processPendingChanges()
    #expect(theirs.name == "b" && !second.hasChanges)
  }

  @Test func `decimals are one number however they are spelt`() throws {
    let bench = try Glossary.bench()
    let (first, second) = (bench.child("First"), bench.child("Second"))
    for amount in [Decimal(15) / 10, Decimal(25) / 10] {
      Price.create(in: first).amount = amount
    }
    try first.save()
    Price.create(in: second).amount = Decimal(95) / 10
    Price.create(in: second).amount = Decimal(250) / 100
    let error = #expect(throws: CauldronError.self) { try second.save() }
    #expect(error?.code == .saveConstraint && error?.property == "amount")
  }

  @Test func `many objects are compared in no time that matters`() throws {
    let bench = try Glossary.bench()
    let (first, second) = (bench.child(), bench.child())
    for number in 0..<3_000 { Keyword.named("a\(number)", in: first) }
    try first.save()
    for number in 0..<3_000 { Keyword.named("b\(number)", in: second) }
    try second.save()
    let third = bench.child()
    for number in 2_990..<3_010 { Keyword.named("a\(number)", in: third) }
    let error = #expect(throws: CauldronError.self) { try third.save() }
    #expect(error?.objectIDs.count == 20)
  }
}
