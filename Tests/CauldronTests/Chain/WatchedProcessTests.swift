import Cauldron
import CauldronModel
import Foundation
import Logging
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What another program commits is shown by contexts that merge, without a fetch.
@Suite(.againstHanging, .ownThread) struct WatchedProcessTests {
  private let bench: Bench
  private let other: OtherProgram
  private let ids: [ManagedObjectID]
  private var coordinator: PersistentStoreCoordinator { bench.stack.coordinator }

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    ids = ["a", "b", "c"].map { Person.named($0, in: maker).objectID }
    try maker.saveAndWait(toPersistentStore: true)
    other = OtherProgram(bench)
  }

  /// The first people as a context has read them.
  private func people(_ context: ManagedObjectContext) throws -> [Person] {
    try ids.map { id in
      let person = try #require(try Person.find(id, in: context))
      _ = person.name
      return person
    }
  }

  /// Waits for something that happens by itself.
  private func comesTrue(_ isTrue: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(10 * slack)
    while ContinuousClock.now < end {
      if try isTrue() { return true }
      usleep(2_000)
    }
    return false
  }

  @Test func `objects of the main context follow, and tell which of them have changed`() throws {
    let told = Locked<[Set<ManagedObjectID>]>([])
    let people = try bench.onMain { try self.people($0) }
    let token = bench.mainContext.observe { change in
      if change.kind == .didMerge { told.withLock { $0.append(Set(change.refreshed)) } }
    }
    coordinator.watchOthers()
    #expect(other.change(ids[0], "ZNAME = 'new'"))
    #expect(comesTrue { bench.onMain { _ in people[0].name } == "new" })
    #expect(comesTrue { told.withLock { $0 } == [[ids[0]]] })
    #expect(other.delete(ids[1]))
    #expect(comesTrue { bench.onMain { _ in people[1].isDeleted } })
    #expect(bench.onMain { _ in people[2].name } == "c")
    #expect(bench.log.messages(.debug).contains("Another process has saved"))
    coordinator.stopWatchingOthers()
    withExtendedLifetime(token) {}
  }

  @Test func `edits stay, and a context that does not merge is left alone`() throws {
    let merging = bench.child()
    merging.automaticallyMergesChangesFromParent = true
    let alone = bench.child()
    alone.automaticallyMergesChangesFromParent = false
    let first = try merging.performAndWait { _ in try people(merging) }
    let second = try alone.performAndWait { _ in try people(alone) }
    merging.performAndWait { _ in first[0].name = "mine" }
    coordinator.watchOthers()
    #expect(other.change(ids[0], "ZAGE = 7"))
    #expect(other.change(ids[1], "ZNAME = 'new'"))
    #expect(comesTrue { merging.performAndWait { _ in first[1].name } == "new" })
    merging.performAndWait { _ in #expect(first[0].name == "mine" && first[0].age == 7) }
    alone.performAndWait { _ in #expect(second[1].name == "b") }
    try merging.saveAndWait(toPersistentStore: true)
    #expect(other.change(ids[0], "ZEMAIL = ZNAME || ZAGE"))
    #expect(comesTrue { merging.performAndWait { _ in first[0].email } == "mine7" })
    coordinator.stopWatchingOthers()
  }

  @Test func `the watch lasts as long as the last who wants it, and ends with the stack`() throws {
    coordinator.watchOthers()
    coordinator.watchOthers()
    coordinator.stopWatchingOthers()
    let before = coordinator.ledger.others.count
    #expect(other.change(ids[0], "ZNAME = 'x'"))
    #expect(comesTrue { bench.log.messages(.debug).contains("Another process has saved") })
    #expect(coordinator.ledger.others.count == before + 1)
    // A fetch has nothing left to find out.
    _ = try Person.findAll(in: bench.child())
    #expect(coordinator.ledger.others.count == before + 1)
    coordinator.stopWatchingOthers()
    #expect(other.change(ids[0], "ZNAME = 'y'"))
    usleep(300_000)
    #expect(coordinator.ledger.others.count == before + 1)
    coordinator.watchOthers()
    #expect(other.change(ids[0], "ZNAME = 'z'"))
    #expect(comesTrue { coordinator.ledger.others.count > before + 1 })
    try bench.stack.close()
    coordinator.watchOthers()
    coordinator.stopWatchingOthers()
  }

  @Test func `own saves are not taken for those of others`() throws {
    coordinator.watchOthers()
    let before = coordinator.ledger.others.count
    for round in 0..<60 {
      let child = bench.child()
      for number in 0..<40 { Person.named("\(round)-\(number)", in: child) }
      try child.saveAndWait(toPersistentStore: true)
    }
    usleep(200_000)
    #expect(coordinator.ledger.others.count == before)
    coordinator.stopWatchingOthers()
  }
}
