/// The children of a branch while it is being made: taken from one, given to another, by ascending
/// slot.
struct BranchSlots<Element: ListElement> {
  private(set) var bits: UInt64 = 0
  private(set) var children: [KeyNode<Element>] = []
  private(set) var count = 0
  /// The number of children that were taken.
  private var taken = 0

  init() { children.reserveCapacity(64) }

  /// The children of a branch at a level; of a node below it, the node alone.
  init(_ node: KeyNode<Element>?, _ shift: Int) {
    guard let node else { return }
    if case .branch(let branch) = node, branch.shift == shift {
      bits = branch.bits
      children = branch.children
    } else {
      bits = 1 << UInt64(KeyNode<Element>.slot(node.prefix, shift))
      children = [node]
    }
  }

  mutating func append(_ child: KeyNode<Element>, _ slot: Int) {
    bits |= 1 << UInt64(slot)
    children.append(child)
    count += child.count
  }

  /// Takes the child of a slot, all before which were taken.
  mutating func take(_ slot: Int) -> KeyNode<Element>? {
    if bits & 1 << UInt64(slot) == 0 { return nil }
    bits &= ~(1 << UInt64(slot))
    defer { taken += 1 }
    return children[taken]
  }

  /// Gives away all children before a slot.
  mutating func move(before slot: Int, to other: inout BranchSlots) {
    while bits != 0, bits.trailingZeroBitCount < slot {
      let first = bits.trailingZeroBitCount
      if let child = take(first) { other.append(child, first) }
    }
  }
}
