import CauldronModel

/// The destinations of a to-many relationship as last read, kept up to date by edits.
struct ToManyCache {
  private(set) var keys: [ManagedObjectID]
  /// The order key of each destination of an ordered relationship, which ascend; empty for others.
  private(set) var places: [Int64]
  private let isOrdered: Bool
  /// The destinations of an ordered relationship before it was arranged for the first time.
  private var original: [ManagedObjectID]?
  /// The place of each key; made at the first edit, which most relationships never see.
  private var positions: [ManagedObjectID: Int]?

  init(_ keys: [ManagedObjectID]) {
    self.keys = keys
    (places, isOrdered) = ([], false)
  }

  /// The destinations of an ordered relationship, in whatever order; equal places are in that of the
  /// keys, so that everybody sees the same one.
  init(ordered destinations: [(id: ManagedObjectID, place: Int64)]) {
    let sorted = destinations.sorted { ($0.place, $0.id.key) < ($1.place, $1.id.key) }
    keys = sorted.map(\.id)
    places = sorted.map(\.place)
    isOrdered = true
  }

  /// The places of the destinations of an ordered relationship; nothing for others.
  /// - Complexity: O(destinations).
  var placesByID: [ManagedObjectID: Int64] {
    Dictionary(zip(keys, places)) { first, _ in first }
  }

  /// The place behind all others.
  /// - Parameter saved: The object's former place, which is taken if it is behind all others.
  func nextPlace(for key: Int64? = nil, saved: Int64? = nil) -> Int64 {
    guard let key, let saved,
      OrderKey.ascend([(saved, key)], after: position(keys.count - 1), before: nil)
    else { return OrderKey.after(places.last) }
    return saved
  }

  /// The place at an index, and the key that decides among equal ones; nil outside.
  private func position(_ index: Int) -> OrderKey.Position? {
    keys.indices.contains(index) ? (places[index], keys[index].key) : nil
  }

  /// Adds a destination, if it is not there; where there is an order, behind all others.
  mutating func insert(_ id: ManagedObjectID, place: Int64? = nil) {
    if positions == nil { locate() }
    guard positions?[id] == nil else { return }
    positions?[id] = keys.count
    keys.append(id)
    if isOrdered { places.append(place ?? nextPlace()) }
  }

  mutating func contains(_ id: ManagedObjectID) -> Bool {
    if positions == nil { locate() }
    return positions?[id] != nil
  }

  /// Removes in constant time, as the last one takes the free place; where there is an order, that
  /// is kept.
  mutating func remove(_ id: ManagedObjectID) {
    if isOrdered { return removeInOrder(id) }
    if positions == nil { locate() }
    guard let position = positions?.removeValue(forKey: id), let last = keys.popLast(), last != id
    else { return }
    keys[position] = last
    positions?[last] = position
  }

  private mutating func removeInOrder(_ id: ManagedObjectID) {
    guard let position = keys.firstIndex(of: id) else { return }
    keys.remove(at: position)
    places.remove(at: position)
    positions = nil
  }

  /// Puts some of the destinations of an ordered relationship next to one another.
  /// - Parameters:
  ///   - position: Where the first of them is afterwards.
  ///   - saved: The places that they had once, which they get again if these lie there.
  /// - Returns: Their places; nil where there are too few, and nothing has changed.
  mutating func place(
    _ ids: [ManagedObjectID], at position: Int, saved: [Int64]
  ) -> [Int64]? {
    let moved = Set(ids)
    let rest = keys.indices.filter { !moved.contains(keys[$0]) }
    guard rest.count + ids.count == keys.count, position <= rest.count else { return nil }
    let last = position > 0 ? self.position(rest[position - 1]) : nil
    let next = position < rest.count ? self.position(rest[position]) : nil
    let isSaved =
      saved.count == ids.count
      && OrderKey.ascend(zip(saved, ids).map { ($0, $1.key) }, after: last, before: next)
    let new = isSaved ? saved : OrderKey.run(ids.count, after: last?.place, before: next?.place)
    guard let run = new else { return nil }
    var (newKeys, newPlaces) = (rest.map { keys[$0] }, rest.map { places[$0] })
    newKeys.insert(contentsOf: ids, at: position)
    newPlaces.insert(contentsOf: run, at: position)
    arrange(newKeys, at: newPlaces)
    return run
  }

