/// A subtree of a list's keys: a page, or a branch above several.
///
/// Keys are taken as unsigned numbers, of which the lowest 9 bits choose a slot of a page, and each 6
/// more a child of a branch. Levels on which all keys agree are left out.
enum KeyNode<Element: ListElement>: Sendable {
  case page(KeyPage<Element>)
  case branch(KeyBranch<Element>)

  /// Some key of the subtree, give or take the bits that tell its own keys apart.
  var prefix: UInt64 {
    switch self {
    case .page(let page): page.prefix
    case .branch(let branch): branch.prefix
    }
  }

  /// The lowest of the bits that choose a child; 0 for a page.
  var shift: Int {
    switch self {
    case .page: 0
    case .branch(let branch): branch.shift
    }
  }

  var count: Int {
    switch self {
    case .page(let page): page.elements.count
    case .branch(let branch): branch.count
    }
  }

  func isIdentical(to other: KeyNode) -> Bool {
    switch (self, other) {
    case (.page(let a), .page(let b)): a === b
    case (.branch(let a), .branch(let b)): a === b
    case (.page, .branch), (.branch, .page): false
    }
  }

  /// Which child of a branch at a level has a key.
  static func slot(of key: UInt64, at shift: Int) -> Int {
    Int(truncatingIfNeeded: key >> shift & 63)
  }

  /// The lowest level that tells keys apart which differ in some bits.
  static func shift(of difference: UInt64) -> Int {
    if difference < 512 { return 0 }
    let highest = 63 - difference.leadingZeroBitCount
    return 9 + (highest - 9) / 6 * 6
  }
}

extension KeyNode {
  /// What becomes of a subtree by edits, ascending and one for a key; nil if nothing is left.
  static func applying(_ edits: ArraySlice<KeyEdit<Element>>, to node: KeyNode?) -> KeyNode? {
    guard let first = edits.first, let last = edits.last else { return node }
    var difference = first.key ^ last.key
    if let node { difference |= (first.key ^ node.prefix) & ~node.mask }
    let shift = max(Self.shift(of: difference), node?.shift ?? 0)
    if shift > 0 { return branch(edits, onto: node, at: shift) }
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
    _ edits: ArraySlice<KeyEdit<Element>>, onto node: KeyNode?, at shift: Int
  ) -> KeyNode? {
    var old = BranchSlots(node, shift)
    var new = BranchSlots<Element>()
    var next = edits.startIndex
    while next < edits.endIndex {
      let slot = slot(of: edits[next].key, at: shift)
      let end =
        edits[next...].firstIndex { Self.slot(of: $0.key, at: shift) != slot } ?? edits.endIndex
      old.move(before: slot, to: &new)
      if let child = applying(edits[next..<end], to: old.take(slot)) { new.append(child, at: slot) }
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
    return child(at: KeyNode<Element>.slot(of: key, at: shift))
  }

  func child(at slot: Int) -> KeyNode<Element>? {
    bits & 1 << UInt64(slot) == 0 ? nil : children[rank(slot)]
  }

  /// How many children come before a slot.
  func rank(_ slot: Int) -> Int { (bits & (1 << UInt64(slot) - 1)).nonzeroBitCount }
}

/// The elements of 512 adjacent keys, as many as there are; never changes once made.
final class KeyPage<Element: ListElement>: Sendable {
  /// The first of the keys.
  let prefix: UInt64
  /// Which keys have an element.
  let bits: InlineArray<8, UInt64>
  /// Their elements, by ascending key.
  let elements: [Element]

  init(prefix: UInt64, bits: InlineArray<8, UInt64>, elements: [Element]) {
    self.prefix = prefix
    self.bits = bits
    self.elements = elements
  }

  /// A page of keys that all lie in it, ascending; nil for none.
  init?(_ edits: ArraySlice<KeyEdit<Element>>) {
    var bits = InlineArray<8, UInt64>(repeating: 0)
    var elements: [Element] = []
    elements.reserveCapacity(edits.count)
    for edit in edits {
      guard let element = edit.element else { continue }
      bits.insert(edit.slot)
      elements.append(element)
    }
    guard let first = edits.first, !elements.isEmpty else { return nil }
    prefix = first.key & ~511
    self.bits = bits
    self.elements = elements
  }

  func element(_ key: UInt64) -> Element? {
    let slot = Int(truncatingIfNeeded: key & 511)
    if key & ~511 != prefix || !bits.contains(slot) { return nil }
    return elements[bits.rank(slot)]
  }

  /// The page after edits of its keys, ascending; nil if nothing is left.
  func applying(_ edits: ArraySlice<KeyEdit<Element>>) -> KeyPage? {
    var bits = bits
    var result: [Element] = []
    result.reserveCapacity(elements.count + edits.count)
    var done = 0
    for edit in edits {
      let rank = self.bits.rank(edit.slot)
      result += elements[done..<rank]
      done = self.bits.contains(edit.slot) ? rank + 1 : rank
      if let element = edit.element {
        bits.insert(edit.slot)
        result.append(element)
      } else {
        bits.remove(edit.slot)
      }
    }
    result += elements[done...]
    return result.isEmpty ? nil : KeyPage(prefix: prefix, bits: bits, elements: result)
  }
}

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
      bits = 1 << UInt64(KeyNode<Element>.slot(of: node.prefix, at: shift))
      children = [node]
    }
  }

  mutating func append(_ child: KeyNode<Element>, at slot: Int) {
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
      if let child = take(first) { other.append(child, at: first) }
    }
  }
}

// The bits of a page's keys.
extension InlineArray where Element == UInt64 {
  func contains(_ bit: Int) -> Bool { self[bit >> 6] & 1 << UInt64(bit & 63) != 0 }

  mutating func insert(_ bit: Int) { self[bit >> 6] |= 1 << UInt64(bit & 63) }

  mutating func remove(_ bit: Int) { self[bit >> 6] &= ~(1 << UInt64(bit & 63)) }

  /// How many bits are set before one.
  func rank(_ bit: Int) -> Int {
    var sum = (self[bit >> 6] & (1 << UInt64(bit & 63) - 1)).nonzeroBitCount
    for word in 0..<bit >> 6 { sum += self[word].nonzeroBitCount }
    return sum
  }
}
