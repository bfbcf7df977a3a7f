import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport
import Testing

/// Fetches that leave unsaved changes out, and results that are handed over late.
@Suite(.againstHanging) struct CommittedFetchTests {
  private func office(_ kind: StoreKind, _ count: Int = 4) throws -> Bench {
    let bench = try Bench(kind)
    let context = bench.child()
    for age in 1...count { Person.named("p\(age)", age: age, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    return bench
  }

  @Test(arguments: StoreKind.allCases)
  func `a result leaves unsaved changes out where the request does`(_ kind: StoreKind) throws {
    let bench = try office(kind)
    let context = bench.child()
    Person.named("new", age: 1, in: context)
    try #require(try Person.findFirst(where: \.age == 2, in: context)).age = 1
    var request = Person.where(\.age == 1).request
    #expect(try context.fetchResult(request).count == 3)
    request.includesPendingChanges = false
    let result = try context.fetchResult(request)
    #expect(result.count == 1)
    #expect(context.objects(of: result).map(\.name) == ["p1"])
    request.predicate = .comparison(key: "age", .equal, .integer(2))
    let changed = try context.fetchResult(request)
    #expect(context.objects(of: changed).map(\.age) == [1])
  }

  @Test func `what is committed is fetched with its values in one statement`() throws {
    let log = LogCapture(.trace)
    let bench = try Bench(.file) { $0.logger = log.logger }
    let context = bench.child()
    for age in 1...4 { Person.named("p\(age)", age: age, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    // A context of its own, so that no row is known.
    let reader = bench.committed()
    let third = try #require(try Person.where(\.age == 3).fetchIDs(in: reader).first)
    let fault = reader.object(with: third)
    try #require(try Person.findFirst(where: \.age == 2, in: reader)).name = "edited"
    reader.processPendingChanges()
    let request = Person.where(\.age > 0).sorted(by: \.age).includingPendingChanges(false).request
    // Fixing the reader's view is a statement of its own, of another table.
    let reads = { log.lines.filter { $0.message.contains(" FROM ZPERSON") }.count }
    let before = reads()
    let found = try reader.fetch(request)
    #expect(found.map(\.isFault) == [false, false, false, false])
    #expect(found.map(\.name) == ["p1", "edited", "p3", "p4"] && found[2] === fault)
    #expect(reads() == before + 1)
  }

  @Test func `what is committed is counted by the store, and no ID is read`() throws {
    let log = LogCapture(.trace)
    let bench = try Bench(.file) { $0.logger = log.logger }
    let context = bench.child()
    for age in 1...4 { Person.named("p\(age)", age: age, in: context) }
    try context.saveAndWait(toPersistentStore: true)
    Person.named("new", age: 5, in: context)
    let people = Person.where(\.age > 1)
    #expect(try context.count(for: people.request) == 4)
    let before = log.lines.count
    #expect(try context.count(for: people.includingPendingChanges(false).request) == 3)
    let reads = log.lines.dropFirst(before).map(\.message).filter { $0.contains(" FROM ZPERSON") }
    #expect(reads.count == 1 && reads.allSatisfy { $0.contains("count(") }, "\(reads)")
  }

  @Test(arguments: StoreKind.allCases)
  func `what is gone when a result is handed over is left out`(_ kind: StoreKind) throws {
    let bench = try office(kind)
    try bench.onMain { main in
      let created = Person.named("rolled back", age: 5, in: main)
      main.processPendingChanges()
      let reader = bench.child("Query", of: main)
      let result = try reader.fetchResult(Person.where(\.age > 0).sorted(by: \.age).request)
      #expect(result.count == 5)
      main.rollback()
      try #require(try Person.findFirst(where: \.age == 1, in: main)).delete()
      let other = bench.child("Other")
      try #require(try Person.findFirst(where: \.age == 2, in: other)).delete()
      try other.saveAndWait(toPersistentStore: true)
      #expect(try main.presentObjects(of: result).map(\.age) == [3, 4])
      withExtendedLifetime(created) {}
    }
  }

  @Test @MainActor func `an asynchronous fetch gives no deleted objects`() async throws {
    let stack = try Stack(storeURL: nil, model: Office.model())
    try await Stack.$current.withValue(stack) { @MainActor in
      let victim = Person.named("victim", age: 1, in: .default)
      Person.named("other", age: 2, in: .default)
      try await ManagedObjectContext.default.save(toPersistentStore: true)
      let query = Person.where(\.age > 0)
      var isOver = false
      let fetch = Task { @MainActor in
        defer { isOver = true }
        return try await query.fetch().map(\.name)
      }
      await Task.yield()
      // The fetch has been begun; it reads in the background meanwhile. Where the main queue has much to
      // do it may be over already, and has found both.
      pause()
      let wasOver = isOver
      victim.delete()
      #expect(try await fetch.value == (wasOver ? ["victim", "other"] : ["other"]))
    }
  }

  private func pause() { Thread.sleep(forTimeInterval: 0.05) }
}
