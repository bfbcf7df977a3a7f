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

extension ListNode {
  /// The most elements of a leaf. Half as many are the fewest, but for a tree of one leaf.
  static var mostElements: Int { 512 }
  /// The most children of an inner node. Half as many are the fewest, but for the root.
  static var mostChildren: Int { 64 }

  /// Whether the node is too small to stay as it is beside others.
  var isUnderfull: Bool {
    elements.count < (height == 0 ? Self.mostElements : Self.mostChildren) / 2
  }

  /// As few leaves as hold the elements with room for more; none for no elements.
  static func leaves(of elements: [Element]) -> [ListNode] {
    if elements.isEmpty { return [] }
    if elements.count <= mostElements { return [ListNode(elements)] }
    return pieces(elements.count, most: mostElements).map { ListNode(Array(elements[$0])) }
  }

  /// The same one level up.
  static func parents(of nodes: [ListNode]) -> [ListNode] {
    if nodes.isEmpty { return [] }
    if nodes.count <= mostChildren { return [parent(of: nodes)] }
    return pieces(nodes.count, most: mostChildren).map { parent(of: Array(nodes[$0])) }
  }

  private static func parent(of nodes: [ListNode]) -> ListNode {
    ListNode(of: nodes, firsts: nodes.map { $0.elements[0] })
  }

  /// The root above nodes that are equally high, without levels of one child.
  static func root(of nodes: [ListNode]) -> ListNode {
    var nodes = nodes
    while nodes.count > 1 { nodes = parents(of: nodes) }
    var root = nodes.first ?? ListNode([])
    while root.children.count == 1 { root = root.children[0] }
    return root
  }

  /// Ranges of equal length, to one, that are three quarters full and never less than half.
  private static func pieces(_ count: Int, most: Int) -> [Range<Int>] {
    let fill = most / 4 * 3
    let pieces = (count + fill - 1) / fill
    return (0..<pieces).map { count * $0 / pieces..<count * ($0 + 1) / pieces }
  }

  /// Neighbours of equal height, of which none is underfull in the end if there are two or more.
  static func balanced(_ nodes: [ListNode]) -> [ListNode] {
    if nodes.count < 2 || !nodes.contains(where: \.isUnderfull) { return nodes }
    var result: [ListNode] = []
    result.reserveCapacity(nodes.count + 1)
    for node in nodes {
      if let last = result.last, last.isUnderfull || node.isUnderfull {
        result.removeLast()
        result += joined(last, with: node)
      } else {
        result.append(node)
      }
    }
    return result
  }

  private static func joined(_ a: ListNode, with b: ListNode) -> [ListNode] {
    a.height == 0
      ? leaves(of: a.elements + b.elements) : parents(of: balanced(a.children + b.children))
  }
}

/// The children of an inner node while they are put together from old ones and new ones.
///
/// Their first elements are gathered beside them: to ask each child for its own would cost more than
/// all the rest.
struct ChildList<Element: ListElement> {
  private var children: [ListNode<Element>] = []
  private var firsts: [Element] = []
  /// Whether a new child is underfull.
  private var isUneven = false

  init(room: Int) {
    children.reserveCapacity(room)
    firsts.reserveCapacity(room)
  }

  /// Adds children of a node, as they are.
  mutating func append(_ node: ListNode<Element>, in range: Range<Int>) {
    children += node.children[range]
    firsts += node.elements[range]
  }

  /// Adds what became of a child.
  mutating func append(_ nodes: [ListNode<Element>]) {
    for node in nodes {
      children.append(node)
      firsts.append(node.elements[0])
      if node.isUnderfull { isUneven = true }
    }
  }

  /// The nodes above them, of which one may be underfull.
  var parents: [ListNode<Element>] {
    if isUneven || children.count > ListNode<Element>.mostChildren || children.isEmpty {
      return ListNode.parents(of: ListNode.balanced(children))
    }
    return [ListNode(of: children, firsts: firsts)]
  }
}

extension Array {
  /// The first index, not before `start`, from which on `isBehind` holds, by halving.
  @inline(__always)
  func partition(from start: Int = 0, where isBehind: (Element) -> Bool) -> Int {
    withUnsafeBufferPointer { elements in
      var low = start
      var high = elements.count
      while low < high {
        let middle = (low + high) >> 1
        if isBehind(elements[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }

  /// The same for a place that is likely near `start`: O(log of the distance).
  @inline(__always)
  func gallop(from start: Int, where isBehind: (Element) -> Bool) -> Int {
    withUnsafeBufferPointer { elements in
      var low = start
      var step = 1
      while low + step <= elements.count, !isBehind(elements[low + step - 1]) {
        low += step
        step <<= 1
      }
      var high = Swift.min(low + step - 1, elements.count)
      while low < high {
        let middle = (low + high) >> 1
        if isBehind(elements[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }

  /// The index, not before `start`, of an element that is known by its bits. Asking hundreds for
  /// these costs less than comparing a few rows, each somewhere else in memory.
  @inline(__always)
  func index(of element: Element, from start: Int = 0) -> Int? where Element: Equatable {
    withUnsafeBufferPointer { elements in
      var index = start
      while index < elements.count, elements[index] != element { index += 1 }
      return index < elements.count ? index : nil
    }
  }
}
