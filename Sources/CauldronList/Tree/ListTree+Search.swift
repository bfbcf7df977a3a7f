extension ListTree {
  /// How many elements come before one, be it listed or not: O(log n) comparisons.
  package func place(of element: Element, by order: some ListOrder<Element>) -> Int {
    let (leaf, start) = leaf(for: element, by: order)
    return start + leaf.elements.partition { !order.precedes($0, element) }
  }

  /// The index of an element that is listed with the same bits.
  func index(ofListed element: Element, by order: some ListOrder<Element>) -> Int {
    let (leaf, start) = leaf(for: element, by: order)
    return leaf.elements.index(of: element).map { start + $0 } ?? place(of: element, by: order)
  }

  /// The leaf where an element lies, or would lie, and the index of its first element.
  private func leaf(
    for element: Element, by order: some ListOrder<Element>
  ) -> (leaf: ListNode<Element>, start: Int) {
    var node = root
    var start = 0
    while node.height > 0 {
      let child = node.child(for: element, by: order)
      start += node.start(of: child)
      node = node.children[child]
    }
    return (node, start)
  }

  /// The index of an element that is equal in the order; nil if none is listed.
  package func index(of element: Element, by order: some ListOrder<Element>) -> Int? {
    let place = place(of: element, by: order)
    return place < count && !order.precedes(element, self[place]) ? place : nil
  }
}

extension ListNode {
  /// The child of an inner node below which an element lies, or would lie; not before a child.
  func child(
    for element: Element, from start: Int = 0, by order: some ListOrder<Element>
  ) -> Int {
    max(start, elements.partition(from: start) { order.precedes(element, $0) } - 1)
  }
}
