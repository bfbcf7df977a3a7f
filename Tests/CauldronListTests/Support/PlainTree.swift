import TestSupport

@testable import CauldronList

/// What a tree is compared with: an array that is edited at random.
struct PlainTree {
  private(set) var items: [Item]
  private let order: ItemOrder
  private var nextKey: Int64

  init(_ items: [Item], _ order: ItemOrder) {
    self.items = items
    self.order = order
    nextKey = (items.map(\.key).max() ?? 0) + 1
  }

  /// Edits some of the items; gives the edits, and where they are in the array as it was.
  mutating func edit(
    _ generator: inout SeededGenerator, count: Int
  ) -> (edits: [ListEdit<Item>], places: [Int]) {
    let old = items
    var edits: [ListEdit<Item>] = []
    var used: Set<Int64> = []
    let favoursRemoval = generator.once(in: 2)
    for _ in 0..<count {
      let kind = generator.below(4)
      if kind == 0 || old.isEmpty || (kind == 1 && !favoursRemoval) {
        let value = (old.last?.value ?? 5) + 2
        edits.append(.insert(Item(key: nextKey, value: .random(in: 0..<value, using: &generator))))
        nextKey += 1
        continue
      }
      let item = old[generator.below(old.count)]
      if !used.insert(item.key).inserted { continue }
      let changed = Item(key: item.key, value: item.value, text: item.text + 1)
      edits.append(kind == 2 ? .replace(item, by: changed) : .remove(item))
    }
    edits.sort { order.precedes($0.mark, $1.mark) }
    apply(edits)
    return (edits, edits.map { edit in old.partition { !order.precedes($0, edit.mark) } })
  }

  private mutating func apply(_ edits: [ListEdit<Item>]) {
    let gone = Set(edits.compactMap(\.old?.key))
    items.removeAll { gone.contains($0.key) }
    items += edits.compactMap(\.new)
    items.sort { order.precedes($0, $1) }
  }
}
