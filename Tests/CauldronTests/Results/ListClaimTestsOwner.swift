import Cauldron
import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// A list tells on the thread that its context belongs to.
@Suite(.againstHanging, .ownThread) struct ListClaimTestsOwner {
  private let bench: Bench

  init() throws {
    bench = try Bench(.file)
    let maker = bench.child()
    for name in ["ann", "bob", "cid"] { Person.named(name, in: maker) }
    try maker.saveAndWait(toPersistentStore: true)
  }

  /// Counts the calls of a list's observer on other threads than the one that asks for it.
  private func strangers(
    _ list: FetchedResultsController<Person>
  ) -> (token: FetchedResultsObservation, count: Locked<Int>) {
    let here = Scheduler.thread
    let count = Locked(0)
    let token = list.observe { _, _ in
      if Scheduler.thread != here { count.withLock { $0 += 1 } }
    }
    return (token, count)
  }

  private func commitElsewhere(_ name: String) throws {
    let sibling = bench.child("Sibling")
    Person.named(name, in: sibling)
    try sibling.saveAndWait(toPersistentStore: true)
  }

  @Test func `a list in a context that a thread has claimed tells on that thread alone`() throws {
    let context = bench.child()
    let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.name), in: context)
    let (token, count) = strangers(list)
    try list.performFetchAndWait()
    guard context.core.ownership.isClaimedByCaller else { return }
    let ann = try #require(list.fetchedObjects?.first)
    ann.age = 99
    try commitElsewhere("dan")
    #expect(!comesTrueSoon(within: 0.5) { count.withLock { $0 } > 0 })
    ann.name = "amy"
    let isRight = comesTrueSoon {
      context.processPendingChanges()
      return list.names == ["amy", "bob", "cid", "dan"]
    }
    #expect(isRight)
    withExtendedLifetime(token) {}
  }

  @Test func `half an edit is not published by a list`() throws {
    let context = bench.child()
    let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.name), in: context)
    try list.performFetchAndWait()
    guard context.core.ownership.isClaimedByCaller else { return }
    let ann = try #require(list.fetchedObjects?.first)
    ann.name = "half"
    try commitElsewhere("dan")
    let ledger = bench.stack.coordinator.ledger
    let node = context.core.node
    #expect(!comesTrueSoon(within: 0.5) { ledger.withLock { !node.layers.isEmpty } })
    withExtendedLifetime((list, context)) {}
  }

  @Test func `a list in a context without a queue is refused, or tells on its thread alone`() throws
  {
    let context = ManagedObjectContext(Confined.source.type, parent: bench.root)
    let list = FetchedResultsController(ObjectQuery<Person>().sorted(by: \.name), in: context)
    let (token, count) = strangers(list)
    do {
      try list.performFetchAndWait()
    } catch is CauldronError {
      return
    }
    try commitElsewhere("dan")
    #expect(!comesTrueSoon(within: 0.5) { count.withLock { $0 } > 0 })
    withExtendedLifetime(token) {}
  }
}

/// The deprecated type, without the warning.
private protocol ConfinementSource {
  static var type: ManagedObjectContext.ConcurrencyType { get }
}

private enum Confined: ConfinementSource {
  @available(*, deprecated)
  static var type: ManagedObjectContext.ConcurrencyType { .confinement }

  static var source: any ConfinementSource.Type { Confined.self }
}
