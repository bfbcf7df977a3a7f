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
    return pieces(elements.count, mostElements).map { ListNode(Array(elements[$0])) }
  }

  /// The same one level up.
  static func parents(of nodes: [ListNode]) -> [ListNode] {
    if nodes.isEmpty { return [] }
    if nodes.count <= mostChildren { return [parent(of: nodes)] }
    return pieces(nodes.count, mostChildren).map { parent(of: Array(nodes[$0])) }
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
  private static func pieces(_ count: Int, _ most: Int) -> [Range<Int>] {
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
        result += joined(last, node)
      } else {
        result.append(node)
      }
    }
    return result
  }

  private static func joined(_ a: ListNode, _ b: ListNode) -> [ListNode] {
    a.height == 0
      ? leaves(of: a.elements + b.elements) : parents(of: balanced(a.children + b.children))
  }
}
