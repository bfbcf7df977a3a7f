@testable import CauldronList

extension ListNode {
  /// What is wrong with the node or below it.
  func faults(isRoot: Bool = true) -> [String] {
    var faults: [String] = []
    let most = height == 0 ? Self.mostElements : Self.mostChildren
    if elements.count > most { faults.append("\(elements.count) at height \(height)") }
    if !isRoot, elements.count < most / 2 {
      faults.append("only \(elements.count) at height \(height)")
    }
    if height == 0 { return count == elements.count ? faults : faults + ["count"] }
    if isRoot, children.count < 2 { faults.append("a root of one child") }
    if elements != children.map({ $0.elements[0] }) { faults.append("first elements") }
    if ends != children.sums(of: \.count) || count != ends.last { faults.append("sums") }
    if children.contains(where: { $0.height != height - 1 }) { faults.append("heights") }
    return faults + children.flatMap { $0.faults(isRoot: false) }
  }

  /// The node and all below it.
  var all: [ListNode] { [self] + children.flatMap(\.all) }
}

extension KeyNode {
  /// The objects of the subtree.
  var all: [AnyObject] {
    switch self {
    case .page(let page): [page]
    case .branch(let branch): [branch] + branch.children.flatMap(\.all)
    }
  }

  /// What is wrong in the subtree.
  var faults: [String] {
    switch self {
    case .page(let page):
      let keys = page.elements.map { UInt64(bitPattern: $0.key) }
      let isRight = keys == keys.sorted() && keys.allSatisfy { $0 & ~511 == page.prefix }
      return isRight && !keys.isEmpty ? [] : ["page"]
    case .branch(let branch):
      var faults = branch.children.flatMap(\.faults)
      if branch.children.count < 2 { faults.append("a branch of one child") }
      if branch.count != branch.children.reduce(0, { $0 + $1.count }) { faults.append("count") }
      if branch.children.contains(where: { $0.shift >= branch.shift }) { faults.append("level") }
      return faults
    }
  }
}
