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
  mutating func append(_ node: ListNode<Element>, _ range: Range<Int>) {
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
