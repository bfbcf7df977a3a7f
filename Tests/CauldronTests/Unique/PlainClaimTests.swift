import Cauldron
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Claims of objects that begin with nothing but the values that they are asked for by.
@Suite(.againstHanging) struct PlainClaimTests {
  /// Two contexts have one object, which the first has saved and has renamed since.
  private func renamed(
    _ bench: Bench, _ first: ManagedObjectContext, _ second: ManagedObjectContext
  ) throws -> Remark {
    let a = try Remark.findOrCreate(\.text, "x", in: first)
    let same = try Remark.findOrCreate(\.text, "x", in: second)
    same.stars = 2
    try first.saveAndWait(toPersistentStore: true)
    a.text = "y"
    // The value is claimed anew, for another object.
    #expect(try Remark.findOrCreate(\.text, "x", in: first).objectID != a.objectID)
    return same
  }

  @Test(arguments: [MergePolicy.error, .mergeByPropertyStoreTrump])
  func `a new claim leaves others what their object began with`(_ policy: MergePolicy) throws {
    let bench = try Glossary.bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    _ = try renamed(bench, first, second)
    bench.stack.rootSavingContext.mergePolicy = policy
    second.mergePolicy = policy
    try second.saveAndWait(toPersistentStore: true)
    #expect(try Remark.findAll(in: bench.committed()).map(\.stars) == [2])
  }

  @Test func `a new claim leaves others what they delete`() throws {
    let bench = try Glossary.bench(.file)
    let (first, second) = (bench.child("First"), bench.child("Second"))
    let a = try Remark.findOrCreate(\.text, "x", in: first)
    let same = try Remark.findOrCreate(\.text, "x", in: second)
    try first.saveAndWait(toPersistentStore: true)
    a.text = "y"
    _ = try Remark.findOrCreate(\.text, "x", in: first)
    same.delete()
    try second.saveAndWait(toPersistentStore: true)
    #expect(try Remark.findAll(in: bench.committed()).isEmpty)
  }

  @Test func `who becomes a claimed object does not change how that began`() throws {
    let bench = try Glossary.bench(.file)
    let (a, b, c) = (bench.child("A"), bench.child("B"), bench.child("C"))
    _ = try Price.findOrCreate(\.amount, 5, in: a)
    let n = try Price.findOrCreate(\.weight, 2.5, in: b)
    _ = try Price.findOrCreate(\.weight, 2.5, in: c)
    n.amount = 5
    try b.saveAndWait(toPersistentStore: true)
    try a.saveAndWait(toPersistentStore: true)
    try c.saveAndWait(toPersistentStore: true)
    #expect(try Price.findAll(in: bench.committed()).map(\.amount) == [5])
  }

  @Test func `a rename stays in conflict with who asked for the name, however often he saves`()
    throws
  {
    for _ in 0..<8 {
      let bench = try Glossary.bench(.file)
      let (a, b, c) = (bench.child("A"), bench.child("B"), bench.child("C"))
      let n = try Remark.findOrCreate(\.text, "b", in: b)
      _ = try Remark.findOrCreate(\.text, "b", in: c)
      _ = try Remark.findOrCreate(\.text, "a", in: a)
      n.text = "a"
      try b.saveAndWait(toPersistentStore: true)
      try a.saveAndWait(toPersistentStore: true)
      for _ in 0..<2 {
        #expect(throws: CauldronError.self) { try c.saveAndWait(toPersistentStore: true) }
      }
      #expect(try Remark.findAll(in: bench.committed()).map(\.text) == ["a"])
    }
  }

  /// More than are looked at again only when they have doubled.
  @Test func `what many have claimed and committed is forgotten`() throws {
    let bench = try Glossary.bench(.file)
    for round in 0..<4 {
      let context = bench.child()
      for number in 0..<2_000 {
        _ = try Remark.findOrCreate(\.text, "\(round) \(number)", in: context)
      }
      try context.saveAndWait(toPersistentStore: true)
    }
    #expect(bench.stack.coordinator.claims.state.withLock(\.count) <= 4_000)
  }

  @Test func `eight contexts on eight threads`() throws {
    let bench = try Glossary.bench(.file)
    let failures = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { worker in
      var generator = SeededGenerator(seed: UInt64(worker))
      do {
        let context = bench.child("\(worker)")
        for step in 1...400 {
          let name = "n\(Int.random(in: 0..<300, using: &generator))"
          let remark = try Remark.findOrCreate(\.text, name, in: context)
          #expect(remark.text == name)
          if step % (20 + worker * 10) == 0 { try context.saveAndWait(toPersistentStore: true) }
        }
        try context.saveAndWait(toPersistentStore: true)
      } catch { failures.withLock { $0.append("\(error)") } }
    }
    #expect(failures.withLock { $0 } == [])
    let stored = try Remark.findAll(in: bench.committed()).compactMap(\.text)
    #expect(stored.count == Set(stored).count && stored.count > 250)
  }
}
