import Cauldron
import CauldronModel
import TestSupport
import Testing

@testable import CauldronGraph
@testable import CauldronLedger

/// Where the keys of new objects come from.
@Suite(.againstHanging) struct KeySupplyTests {
  private let bench: Bench
  private let layout: EntityLayout
  private let allocator: KeyAllocator

  init() throws {
    bench = try Bench()
    let coordinator = bench.stack.coordinator
    layout = try #require(coordinator.managedObjectModel.layout(named: "Person"))
    allocator = KeyAllocator(store: coordinator.store, provisional: ProvisionalKeys())
  }

  private func supply() -> KeySupply {
    KeySupply(allocator, entityCount: bench.stack.coordinator.managedObjectModel.layouts.count)
  }

  private func id(_ key: Int64) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: layout.number, storeNumber: 1)
  }

  @Test func `more keys are asked for where none is left, and no key is given twice`() {
    var (first, second) = (supply(), supply())
    var batches = 0
    func batch() -> Int64 {
      batches += 1
      return 4
    }
    var keys: [Int64] = []
    for _ in 0..<8 {
      keys.append(first.take(for: layout, batch: batch()))
      keys.append(second.take(for: layout, batch: batch()))
    }
    #expect(Set(keys).count == 16 && keys.allSatisfy { $0 > 0 })
    #expect(batches == 4)
  }

  @Test func `what is given back is for others`() {
    var (first, second) = (supply(), supply())
    let key = first.take(for: layout, batch: 8)
    first.giveBack(bench.stack.coordinator.managedObjectModel)
    let next = second.take(for: layout, batch: 8)
    #expect(next == key + 1)
    let other = first.take(for: layout, batch: 8)
    #expect(other > next + 6)
  }

  @Test func `exchanges are followed once, and only those that came later`() {
    let keys = allocator.provisional
    let (old, older) = (keys.next(), keys.next())
    keys.add([.init(old: older, new: 70, root: 1)])
    var supply = supply()
    #expect(!supply.isBehind && supply.followed(id(old)) == id(old))
    keys.add([.init(old: old, new: 71, root: 1)])
    #expect(supply.isBehind && supply.followed(id(old)) == id(71))
    let exchanges = supply.takeExchanges()
    #expect(exchanges.map(\.new) == [71])
    #expect(!supply.isBehind && supply.followedCount == 2)
    let rest = supply.takeExchanges()
    #expect(rest.isEmpty)
  }
}
