import CauldronList

/// Counts comparisons.
///
/// `@unchecked Sendable` because one test uses it in one thread.
final class Counter: @unchecked Sendable {
  var count = 0
}

struct CountingOrder: ListOrder {
  let order: ItemOrder
  let counter: Counter

  func precedes(_ a: Item, _ b: Item) -> Bool {
    counter.count += 1
    return order.precedes(a, b)
  }
}
