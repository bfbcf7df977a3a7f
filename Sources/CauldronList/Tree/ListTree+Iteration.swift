extension ListTree: Sequence {
  /// Walks a range leaf by leaf; it finds each leaf from the root anew, and so needs no stack.
  package struct Iterator: IteratorProtocol {
    private let tree: ListTree
    private let end: Int
    private var index: Int
    private var elements: [Element] = []
    /// The index of the first element of the leaf.
    private var start = 0

    init(_ tree: ListTree, _ range: Range<Int>) {
      self.tree = tree
      index = range.lowerBound
      end = range.upperBound
    }

    package mutating func next() -> Element? {
      if index == end { return nil }
      if index - start >= elements.count {
        let found = tree.leaf(at: index)
        elements = found.leaf.elements
        start = found.start
      }
      defer { index += 1 }
      return elements[index - start]
    }
  }

  package func makeIterator() -> Iterator { Iterator(self, 0..<count) }

  package var underestimatedCount: Int { count }

  /// The elements of a range that there is.
  package func elements(in range: Range<Int>) -> [Element] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "A range exceeds the list.")
    var result: [Element] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let (leaf, start) = leaf(at: index)
      let end = Swift.min(start + leaf.count, range.upperBound)
      result += leaf.elements[index - start..<end - start]
      index = end
    }
    return result
  }
}
