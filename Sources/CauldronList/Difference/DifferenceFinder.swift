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
