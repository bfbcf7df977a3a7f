extension KeyNode {
  /// What becomes of a subtree by edits, ascending and one for a key; nil if nothing is left.
  static func applying(_ edits: ArraySlice<KeyEdit<Element>>, to node: KeyNode?) -> KeyNode? {
    guard let first = edits.first, let last = edits.last else { return node }
    var difference = first.key ^ last.key
    if let node { difference |= (first.key ^ node.prefix) & ~node.mask }
    let shift = max(Self.shift(of: difference), node?.shift ?? 0)
    if shift > 0 { return branch(edits, node, shift) }
    guard case .page(let page) = node else { return KeyPage(edits).map(KeyNode.page) }
    return page.applying(edits).map(KeyNode.page)
  }

  /// The bits that tell the keys of the subtree apart.
  var mask: UInt64 {
    switch self {
    case .page: 511
    case .branch(let branch): ~(UInt64.max << UInt64(branch.shift + 6))
    }
  }

  /// A branch at a level that is not below the node's own.
  private static func branch(
    _ edits: ArraySlice<KeyEdit<Element>>, _ node: KeyNode?, _ shift: Int
  ) -> KeyNode? {
    var old = BranchSlots(node, shift)
    var new = BranchSlots<Element>()
    var next = edits.startIndex
    while next < edits.endIndex {
      let slot = slot(edits[next].key, shift)
      let end = edits[next...].firstIndex { Self.slot($0.key, shift) != slot } ?? edits.endIndex
      old.move(before: slot, to: &new)
      if let child = applying(edits[next..<end], to: old.take(slot)) { new.append(child, slot) }
      next = end
    }
    old.move(before: 64, to: &new)
    if new.children.count < 2 { return new.children.first }
    return .branch(
      KeyBranch(
        shift: shift, key: edits[edits.startIndex].key, bits: new.bits, children: new.children,
        count: new.count))
  }
}
