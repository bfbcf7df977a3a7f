extension ListKeys {
  /// The keys that have another element, or none, on one of two sides, ascending as unsigned
  /// numbers. Pages that both sides share are not visited.
  ///
  /// A list tells what it touches as it goes; this is for two of which nobody knows how one became
  /// the other, as after a fetch from scratch.
  package func keys(differingFrom other: ListKeys) -> [Int64] {
    var keys: [Int64] = []
    Self.gather(root, other.root, &keys)
    return keys
  }

  private static func gather(
    _ a: KeyNode<Element>?, _ b: KeyNode<Element>?, _ keys: inout [Int64]
  ) {
    switch (a, b) {
    case (nil, nil): break
    case (let a?, nil): gatherAll(a, &keys)
    case (nil, let b?): gatherAll(b, &keys)
    case (.page(let a)?, .page(let b)?) where a.prefix == b.prefix: gatherPage(a, b, &keys)
    case (let a?, let b?):
      if a.isIdentical(to: b) { return }
      // A branch at the level that tells both apart, or at that of the higher one.
      let apart = (a.prefix ^ b.prefix) & ~(a.mask | b.mask)
      let shift = max(KeyNode<Element>.shift(of: apart), a.shift, b.shift)
      var left = BranchSlots(a, shift)
      var right = BranchSlots(b, shift)
      while left.bits | right.bits != 0 {
        let slot = (left.bits | right.bits).trailingZeroBitCount
        gather(left.take(slot), right.take(slot), &keys)
      }
    }
  }

  private static func gatherPage(
    _ a: KeyPage<Element>, _ b: KeyPage<Element>, _ keys: inout [Int64]
  ) {
    if a === b { return }
    for slot in 0..<512 {
      let key = a.prefix | UInt64(slot)
      if a.element(key) != b.element(key) { keys.append(Int64(bitPattern: key)) }
    }
  }

  private static func gatherAll(_ node: KeyNode<Element>, _ keys: inout [Int64]) {
    switch node {
    case .page(let page): keys += page.elements.map(\.key)
    case .branch(let branch): for child in branch.children { gatherAll(child, &keys) }
    }
  }
}
