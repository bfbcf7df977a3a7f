import Cauldron
import CauldronMagicalRecord
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger
@testable import CauldronSQLite

/// Nobody waits for what is none of his business.
@Suite(.againstHanging, .ownThread) struct ListClaimTestsWaiting {
  /// Has a save stand still while it has the store's lock, until `body` has run.
  private func duringSave(_ office: GatedOffice, _ body: () throws -> Void) throws {
    let (isInside, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isHeld = Locked(true)
    office.store.onMoment { moment in
      guard moment == .committing, isHeld.withLock({ $0 }) else { return }
      isInside.signal()
      _ = goOn.wait(timeout: .now() + 2 * patience)
    }
    let (child, hasEnded) = (office.child(), Locked(false))
    child.performAndWait { _ = Person.named("dan", in: $0.context) }
    Thread.detachNewThread {
      _ = try? child.saveAndWait(toPersistentStore: true)
      hasEnded.withLock { $0 = true }
    }
    #expect(isInside.wait(timeout: .now() + patience) == .success)
    defer {
      isHeld.withLock { $0 = false }
      goOn.signal()
      #expect(comesTrueSoon { hasEnded.withLock { $0 } })
    }
    try body()
  }

  @Test func `a first list is fetched while somebody else's save is being written`() throws {
    let office = try GatedOffice(.file, isWatched: true, people: ["ann", "bob"])
    let lists = Locked<[FetchedResultsController<Person>]>([])
    try duringSave(office) {
      let known = try office.onMain { main in try Person.names(in: main) }
      #expect(known == ["ann", "bob", "dan"])
      office.queue.async {
        guard let list = try? Person.fetchAll(sortedBy: \.name, in: office.main) else { return }
        lists.withLock { $0.append(list) }
      }
      #expect(comesTrueSoon { lists.withLock { !$0.isEmpty } })
    }
    #expect(comesTrueSoon { lists.withLock { $0.first?.names == ["ann", "bob", "dan"] } })
    try office.coordinator.close()
  }

  @Test func `a first number is told while somebody else's save is being written`() throws {
    let office = try GatedOffice(.file, isWatched: true, people: ["ann", "bob"])
    let numbers = Locked<[Int]>([])
    let context = office.main
    try duringSave(office) {
      Task {
        var counts = ObjectQuery<Person>().counts(in: context).makeAsyncIterator()
        if let number = try await counts.next() { numbers.withLock { $0.append(number) } }
      }
      #expect(comesTrueSoon { numbers.withLock { $0 } == [3] })
    }
    #expect(comesTrueSoon { numbers.withLock { !$0.isEmpty } })
    try office.coordinator.close()
  }

  @Test func `letting go of the last list does not wait for somebody else's commit`() throws {
    let office = try GatedOffice(.file, isWatched: true, people: ["ann", "bob"])
    let store = try #require(office.store.base as? SQLiteStore)
    let held = Locked<FetchedResultsController<Person>?>(try office.list())
    try held.withLock { $0 }?.settleAndWait()
    let (isInside, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (url, isGone) = (office.url, Locked(false))
    Thread.detachNewThread {
      guard
        let connection = try? Connection(path: url.path, mode: .readOnly, busyTimeout: 0)
      else { return }
      try? store.facts.foreign.committing(connection) {
        isInside.signal()
        _ = goOn.wait(timeout: .now() + 2 * patience)
      }
      isInside.signal()
    }
    #expect(isInside.wait(timeout: .now() + patience) == .success)
    office.queue.async {
      held.withLock { $0 = nil }
      isGone.withLock { $0 = true }
    }
    #expect(comesTrueSoon { isGone.withLock { $0 } })
    goOn.signal()
    #expect(isInside.wait(timeout: .now() + patience) == .success)
    #expect(comesTrueSoon { isGone.withLock { $0 } })
    try office.coordinator.close()
  }

  @Test func `an event does not wait for each list that fetches`() throws {
    let office = try GatedOffice(people: ["ann", "bob"])
    let lists = try (0..<20).map { _ in try office.list() }
    for list in lists { try list.settleAndWait() }
    let (isHeld, inside) = (Locked(true), Locked(0))
    office.store.onMoment { moment in
      guard moment == .reading else { return }
      inside.withLock { $0 += 1 }
      let end = ContinuousClock.now + .seconds(2 * patience)
      while isHeld.withLock({ $0 }), ContinuousClock.now < end { usleep(1_000) }
    }
    let best = try office.onMain { main in
      for list in lists { list.query = Person.where(\.age >= 0).sorted(by: \.age) }
      try #require(comesTrueSoon { inside.withLock { $0 } == lists.count })
      let times = (0..<10).map { _ in
        ContinuousClock().measure { main.processPendingChanges() }
      }
      return times.min() ?? .zero
    }
    isHeld.withLock { $0 = false }
    #expect(best < .milliseconds(5 * slack))
    #expect(comesTrueSoon { lists.allSatisfy { $0.names == ["ann", "bob"] } })
  }

  @Test func `whoever waits for the list is let go on, though others write all the time`()
    async throws
  {
    let bench = try Bench()
    let writer = bench.child("Writer")
    let list = FetchedResultsController(ObjectQuery<Person>(), in: bench.mainContext)
    let token = list.observe { _, _ in usleep(60_000) }
    try await list.performFetch()
    let (isWriting, hasEnded) = (Locked(true), Locked(false))
    let id = await writer.perform { Person.named("ann", in: $0.context).objectID }
    Thread.detachNewThread {
      var number = 0
      while isWriting.withLock({ $0 }) {
        number += 1
        writer.performAndWait { local in (local.object(with: id) as? Person)?.age = number }
        _ = try? writer.saveAndWait(toPersistentStore: true)
        usleep(1_000)
      }
      hasEnded.withLock { $0 = true }
    }
    try await Task.sleep(for: .milliseconds(100))
    let result = await answer { try await list.settled() }
    isWriting.withLock { $0 = false }
    #expect(result != nil, "it waits for those that write")
    #expect(comesTrueSoon { hasEnded.withLock { $0 } })
    withExtendedLifetime(token) {}
  }

  @Test func `a sequence of numbers ends in its pause when its task is cancelled`() throws {
    let office = try GatedOffice(people: ["ann", "bob"])
    let countings = Locked(0)
    office.store.onMoment { moment in
      guard moment == .counting else { return }
      countings.withLock { $0 += 1 }
      // The store is left to others for four times as long.
      sleep(2)
    }
    let (context, numbers, hasEnded) = (office.main, Locked<[Int]>([]), Locked(false))
    let task = Task {
      for try await number in ObjectQuery<Person>().counts(in: context) {
        numbers.withLock { $0.append(number) }
      }
      hasEnded.withLock { $0 = true }
    }
    #expect(comesTrueSoon { numbers.withLock { $0 } == [2] })
    try office.insert(["dan"])
    usleep(100_000)
    task.cancel()
    #expect(comesTrueSoon { hasEnded.withLock { $0 } })
    #expect(countings.withLock { $0 } == 1, "it has waited for the end of the pause")
  }
}
