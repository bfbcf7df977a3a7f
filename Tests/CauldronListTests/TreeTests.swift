import TestSupport
import Testing

@testable import CauldronList

@Suite struct TreeTests {
  private let order = ItemOrder()

  private func items(_ count: Int, step: Int64 = 2) -> [Item] {
    (0..<Int64(count)).map { Item(key: $0 * step, value: Int32($0 / 3)) }
  }

  @Test func anEmptyTreeHasNothing() {
    let tree = ListTree<Item>()
    #expect(tree.isEmpty && tree.first == nil && tree.last == nil && Array(tree).isEmpty)
    #expect(tree.place(of: Item(key: 1), by: order) == 0)
    #expect(tree.index(of: Item(key: 1), by: order) == nil)
    #expect(tree == ListTree(sorted: []))
  }

  @Test func oneElementComesAndGoes() {
    let item = Item(key: 7, value: 1)
    let tree = ListTree().inserting(item, by: order)
    #expect(Array(tree) == [item] && tree.first == item && tree.last == item)
    let changed = Item(key: 7, value: 1, text: 2)
    #expect(Array(tree.replacing(item, by: changed, by: order)) == [changed])
    #expect(tree.removing(item, by: order).isEmpty)
    #expect(Array(tree) == [item])
  }

  @Test(arguments: [1, 2, 511, 512, 513, 769, 5_000, 32_768, 32_769, 60_000])
  func buildingFindsEachElement(_ count: Int) {
    let items = items(count)
    let tree = ListTree(sorted: items)
    #expect(tree.root.faults() == [])
    #expect(tree.count == count && Array(tree) == items && tree.last == items.last)
    for index in stride(from: 0, to: count, by: max(1, count / 97)) {
      #expect(tree[index] == items[index])
      #expect(tree.index(of: items[index], by: order) == index)
      let missing = Item(key: items[index].key + 1, value: items[index].value)
      #expect(tree.index(of: missing, by: order) == nil)
      #expect(tree.place(of: missing, by: order) == index + 1)
      let end = min(count, index + 700)
      #expect(tree.elements(in: index..<end) == Array(items[index..<end]))
    }
  }

  @Test(arguments: 1...10)
  func randomEditsAreThoseOfAnArray(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var oracle = PlainTree(items([0, 3, 600, 3_000, 40_000][Int(seed % 5)]), order)
    var tree = ListTree(sorted: oracle.items)
    for step in 0..<(oracle.items.count > 9_999 ? 40 : 120) {
      let most = max(4, generator.once(in: 6) ? oracle.items.count / 4 : oracle.items.count / 40)
      let edits = oracle.edit(&generator, count: 1 + generator.below(most))
      let (next, places) = tree.applying(edits.edits, by: order)
      #expect(places == edits.places, "seed \(seed), step \(step)")
      #expect(Array(next) == oracle.items, "seed \(seed), step \(step)")
      #expect(next.root.faults() == [], "seed \(seed), step \(step)")
      tree = next
    }
  }

  @Test func aTreeShrinksToNothingAndGrowsAgain() {
    var items = items(40_000)
    var tree = ListTree(sorted: items)
    var generator = SeededGenerator(seed: 5)
    while !items.isEmpty {
      let count = max(1, items.count / 33)
      let start = generator.below(items.count - count + 1)
      let edits = items[start..<start + count].map { ListEdit.remove($0) }
      items.removeSubrange(start..<start + count)
      tree = tree.applying(edits, by: order).tree
      if items.count % 7 == 0 { #expect(tree.root.faults() == []) }
    }
    #expect(tree.isEmpty && tree.root.height == 0)
    for key in 0..<2_000 {
      let item = Item(key: Int64(key * 7_919 % 2_000), value: 1)
      tree = tree.inserting(item, by: order)
    }
    #expect(tree.map(\.key) == Array(0..<2_000))
    #expect(tree.root.faults() == [])
  }

  @Test func anEditCopiesThePathAndNothingElse() {
    let tree = ListTree(sorted: items(60_000))
    let known = Set(tree.root.all.map(ObjectIdentifier.init))
    let edited = tree.inserting(Item(key: 30_001, value: 5_000), by: order)
    let fresh = edited.root.all.filter { !known.contains(ObjectIdentifier($0)) }
    #expect(fresh.count == tree.root.height + 1)
    let apart = [100, 30_000, 59_000].map { ListEdit.remove(tree[$0]) }
    let fewer = tree.applying(apart, by: order).tree.root.all
    let made = fewer.count { !known.contains(ObjectIdentifier($0)) }
    #expect(made <= 3 * tree.root.height + 1)
  }

  @Test func equalityLooksAtElements() {
    let items = items(40_000)
    let tree = ListTree(sorted: items)
    let extra = Item(key: 20_001, value: 9_000)
    let longer = tree.inserting(extra, by: order)
    #expect(tree != longer)
    #expect(longer.removing(extra, by: order) == tree)
    #expect(!longer.removing(extra, by: order).isIdentical(to: tree))
    let parts = items.filter { $0.key % 4 == 0 }
    var grown = ListTree(sorted: parts)
    for start in stride(from: 2, to: 80_000, by: 800) {
      let more = items.filter { $0.key % 4 == 2 && start..<start + 800 ~= Int($0.key) }
      grown = grown.applying(more.map { .insert($0) }, by: order).tree
    }
    #expect(grown.root.faults() == [])
    #expect(grown == tree)
    let other = Item(key: items[9].key, value: items[9].value, text: 1)
    #expect(grown.replacing(items[9], by: other, by: order) != tree)
  }

  @Test func nodesAreFreedWithTheLastTree() {
    var tree: ListTree? = ListTree(sorted: items(40_000))
    var references = tree?.root.all.map { Weak($0) } ?? []
    var edited = tree?.inserting(Item(key: 1, value: 0), by: order)
    references += edited?.root.all.map { Weak($0) } ?? []
    let whole = references.count
    tree = nil
    let alive = references.count { $0.object != nil }
    #expect(alive < whole && alive >= edited?.root.all.count ?? 0)
    #expect(edited?.root.faults() == [])
    edited = nil
    #expect(references.allSatisfy { $0.object == nil })
  }
}
