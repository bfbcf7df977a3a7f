/// Finds what has changed between two snapshots whose changed elements are known by key.
struct DifferenceFinder<Order: ListOrder, Section: Hashable & Sendable> {
  typealias Element = Order.Element

  let old: ListSnapshot<Element, Section>
  let new: ListSnapshot<Element, Section>
  let order: Order
  var difference = ListDifference()
  /// The changed elements that both snapshots show.
  var kept: [ListDifference.Step] = []
  /// The changed elements of all that is held, seen from both sides.
  private(set) var oldChanges = ChangedPlaces([])
  private(set) var newChanges = ChangedPlaces([])

  init(
    _ old: ListSnapshot<Element, Section>, _ new: ListSnapshot<Element, Section>, _ order: Order
  ) {
    self.old = old
    self.new = new
    self.order = order
  }

  /// - Parameters:
  ///   - keys: The keys whose elements differ, each once.
  ///   - marks: The keys of elements that do not, to be told as updates.
  ///   - most: The number of changes above which there is only a reload.
  mutating func find(_ keys: [Int64], marks: [Int64], most: Int) {
    locate(keys)
    if difference.count + kept.count + crossingCount > most {
      difference = .reload
      return
    }
    findCrossings()
    if old.contents.sections != nil { findSections() }
    sortKept()
    for key in marks { mark(key) }
    difference.deletions.sort { $0.place < $1.place }
    difference.insertions.sort { $0.place < $1.place }
    difference.updates.sort { $0.to < $1.to }
  }

  /// Finds the elements on both sides, and what came and went because of its change.
  private mutating func locate(_ keys: [Int64]) {
    var oldPlaces: [Int] = []
    var newPlaces: [Int] = []
    for key in keys {
      let from = Self.index(of: key, in: old, order)
      let to = Self.index(of: key, in: new, order)
      if let from { oldPlaces.append(from) }
      if let to { newPlaces.append(to) }
      tell(key, from.flatMap(old.shownPlace(of:)), to.flatMap(new.shownPlace(of:)))
    }
    oldChanges = ChangedPlaces(oldPlaces)
    newChanges = ChangedPlaces(newPlaces)
  }

  private static func index(
    of key: Int64, in snapshot: ListSnapshot<Element, Section>, _ order: Order
  ) -> Int? {
    snapshot.contents.keys[key].map { snapshot.contents.tree.index(ofListed: $0, by: order) }
  }

  private mutating func tell(_ key: Int64, _ from: Int?, _ to: Int?) {
    switch (from, to) {
    case (nil, nil): break
    case (let from?, nil): difference.deletions.append(.init(key: key, place: from))
    case (nil, let to?): difference.insertions.append(.init(key: key, place: to))
    case (let from?, let to?): kept.append(.init(key: key, from: from, to: to))
    }
  }

  /// Finds the unchanged elements that others have pushed out of the slice, or pulled into it.
  private mutating func findCrossings() {
    let (before, after) = ranks
    for range in before.subtracting(after) {
      for index in oldChanges.places(of: range) {
        let key = old.contents.tree[index].key
        difference.deletions.append(.init(key: key, place: index - old.range.lowerBound))
      }
    }
    for range in after.subtracting(before) {
      for index in newChanges.places(of: range) {
        let key = new.contents.tree[index].key
        difference.insertions.append(.init(key: key, place: index - new.range.lowerBound))
      }
    }
  }

  private var crossingCount: Int {
    let (before, after) = ranks
    return (before.subtracting(after) + after.subtracting(before)).reduce(0) { $0 + $1.count }
  }

  /// The ranks of the unchanged elements that each snapshot shows.
  var ranks: (before: Range<Int>, after: Range<Int>) {
    (oldChanges.ranks(of: old.range), newChanges.ranks(of: new.range))
  }