  /// Whether the destinations are again in the order in which they were before they were arranged.
  var isSetBack: Bool { keys == original }

  /// Puts the destinations in another order, with places that ascend.
  mutating func arrange(_ keys: [ManagedObjectID], at places: [Int64]) {
    if original == nil { original = self.keys }
    (self.keys, self.places, positions) = (keys, places, nil)
  }

  private mutating func locate() {
    positions = Dictionary(zip(keys, keys.indices)) { first, _ in first }
  }
}

/// The places of ordered relationships, as Core Data gives them: from 2048 in steps of 1024, and
/// between two others in the middle.
enum OrderKey {
  private static let first: Int64 = 2048
  private static let step: Int64 = 1024

  /// The greatest place that a file is believed to have.
  private static let greatest: Int64 = 1 << 40

  /// A place, and the key that decides among equal ones.
  typealias Position = (place: Int64, key: Int64)

  static func after(_ last: Int64?) -> Int64 { last.map { min($0, greatest) + step } ?? first }

  /// New places for all of a relationship.
  static func fresh(_ count: Int) -> [Int64] { (0..<count).map { first + Int64($0) * step } }

  /// Places for destinations in a new order, of which as few as possible get others than they have.
  /// - Parameters:
  ///   - known: The places that they have; nil for what is new.
  ///   - keys: Their keys, which decide among equal places.
  static func arranged(_ known: [Int64?], keys: [Int64]) -> [Int64] {
    let kept = ascending(zip(known, keys).map { place, key in place.map { ($0, key) } })
    var places: [Int64] = []
    var index = 0
    while index < known.count {
      if kept.contains(index), let place = known[index] {
        places.append(place)
        index += 1
        continue
      }
      let end = (index..<known.count).first { kept.contains($0) } ?? known.count
      let next = end < known.count ? known[end] : nil
      guard let run = run(end - index, after: places.last, before: next) else {
        return fresh(known.count)
      }
      places += run
      index = end
    }
    return places
  }

  /// Places for several between two others; nil where there are too few.
  static func run(_ count: Int, after last: Int64?, before next: Int64?) -> [Int64]? {
    guard let next else {
      return (0..<count).reduce(into: []) { run, _ in run.append(after(run.last ?? last)) }
    }
    let start = max(last ?? 0, 0)
    let free = next - start
    guard free > Int64(count) else { return nil }
    // Not `free * i / parts`, which may be beyond 64 bits where a file has a place at their end.
    let parts = Int64(count + 1)
    let (part, rest) = free.quotientAndRemainder(dividingBy: parts)
    return (1...Int64(max(count, 1))).map { start + part * $0 + rest * $0 / parts }
  }

  /// Whether places ascend from one to another.
  static func ascend(_ places: [Position], after last: Position?, before next: Position?) -> Bool {
    let all = [last ?? (0, .max)] + places + [next ?? (greatest, .min)]
    return zip(all, all.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// The positions of a longest part of which the places ascend.
  private static func ascending(_ places: [Position?]) -> Set<Int> {
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      guard let place, place.place > 0, place.place < greatest else { continue }
      let position = ends.partitioningIndex { (places[$0] ?? (0, 0)) >= place }
      previous[index] = position > 0 ? ends[position - 1] : nil
      if position < ends.count { ends[position] = index } else { ends.append(index) }
    }
    var kept: Set<Int> = []
    var step = ends.last
    while let index = step {
      kept.insert(index)
      step = previous[index]
    }
    return kept
  }
}

extension Array {
  /// The first position from which on all elements are on the far side.
  fileprivate func partitioningIndex(_ isFar: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isFar(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
