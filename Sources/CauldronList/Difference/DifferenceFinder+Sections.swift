extension DifferenceFinder {
  /// Finds the sections that came and went: of all whose shown elements have all changed, those
  /// whose value the other side does not show.
  mutating func findSections() {
    let before = Touched(old, difference.deletions.map(\.place) + kept.map(\.from))
    let after = Touched(new, difference.insertions.map(\.place) + kept.map(\.to))
    difference.sectionDeletions = before.sections(missingFrom: after)
    difference.sectionInsertions = after.sections(missingFrom: before)
  }

  /// The sections that have changed elements, on one side.
  private struct Touched {
    /// The number of changed elements by section.
    private var counts: [Int: Int] = [:]
    private var values: Set<Section> = []
    private let snapshot: ListSnapshot<Element, Section>

    init(_ snapshot: ListSnapshot<Element, Section>, _ places: [Int]) {
      self.snapshot = snapshot
      for place in places { counts[snapshot.path(of: place).section, default: 0] += 1 }
      for section in counts.keys { snapshot.sectionValue(section).map { _ = values.insert($0) } }
    }

    /// An unchanged element is in the same section on both sides, and shows that it is there.
    func sections(missingFrom other: Touched) -> [Int] {
      counts.compactMap { section, count in
        guard count == snapshot.places(inSection: section).count,
          let value = snapshot.sectionValue(section)
        else { return nil }
        return other.values.contains(value) ? nil : section
      }.sorted()
    }
  }
}
