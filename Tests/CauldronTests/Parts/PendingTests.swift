import Cauldron
import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// What waits for a context's next save.
@Suite(.againstHanging) struct PendingTests {
  private let bench: Bench
  private let people: [Person]
  private var pending = Pending()

  init() throws {
    bench = try Bench()
    let context = bench.child()
    people = (0..<3).map { Person.named("\($0)", age: 0, in: context) }
  }

  @Test mutating func `what cannot be read is kept back once, and released once`() {
    for person in [people[0], people[1], people[0]] { pending.holdBack(person) }
    #expect(pending.unread == [people[0], people[1]] && pending.count == 0)
    let releases = [pending.release(people[0]), pending.release(people[0])]
    #expect(releases == [true, false])
    let unread = pending.takeUnread()
    #expect(unread == [people[1]] && pending.unread.isEmpty)
  }

  @Test mutating func `dropped changes are settled once`() {
    let ids = people.map(\.objectID)
    #expect(!pending.hasDropped(ids[0]))
    pending.drop(ids[0])
    pending.drop(ids[1])
    #expect(pending.hasDropped(ids[0]) && !pending.hasDropped(ids[2]))
    let taken = [pending.takeDropped(), pending.takeDropped()]
    #expect(taken == [Set(ids[..<2]), []] && !pending.hasDropped(ids[0]))
  }

  @Test mutating func `dropped changes follow an exchange of keys`() {
    let keys = bench.stack.coordinator.ledger.provisional
    let old = keys.next()
    let id = people[0].objectID
    func named(_ key: Int64) -> ManagedObjectID {
      ManagedObjectID(key: key, entityNumber: id.entityNumber, storeNumber: id.storeNumber)
    }
    pending.drop(named(old))
    pending.follow(keys)
    #expect(pending.dropped == [named(old)])
    keys.add([.init(old: old, new: 5_000, root: 1)])
    pending.follow(keys)
    #expect(pending.dropped == [named(5_000)])
  }

  @Test mutating func `forgetting the edits leaves what could not be read`() {
    pending.objects = Array(people[..<2])
    pending.holdBack(people[2])
    pending.drop(people[0].objectID)
    let forgotten = pending.forgetEdits()
    #expect(forgotten == Array(people[..<2]))
    #expect(pending.count == 0 && pending.dropped.isEmpty && pending.unread == [people[2]])
  }
}
