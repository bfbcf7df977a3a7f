import CauldronModel
import CauldronStore
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What waits for a context until its objects see it.
@Suite struct InboxTests {
  private let factory: RowFactory
  private let root: Int32

  init() throws {
    factory = RowFactory(try TestModels.people())
    root = factory.model.entity("Person").rootNumber
  }

  private func arrival(_ key: Int64, _ reason: Arrival.Reason = .sibling) -> Arrival {
    let row = factory.row("Person", key)
    return Arrival(
      changes: ChangeSet(UInt64(key), from: factory, inserted: [row]), reason: reason)
  }

  @Test func `what arrived is taken once, in order`() {
    let inbox = Inbox()
    for key in 1...3 { inbox.append(arrival(Int64(key))) }
    let (arrivals, behind) = inbox.take()
    #expect(arrivals.map(\.changes.id) == [1, 2, 3] && behind.isEmpty)
    let rest = inbox.take()
    #expect(rest.arrivals.isEmpty && rest.behind.isEmpty)
  }

  @Test func `of too many only the keys are kept, but for what came back`() {
    let inbox = Inbox()
    let count = Int64(Inbox.limit)
    inbox.append(arrival(1, .returned))
    for key in 2...count { inbox.append(arrival(key)) }
    let returned = inbox.holdsReturned
    #expect(returned)
    inbox.append(arrival(count + 1))
    inbox.shorten()
    let (arrivals, behind) = inbox.take()
    #expect(arrivals.map(\.changes.id) == [1, UInt64(count + 1)])
    #expect(behind.keys == [root: Set(2...count)] && !behind.isEverything)
  }

  /// As where a program imports in steps, and its main queue stands still.
  @Test func `of few arrivals with very many rows none is kept for long`() {
    let inbox = Inbox(rowLimit: 60_000)
    for number in 0..<5 {
      let keys = (1...Int64(40_000)).map { Int64(number) * 100_000 + $0 }
      let rows = keys.map { factory.row("Person", $0) }
      inbox.append(
        Arrival(
          changes: ChangeSet(UInt64(number), from: factory, inserted: rows), reason: .sibling))
      inbox.shorten()
      let kept = inbox.rowCount
      #expect(kept <= 80_000)
    }
    let (arrivals, behind) = inbox.take()
    #expect(arrivals.map(\.changes.id) == [4] && behind.isEverything)
    let left = inbox.rowCount
    #expect(left == 0)
  }

  /// It is done with the ledger's lock held, which every context needs.
  @Test func `appending takes a reference alone, however much waits`() {
    let inbox = Inbox(rowLimit: 10)
    for key in 1...(2 * Int64(Inbox.limit)) { inbox.append(arrival(key)) }
    let kept = inbox.rowCount
    #expect(kept == 2 * Inbox.limit)
    inbox.shorten()
    let left = inbox.rowCount
    #expect(left == 1)
    let (arrivals, behind) = inbox.take()
    #expect(arrivals.count == 1 && behind.keys[root]?.count == 2 * Inbox.limit - 1)
  }

  @Test func `what came back takes no room from the rest`() {
    let inbox = Inbox()
    let count = Int64(Inbox.limit)
    for key in 1...count { inbox.append(arrival(key, .returned)) }
    for key in 1...count { inbox.append(arrival(count + key)) }
    let (arrivals, behind) = inbox.take()
    #expect(arrivals.count == 2 * Int(count) && behind.isEmpty)
  }

  @Test func `a rollback ends what came back`() {
    let inbox = Inbox()
    inbox.append(arrival(1, .returned))
    inbox.append(arrival(2))
    inbox.forgetReturns()
    let returned = inbox.holdsReturned
    #expect(!returned)
    let (arrivals, _) = inbox.take()
    #expect(arrivals.map(\.reason) == [.sibling])
  }

  @Test func `a closed one takes nothing`() {
    let inbox = Inbox()
    inbox.append(arrival(1))
    inbox.close()
    inbox.append(arrival(2))
    let (arrivals, _) = inbox.take()
    #expect(arrivals.isEmpty)
  }
}
