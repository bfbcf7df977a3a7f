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
