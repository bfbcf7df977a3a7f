/// Up to 64 subtrees of keys, told apart by 6 bits; never changes once made.
final class KeyBranch<Element: ListElement>: Sendable {
  /// The lowest of the 6 bits.
  let shift: Int
  /// The bits that all keys have in common above these.
  let prefix: UInt64
  /// Which slots have a child.
  let bits: UInt64
  let children: [KeyNode<Element>]
  /// The number of elements.
  let count: Int

  init(shift: Int, key: UInt64, bits: UInt64, children: [KeyNode<Element>], count: Int) {
    self.shift = shift
    // A shift by all 64 bits or more gives 0.
    prefix = key & (UInt64.max << UInt64(shift + 6))
    self.bits = bits
    self.children = children
    self.count = count
  }

  /// The child that may have a key.
  func child(for key: UInt64) -> KeyNode<Element>? {
    if (key ^ prefix) >> UInt64(shift + 6) != 0 { return nil }
    return child(at: KeyNode<Element>.slot(key, shift))
  }

  func child(at slot: Int) -> KeyNode<Element>? {
    bits & 1 << UInt64(slot) == 0 ? nil : children[rank(slot)]
  }

  /// How many children come before a slot.
  func rank(_ slot: Int) -> Int { (bits & (1 << UInt64(slot) - 1)).nonzeroBitCount }
}
