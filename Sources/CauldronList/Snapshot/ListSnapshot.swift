/// What a list shows at one moment: all that it holds, or a slice of it. It never changes, and costs
/// nothing to take.
package struct ListSnapshot<Element: ListElement, Section: Hashable & Sendable>: Sendable {
  package let contents: ListContents<Element, Section>
  /// Which of the elements are shown.
  package let range: Range<Int>

  /// A slice; the range lies within the contents.
  package init(_ contents: ListContents<Element, Section>, range: Range<Int>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= contents.count, "A range exceeds the list.")
    self.contents = contents
    self.range = range
  }

  package init(_ contents: ListContents<Element, Section>) {
    self.init(contents, range: 0..<contents.count)
  }

  package var count: Int { range.count }

  package var isEmpty: Bool { range.isEmpty }

  /// Whether two snapshots are one and the same, which costs nothing to ask.
  package func isIdentical(to other: ListSnapshot) -> Bool {
    range == other.range && contents.tree.isIdentical(to: other.contents.tree)
  }

  /// The element at a place, counted from the first that is shown: O(log n).
  package subscript(place: Int) -> Element { contents.tree[range.lowerBound + place] }

  /// The elements of a range of places.
  package func elements(in places: Range<Int>) -> [Element] {
    contents.tree.elements(
      in: range.lowerBound + places.lowerBound..<range.lowerBound + places.upperBound)
  }

  /// The elements that are shown: O(n).
  package var elements: [Element] { contents.tree.elements(in: range) }

  /// The element of a key, if it is shown: O(log n) comparisons.
  package func element(_ key: Int64, by order: some ListOrder<Element>) -> Element? {
    place(of: key, by: order).flatMap { _ in contents.keys[key] }
  }

  /// The place of a key, if it is shown: O(log n) comparisons.
  package func place(of key: Int64, by order: some ListOrder<Element>) -> Int? {
    guard let element = contents.keys[key] else { return nil }
    return shownPlace(of: contents.tree.index(ofListed: element, by: order))
  }

  /// The place of an index of all that is held, if it is shown.
  func shownPlace(of index: Int) -> Int? {
    range.contains(index) ? index - range.lowerBound : nil
  }
}
