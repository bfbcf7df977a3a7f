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
