/// A node of a counted B-tree: a leaf of elements, or an inner node of nodes that are all equally
/// high.
///
/// It never changes once made. That is why trees share nodes, and threads read them without locks.
package final class ListNode<Element: ListElement>: Sendable {
  /// The levels below: 0 for a leaf.
  let height: Int
  /// The number of elements in all leaves below.
  let count: Int
  /// A leaf's elements; of an inner node, the first element below each child.
  let elements: [Element]
  /// Of an inner node, how many elements lie below each child and those before it.
  let ends: [Int]
  /// The children of an inner node; empty for a leaf.
  let children: [ListNode]

  /// A leaf.
  init(_ elements: [Element]) {
    height = 0
    count = elements.count
    self.elements = elements
    ends = []
    children = []
  }

  /// An inner node of children that are not empty, and whose first elements are given.
  init(of children: [ListNode], firsts: [Element]) {
    height = children[0].height + 1
    self.children = children
    elements = firsts
    var sum = 0
    ends = Array(unsafeUninitializedCapacity: children.count) { ends, size in
      for child in children {
        sum += child.count
        (ends.baseAddress.unsafelyUnwrapped + size).initialize(to: sum)
        size += 1
      }
    }
    count = sum
  }

  /// How many elements lie below the children before one.
  func start(of child: Int) -> Int { child == 0 ? 0 : ends[child - 1] }
}
