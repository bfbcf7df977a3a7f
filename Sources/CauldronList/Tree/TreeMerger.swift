/// Brings edits into a tree, in one pass over the nodes that they meet.
struct TreeMerger<Order: ListOrder> {
  typealias Element = Order.Element
  typealias Node = ListNode<Element>

  let edits: [ListEdit<Element>]
  let order: Order
  /// Where in the tree as it was the edits lie that were brought in.
  private(set) var places: [Int] = []

  init(edits: [ListEdit<Element>], order: Order) {
    self.edits = edits
    self.order = order
    places.reserveCapacity(edits.count)
  }

  /// What becomes of a node whose first element has the index `start`: nodes of the same height, of
  /// which one may be underfull.
  mutating func nodes(of node: Node, with range: Range<Int>, from start: Int) -> [Node] {
    if node.height == 0 { return Node.leaves(of: merge(node.elements, with: range, from: start)) }
    var children = ChildList<Element>(room: node.children.count + 1)
    var done = 0
    var next = range.lowerBound
    while next < range.upperBound {
      let child = node.child(for: edits[next].mark, from: done, by: order)
      let end = self.end(of: child, in: node, from: next, limit: range.upperBound)
      children.append(node, in: done..<child)
      children.append(
        nodes(of: node.children[child], with: next..<end, from: start + node.start(of: child)))
      next = end
      done = child + 1
    }
    children.append(node, in: done..<node.children.count)
    return children.parents
  }

  /// The end of the edits that belong to a child, of which there is one.
  private func end(of child: Int, in node: Node, from next: Int, limit: Int) -> Int {
    if child + 1 == node.children.count || limit == next + 1 { return limit }
    let border = node.elements[child + 1]
    let end = edits.gallop(from: next + 1) { !order.precedes($0.mark, border) }
    return min(end, limit)
  }

  /// Elements that are in order, the first of which has the index `start`, after edits.
  mutating func merge(_ elements: [Element], with range: Range<Int>, from start: Int) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(elements.count + edits[range].reduce(0) { $0 + max(0, $1.growth) })
    var done = 0
    for edit in edits[range] {
      let place = place(of: edit, in: elements, from: done)
      result += elements[done..<place]
      places.append(start + place)
      if let new = edit.new { result.append(new) }
      done = edit.old == nil ? place : place + 1
      assert(edit.old == nil || edit.old == elements[place], "An edit removes what is not there.")
    }
    result += elements[done...]
    return result
  }

  private func place(of edit: ListEdit<Element>, in elements: [Element], from start: Int) -> Int {
    if let old = edit.old, let place = elements.index(of: old, from: start) { return place }
    let mark = edit.mark
    return elements.count - start > 2 * Node.mostElements
      ? elements.gallop(from: start) { !order.precedes($0, mark) }
      : elements.partition(from: start) { !order.precedes($0, mark) }
  }
}
