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
