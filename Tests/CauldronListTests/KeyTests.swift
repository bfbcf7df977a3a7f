import TestSupport
import Testing

@testable import CauldronList

@Suite struct KeyTests {
  /// Keys that are dense, sparse, of both signs, or anything.
  private func key(_ generator: inout SeededGenerator, _ kind: Int) -> Int64 {
    switch kind {
    case 0: Int64(generator.below(3_000))
    case 1: Int64(generator.below(200)) * 1_000_003
    case 2: Int64(generator.below(4_000)) - 2_000
    case 3: Int64(bitPattern: generator.next() & ~0xFFF0_FF0F_F000)
    default: [Int64.min, .max, 0, -1, 1, 511, 512, 513, 32_767, 32_768][generator.below(10)]
    }
  }

  @Test(arguments: 0..<5)
  func randomKeysAreThoseOfADictionary(_ kind: Int) {
    var generator = SeededGenerator(seed: UInt64(kind))
    var oracle: [Int64: Item] = [:]
    var keys = ListKeys<Item>([])
    for step in 0..<200 {
      var changes: [Int64: Item?] = [:]
      let favoursRemoval = generator.once(in: 3)
      for _ in 0...generator.below(generator.once(in: 8) ? 900 : 4) {
        let key = key(&generator, kind)
        let isRemoval = generator.once(in: favoursRemoval ? 1 : 4)
        changes[key] = .some(isRemoval ? nil : Item(key: key, stamp: Int32(step)))
      }
      if favoursRemoval { for key in oracle.keys.prefix(200) { changes[key] = .some(nil) } }
      let former = keys
      keys = keys.applying(changes.map { (key: $0.key, element: $0.value) })
      let known = oracle
      for (key, item) in changes { oracle[key] = item }
      #expect(keys.count == oracle.count)
      #expect(keys.root?.faults ?? [] == [], "kind \(kind), step \(step)")
      #expect(oracle.allSatisfy { keys[$0.key] == $0.value }, "kind \(kind), step \(step)")
      #expect(changes.allSatisfy { keys[$0.key] == $0.value }, "kind \(kind), step \(step)")
      #expect(known.allSatisfy { former[$0.key] == $0.value }, "kind \(kind), step \(step)")
      let differing = Set(known.keys).union(oracle.keys).filter { known[$0] != oracle[$0] }
      #expect(Set(keys.keys(differingFrom: former)) == differing, "kind \(kind), step \(step)")
      #expect(keys.keys(differingFrom: former).count == differing.count)
    }
    #expect(keys[key(&generator, 4)] == oracle[key(&generator, 4)] || kind == 4)
  }

  @Test(arguments: [0, 1, 511, 512, 5_000, 100_000])
  func buildingFindsEachKey(_ count: Int) {
    var generator = SeededGenerator(seed: 3)
    for factor in [1, 77, 1_000_000_007] as [Int64] {
      var items = (0..<Int64(count)).map { Item(key: ($0 - 100) * factor, value: Int32($0)) }
      items.shuffle(using: &generator)
      let keys = ListKeys(items)
      #expect(keys.count == count && keys.root?.faults ?? [] == [])
      #expect(items.allSatisfy { keys[$0.key] == $0 })
      #expect(keys[Int64(count - 100) * factor] == nil && keys[-101 * factor] == nil)
      #expect(keys.keys(differingFrom: ListKeys([])).count == count)
    }
  }

  @Test func aChangeCopiesItsPagesAndBranchesOnly() {
    let keys = ListKeys((0..<100_000).map { Item(key: $0) })
    let known = Set(keys.root?.all.map(ObjectIdentifier.init) ?? [])
    let changed = keys.applying([(key: 777, element: nil), (key: 100_000, element: nil)])
    let fresh = changed.root?.all.filter { !known.contains(ObjectIdentifier($0)) } ?? []
    #expect(fresh.count { $0 is KeyPage<Item> } == 2)
    #expect(fresh.count <= 5)
  }

  @Test func pagesAreFreedWithTheLastKeys() {
    var keys: ListKeys? = ListKeys((0..<5_000).map { Item(key: $0) })
    var changed = keys?.applying([(key: 1, element: nil)])
    let references = ((keys?.root?.all ?? []) + (changed?.root?.all ?? [])).map { Weak($0) }
    keys = nil
    #expect(references.contains { $0.object == nil } && changed?.count == 4_999)
    changed = nil
    #expect(references.allSatisfy { $0.object == nil })
  }
}
