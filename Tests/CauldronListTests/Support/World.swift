import CauldronList
import TestSupport

/// All elements that a query selects, changed at random.
struct World {
  private(set) var items: [Int64: Item] = [:]
  /// The keys in use are below this.
  let size: Int
  /// The sort values are below this; few of them are often equal.
  let values: Int
  private var stamp: Int32 = 0

  init(size: Int, values: Int) {
    self.size = size
    self.values = values
  }

  func sorted(by order: ItemOrder) -> [Item] { items.values.sorted { order.precedes($0, $1) } }

  /// Changes some elements, and tells of some that are the same.
  mutating func change(
    _ generator: inout SeededGenerator, count: Int
  ) -> [ListChange<Item>] {
    var changed: Set<Int64> = []
    let favoured = generator.below(6)
    for _ in 0..<count {
      let key = Int64(generator.below(size))
      change(key, generator.once(in: 2) ? favoured : generator.below(6), &generator)
      changed.insert(key)
    }
    return changed.sorted().map { ListChange($0, items[$0]) }
  }

  private mutating func change(_ key: Int64, _ kind: Int, _ generator: inout SeededGenerator) {
    stamp += 1
    switch (kind, items[key]) {
    case (0, _): items[key] = nil
    case (_, nil):
      let value = Int32(generator.below(values))
      if kind > 2 { items[key] = Item(key: key, value: value, stamp: stamp) }
    case (1, var item?):
      item.text += 1
      items[key] = item
    case (2, var item?):
      item.stamp = stamp
      items[key] = item
    case (3, var item?):
      let value = Int(item.value) + generator.below(3) - 1
      item.value = Int32(min(values - 1, max(0, value)))
      item.text = Int32(generator.below(3))
      items[key] = item
    case (_, var item?):
      item.value = Int32(generator.below(values))
      items[key] = item
    }
  }

  /// Deletes everything.
  mutating func clear() -> [ListChange<Item>] {
    defer { items = [:] }
    return items.keys.sorted().map { ListChange($0, nil) }
  }
}
