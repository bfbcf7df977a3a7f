/// The elements of a list by key, in pages of 512 keys: a persistent tree of bits.
///
/// It is a value that never changes. An edit makes another one that shares all pages but those of
/// the keys that were edited.
package struct ListKeys<Element: ListElement>: Sendable {
  let root: KeyNode<Element>?

  init(root: KeyNode<Element>?) { self.root = root }

  /// The elements by their keys, in any order: O(n).
  package init(_ elements: [Element]) {
    var edits = elements.map { KeyEdit($0.key, $0) }
    edits.sortByKey()
    root = KeyNode.applying(edits[...], to: nil)
  }

  package var count: Int { root?.count ?? 0 }

  /// The element of a key: a step for each 6 bits by which keys differ.
  package subscript(key: Int64) -> Element? {
    let key = UInt64(bitPattern: key)
    var node = root
    while case .branch(let branch) = node { node = branch.child(for: key) }
    guard case .page(let page) = node else { return nil }
    return page.element(key)
  }

  /// The same with other elements for keys, or none for a key; each key comes once.
  package func applying(_ changes: some Sequence<(key: Int64, element: Element?)>) -> ListKeys {
    var edits = changes.map { KeyEdit($0.key, $0.element) }
    edits.sortByKey()
    return ListKeys(root: edits.isEmpty ? root : KeyNode.applying(edits[...], to: root))
  }
}

extension ListKeys {
  /// The keys that have another element, or none, on one of two sides, ascending as unsigned
  /// numbers. Pages that both sides share are not visited.
  ///
  /// A list tells what it touches as it goes; this is for two of which nobody knows how one became
  /// the other, as after a fetch from scratch.
  package func keys(differingFrom other: ListKeys) -> [Int64] {
    var keys: [Int64] = []
    Self.gather(root, and: other.root, into: &keys)
    return keys
  }

  private static func gather(
    _ a: KeyNode<Element>?, and b: KeyNode<Element>?, into keys: inout [Int64]
  ) {
    switch (a, b) {
    case (nil, nil): break
    case (let a?, nil): gatherAll(a, into: &keys)
    case (nil, let b?): gatherAll(b, into: &keys)
    case (.page(let a)?, .page(let b)?) where a.prefix == b.prefix:
      gatherPage(a, and: b, into: &keys)
    case (let a?, let b?):
      if a.isIdentical(to: b) { return }
      // A branch at the level that tells both apart, or at that of the higher one.
      let apart = (a.prefix ^ b.prefix) & ~(a.mask | b.mask)
      let shift = max(KeyNode<Element>.shift(of: apart), a.shift, b.shift)
      var left = BranchSlots(a, shift)
      var right = BranchSlots(b, shift)
      while left.bits | right.bits != 0 {
        let slot = (left.bits | right.bits).trailingZeroBitCount
        gather(left.take(slot), and: right.take(slot), into: &keys)
      }
    }
  }

  private static func gatherPage(
    _ a: KeyPage<Element>, and b: KeyPage<Element>, into keys: inout [Int64]
  ) {
    if a === b { return }
    for slot in 0..<512 {
      let key = a.prefix | UInt64(slot)
      if a.element(key) != b.element(key) { keys.append(Int64(bitPattern: key)) }
    }
  }

  private static func gatherAll(_ node: KeyNode<Element>, into keys: inout [Int64]) {
    switch node {
    case .page(let page): keys += page.elements.map(\.key)
    case .branch(let branch): for child in branch.children { gatherAll(child, into: &keys) }
    }
  }
}

/// What becomes of a key: it gets an element, or has none any more.
struct KeyEdit<Element: ListElement>: Sendable {
  let key: UInt64
  let element: Element?

  init(_ key: Int64, _ element: Element?) {
    self.key = UInt64(bitPattern: key)
    self.element = element
  }

  /// Where in its page the key lies.
  var slot: Int { Int(truncatingIfNeeded: key & 511) }
}

extension Array {
  /// Sorts edits by unsigned key, stably: by comparing if they are few, else by 11 bits at a time.
  mutating func sortByKey<E: ListElement>() where Element == KeyEdit<E> {
    if !isOutOfOrder() { return }
    if count < 512 { return sort { $0.key < $1.key } }
    let first = self[0].key
    let difference = reduce(0) { $0 | ($1.key ^ first) }
    var other = self
    var shift: UInt64 = 0
    // The bits above are equal in all keys, and so change nothing.
    while shift < 64, difference >> shift != 0 {
      scatter(to: &other, shift)
      swap(&self, &other)
      shift += 11
    }
  }

  private func isOutOfOrder<E: ListElement>() -> Bool where Element == KeyEdit<E> {
    withUnsafeBufferPointer { edits in
      for index in 1..<Swift.max(1, edits.count) {
        if edits[index - 1].key >= edits[index].key { return true }
      }
      return false
    }
  }

  private func scatter<E: ListElement>(to other: inout [Element], _ shift: UInt64)
  where Element == KeyEdit<E> {
    var places = [Int](repeating: 0, count: 2_048)
    for edit in self { places[Int(edit.key >> shift & 2_047)] += 1 }
    var sum = 0
    for digit in places.indices {
      let count = places[digit]
      places[digit] = sum
      sum += count
    }
    for edit in self {
      let digit = Int(edit.key >> shift & 2_047)
      other[places[digit]] = edit
      places[digit] += 1
    }
  }
}
