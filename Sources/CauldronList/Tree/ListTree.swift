/// Elements in an order, each to be found by its index: a persistent counted B-tree.
///
/// It is a value that never changes. An edit makes another tree that shares all nodes off the path
/// to the edit: a few microseconds for any number of elements. Whoever keeps an old tree keeps the
/// leaves that differ.
package struct ListTree<Element: ListElement>: Sendable {
  let root: ListNode<Element>

  init(root: ListNode<Element>) { self.root = root }

  package init() { root = ListNode([]) }

  /// Elements that are in order already: O(n).
  package init(sorted elements: [Element]) {
    root = ListNode.root(of: ListNode.leaves(of: elements))
  }

  /// The number of elements.
  package var count: Int { root.count }

  package var isEmpty: Bool { root.count == 0 }

  package var first: Element? { root.elements.first }

  package var last: Element? { isEmpty ? nil : self[count - 1] }

  /// The element at an index that there is: O(log n).
  package subscript(index: Int) -> Element {
    let (leaf, start) = leaf(at: index)
    return leaf.elements[index - start]
  }

  /// Whether two trees are one and the same, which costs nothing to ask.
  package func isIdentical(to other: ListTree) -> Bool { root === other.root }

  /// The leaf that has an index, and the index of its first element.
  func leaf(at index: Int) -> (leaf: ListNode<Element>, start: Int) {
    precondition(index >= 0 && index < count, "An index lies outside of the list.")
    var node = root
    var start = 0
    while node.height > 0 {
      let child = node.ends.partition { $0 > index - start }
      start += node.start(of: child)
      node = node.children[child]
    }
    return (node, start)
  }
}

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

extension ListTree: Sequence {
  /// Walks a range leaf by leaf; it finds each leaf from the root anew, and so needs no stack.
  package struct Iterator: IteratorProtocol {
    private let tree: ListTree
    private let end: Int
    private var index: Int
    private var elements: [Element] = []
    /// The index of the first element of the leaf.
    private var start = 0

    init(_ tree: ListTree, _ range: Range<Int>) {
      self.tree = tree
      index = range.lowerBound
      end = range.upperBound
    }

    package mutating func next() -> Element? {
      if index == end { return nil }
      if index - start >= elements.count {
        let found = tree.leaf(at: index)
        elements = found.leaf.elements
        start = found.start
      }
      defer { index += 1 }
      return elements[index - start]
    }
  }

  package func makeIterator() -> Iterator { Iterator(self, 0..<count) }

  package var underestimatedCount: Int { count }

  /// The elements of a range that there is.
  package func elements(in range: Range<Int>) -> [Element] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "A range exceeds the list.")
    var result: [Element] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let (leaf, start) = leaf(at: index)
      let end = Swift.min(start + leaf.count, range.upperBound)
      result += leaf.elements[index - start..<end - start]
      index = end
    }
    return result
  }
}

extension ListTree {
  /// The tree after edits, each at another place and in the order of the list, and where in this
  /// tree they lie.
  ///
  /// Each node on the way to an edit is made anew once, whatever the number of edits in it: O(k log
  /// n). Where there are many the whole tree is, and gets its room for more again.
  package func applying<Order: ListOrder<Element>>(
    _ edits: [ListEdit<Element>], by order: Order
  ) -> (tree: ListTree, places: [Int]) {
    var merger = TreeMerger(edits: edits, order: order)
    if edits.isEmpty { return (self, []) }
    if edits.count > count / 32 {
      let merged = merger.merge(elements(in: 0..<count), with: edits.indices, from: 0)
      return (ListTree(sorted: merged), merger.places)
    }
    let nodes = merger.nodes(of: root, with: edits.indices, from: 0)
    return (ListTree(root: .root(of: nodes)), merger.places)
  }

  /// The tree with one more element.
  package func inserting(_ element: Element, by order: some ListOrder<Element>) -> ListTree {
    applying([.insert(element)], by: order).tree
  }

  /// The tree without an element that it has.
  package func removing(_ element: Element, by order: some ListOrder<Element>) -> ListTree {
    applying([.remove(element)], by: order).tree
  }

  /// The tree with an element in place of one that is equal in the order.
  package func replacing(
    _ old: Element, by new: Element, by order: some ListOrder<Element>
  ) -> ListTree {
    applying([.replace(old, by: new)], by: order).tree
  }
}

extension ListTree: Equatable {
  /// Whether the elements are the same. Nodes that both trees share are not visited.
  package static func == (a: ListTree, b: ListTree) -> Bool {
    if a.count != b.count { return false }
    var index = 0
    while index < a.count {
      let (nodes, left) = a.nodes(at: index)
      let (others, right) = b.nodes(at: index)
      if let shared = nodes.first(where: { node in others.contains { $0 === node } }) {
        index += shared.count
      } else if left.prefix(right.count) == right.prefix(left.count) {
        index += Swift.min(left.count, right.count)
      } else {
        return false
      }
    }
    return true
  }

  /// The nodes that begin at an index, highest first, and what its leaf has from there on.
  private func nodes(at index: Int) -> ([ListNode<Element>], ArraySlice<Element>) {
    var nodes: [ListNode<Element>] = []
    var node = root
    var rest = index
    while true {
      if rest == 0 { nodes.append(node) }
      if node.height == 0 { return (nodes, node.elements[rest...]) }
      let child = node.ends.partition { $0 > rest }
      rest -= node.start(of: child)
      node = node.children[child]
    }
  }
}

/// One change of a list at one place of its order.
///
/// With `new` alone it inserts, with `old` alone it removes, with both it replaces: then both are
/// equal in the order. An element whose place changes takes two edits.
package struct ListEdit<Element: ListElement>: Sendable {
  package let old: Element?
  package let new: Element?

  package static func insert(_ element: Element) -> Self { Self(old: nil, new: element) }

  package static func remove(_ element: Element) -> Self { Self(old: element, new: nil) }

  package static func replace(_ old: Element, by new: Element) -> Self { Self(old: old, new: new) }

  /// By how much the list grows.
  var growth: Int { (new == nil ? 0 : 1) - (old == nil ? 0 : 1) }

  /// An element that lies where the edit does.
  var mark: Element { (old ?? new).unsafelyUnwrapped }
}

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
