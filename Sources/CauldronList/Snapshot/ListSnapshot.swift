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

extension ListSnapshot {
  /// The number of sections that show something; one for a list that is not divided, even if it is
  /// empty.
  package var sectionCount: Int {
    guard let sections = contents.sections else { return 1 }
    if isEmpty { return 0 }
    return sections.section(at: range.upperBound - 1) - firstSection(sections) + 1
  }

  /// The value of a section; nil for a list that is not divided.
  package func sectionValue(_ section: Int) -> Section? {
    guard let sections = contents.sections else { return nil }
    return sections[firstSection(sections) + section].value
  }

  /// The places that a section shows: O(log s).
  package func places(inSection section: Int) -> Range<Int> {
    precondition(section >= 0 && section < sectionCount, "There is no such section.")
    guard let sections = contents.sections else { return 0..<count }
    let index = firstSection(sections) + section
    let all = sections.start(of: index)..<sections.start(of: index + 1)
    let shown = all.clamped(to: range)
    return shown.lowerBound - range.lowerBound..<shown.upperBound - range.lowerBound
  }

  /// The section and item of a place: O(log s).
  package func path(of place: Int) -> ListPath {
    precondition(place >= 0 && place < count, "A place lies outside of the list.")
    guard let sections = contents.sections else { return ListPath(section: 0, item: place) }
    let index = sections.section(at: range.lowerBound + place)
    let start = max(sections.start(of: index), range.lowerBound)
    return ListPath(
      section: index - firstSection(sections), item: range.lowerBound + place - start)
  }

  /// The section value of a place; nil for a list that is not divided.
  func section(atPlace place: Int) -> Section? {
    contents.sections.map { $0[$0.section(at: range.lowerBound + place)].value }
  }

  /// The place of a section and item: O(log s).
  package func place(of path: ListPath) -> Int {
    places(inSection: path.section).lowerBound + path.item
  }

  /// The first section that shows something; there is one.
  private func firstSection(_ sections: ListSections<Section>) -> Int {
    range.lowerBound < sections.elementCount ? sections.section(at: range.lowerBound) : 0
  }
}

/// All that a list holds at one moment: its elements in order, by key and by section. It never
/// changes.
package struct ListContents<Element: ListElement, Section: Hashable & Sendable>: Sendable {
  /// The elements in order.
  package let tree: ListTree<Element>
  /// The elements by key.
  package let keys: ListKeys<Element>
  /// The sections; nil for a list that is not divided.
  package let sections: ListSections<Section>?

  /// Elements that are in order already: O(n).
  package init<Sectioning: ListSectioning<Element>>(
    sorted elements: [Element], by sectioning: Sectioning
  ) throws(RepeatedSection<Section>) where Sectioning.Section == Section {
    tree = ListTree(sorted: elements)
    keys = ListKeys(elements)
    sections = sectioning.isDivided ? try .of(elements, by: sectioning) : nil
  }

  private init(
    _ tree: ListTree<Element>, _ keys: ListKeys<Element>, _ sections: ListSections<Section>?
  ) {
    self.tree = tree
    self.keys = keys
    self.sections = sections
  }

  package var count: Int { tree.count }

  /// The same after edits, in order and one at a place: O(k log n).
  func applying<Sectioning: ListSectioning<Element>>(
    _ edits: [ListEdit<Element>], by order: some ListOrder<Element>, _ sectioning: Sectioning
  ) throws(RepeatedSection<Section>) -> ListContents where Sectioning.Section == Section {
    if edits.isEmpty { return self }
    let (tree, places) = tree.applying(edits, by: order)
    let sections = try sections?.applying(Self.changes(edits, places, by: sectioning))
    return ListContents(tree, keys.applying(Self.keyChanges(edits)), sections)
  }

  /// What edits are to the sections: nothing, if an element is replaced by one of the same section.
  private static func changes<Sectioning: ListSectioning<Element>>(
    _ edits: [ListEdit<Element>], _ places: [Int], by sectioning: Sectioning
  ) -> [SectionChange<Section>] where Sectioning.Section == Section {
    zip(edits, places).compactMap { edit, place in
      if let old = edit.old, let new = edit.new, sectioning.isTogether(old, new) { return nil }
      return SectionChange(
        place: place, isRemoval: edit.old != nil, inserted: edit.new.map(sectioning.section))
    }
  }

  /// What edits are to the keys: an element that moves is removed at one place and inserted at
  /// another, and stays.
  private static func keyChanges(
    _ edits: [ListEdit<Element>]
  ) -> [(key: Int64, element: Element?)] {
    var changes: [(key: Int64, element: Element?)] = []
    changes.reserveCapacity(edits.count)
    var moved: Set<Int64> = []
    for edit in edits {
      guard let new = edit.new else { continue }
      if edit.old == nil { moved.insert(new.key) }
      changes.append((new.key, new))
    }
    for edit in edits where edit.new == nil {
      if let old = edit.old, !moved.contains(old.key) { changes.append((old.key, nil)) }
    }
    return changes
  }
}