  private mutating func mark(_ key: Int64) {
    guard let from = old.place(of: key, by: order), let to = new.place(of: key, by: order) else {
      return
    }
    difference.updates.append(.init(key: key, from: from, to: to))
  }
}

extension DifferenceFinder {
  /// Whether unchanged elements that both snapshots show lie on other sides of an element than
  /// before, or its section is another one.
  private func surelyMoves(_ step: ListDifference.Step, among common: Range<Int>) -> Bool {
    let from = oldChanges.rank(of: old.range.lowerBound + step.from).clamped(to: common)
    let to = newChanges.rank(of: new.range.lowerBound + step.to).clamped(to: common)
    return from != to || old.section(atPlace: step.from) != new.section(atPlace: step.to)
  }

  /// Tells moves from updates: of those that need not move, as many as can stay.
  mutating func sortKept() {
    kept.sort { $0.to < $1.to }
    let common = ranks.before.clamped(to: ranks.after)
    var moves: [ListDifference.Step] = []
    var rest: [ListDifference.Step] = []
    for step in kept {
      if surelyMoves(step, among: common) { moves.append(step) } else { rest.append(step) }
    }
    let staying = rest.map(\.from).longestIncreasing()
    difference.updates = staying.map { rest[$0] }
    var next = staying.startIndex
    for index in rest.indices {
      if next < staying.endIndex, staying[next] == index {
        next += 1
      } else {
        moves.append(rest[index])
      }
    }
    difference.moves = moves.sorted { $0.to < $1.to }
  }
}

extension DifferenceFinder {
  /// Finds the sections that came and went: all their shown elements have changed, and the other
  /// side does not show their value.
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

/// The places of a list's changed elements, on one side of a change. All others are the same on both
/// sides, in the same order; the rank of one of these is the number of such elements before it.
struct ChangedPlaces {
  /// Ascending.
  private let places: [Int]

  init(_ places: [Int]) { self.places = places.sorted() }

  /// The number of unchanged elements before a place: O(log k).
  func rank(of place: Int) -> Int { place - places.partition { $0 >= place } }

  /// The ranks of a range's unchanged elements.
  func ranks(of range: Range<Int>) -> Range<Int> {
    rank(of: range.lowerBound)..<rank(of: range.upperBound)
  }

  /// The places of unchanged elements by their ranks: O(log k) and one for each.
  func places(of ranks: Range<Int>) -> [Int] {
    if ranks.isEmpty { return [] }
    var next = firstChange(behind: ranks.lowerBound)
    var place = ranks.lowerBound + next
    return ranks.map { _ in
      while next < places.count, places[next] == place {
        next += 1
        place += 1
      }
      defer { place += 1 }
      return place
    }
  }

  /// How many changed elements have at most as many unchanged ones before them as a rank says.
  private func firstChange(behind rank: Int) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) >> 1
      if places[middle] - middle > rank { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Array where Element == Int {
  /// The indices of a longest strictly increasing subsequence: O(k log k).
  func longestIncreasing() -> [Int] {
    // Of each length, the index of the smallest number that ends such a subsequence.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: count)
    for index in indices {
      let length = ends.partition { self[$0] >= self[index] }
      if length > 0 { previous[index] = ends[length - 1] }
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var result: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      result.append(index)
      index = previous[index]
    }
    return result.reversed()
  }
}

extension Range where Bound == Int {
  /// The parts of the range outside of another one.
  func subtracting(_ other: Range) -> [Range] {
    if isEmpty { return [] }
    let first = lowerBound..<Swift.min(upperBound, Swift.max(lowerBound, other.lowerBound))
    let second = Swift.max(first.upperBound, Swift.min(upperBound, other.upperBound))..<upperBound
    return [first, second].filter { !$0.isEmpty }
  }
}

extension Int {
  /// The nearest border between the elements of a range, its ends included.
  func clamped(to range: Range<Int>) -> Int {
    Swift.max(range.lowerBound, Swift.min(self, range.upperBound))
  }
}
