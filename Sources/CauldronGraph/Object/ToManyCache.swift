import CauldronModel

/// The destinations of a to-many relationship as last read, kept up to date by edits.
struct ToManyCache {
  private(set) var keys: [ManagedObjectID]
  /// The order key of each destination of an ordered relationship, which ascend; empty for others.
  private(set) var places: [Int64]
  private let isOrdered: Bool
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

  /// The place behind all others.
  var nextPlace: Int64 { OrderKey.after(places.last) }

  /// Adds a destination, if it is not there; where there is an order, behind all others.
  mutating func insert(_ id: ManagedObjectID, place: Int64? = nil) {
    if positions == nil { locate() }
    guard positions?[id] == nil else { return }
    positions?[id] = keys.count
    keys.append(id)
    if isOrdered { places.append(place ?? nextPlace) }
  }

  mutating func contains(_ id: ManagedObjectID) -> Bool {
    if positions == nil { locate() }
    return positions?[id] != nil
  }

  /// Removes in constant time, as the last one takes the free place; where there is an order, that
  /// is kept.
  mutating func remove(_ id: ManagedObjectID) {
    if positions == nil { locate() }
    guard let position = positions?.removeValue(forKey: id) else { return }
    if isOrdered {
      keys.remove(at: position)
      places.remove(at: position)
      positions = nil
      return
    }
    guard let last = keys.popLast(), last != id else { return }
    keys[position] = last
    positions?[last] = position
  }

  /// Puts the destinations in another order, with places that ascend.
  mutating func arrange(_ keys: [ManagedObjectID], _ places: [Int64]) {
    (self.keys, self.places, positions) = (keys, places, nil)
  }

  private mutating func locate() {
    positions = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
  }
}

/// The places of ordered relationships, as Core Data gives them: from 2048 in steps of 1024, and
/// between two others in the middle.
enum OrderKey {
  private static let first: Int64 = 2048
  private static let step: Int64 = 1024

  static func after(_ last: Int64?) -> Int64 { last.map { $0 + step } ?? first }

  /// A place between two others; nil where there is none.
  static func between(_ before: Int64?, _ next: Int64?) -> Int64? {
    guard let next else { return after(before) }
    let middle = (max(before ?? 0, 0) + next) / 2
    return middle > (before ?? 0) && middle < next ? middle : nil
  }

  /// New places for all of a relationship.
  static func fresh(_ count: Int) -> [Int64] { (0..<count).map { first + Int64($0) * step } }

  /// Places for destinations in a new order, of which as few as possible get others than they have.
  /// - Parameter known: The places that they have; nil for what is new.
  static func arranged(_ known: [Int64?]) -> [Int64] {
    let kept = ascending(known)
    var nexts: [Int64?] = []
    for index in known.indices.reversed() {
      nexts.append(kept.contains(index) ? known[index] : nexts.last ?? nil)
    }
    nexts.reverse()
    var places: [Int64] = []
    for (index, next) in nexts.enumerated() {
      let free = kept.contains(index) ? next : between(places.last, next)
      guard let free else { return fresh(known.count) }
      places.append(free)
    }
    return places
  }

  /// The positions of a longest part of which the places ascend.
  private static func ascending(_ places: [Int64?]) -> Set<Int> {
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      guard let place, place > 0 else { continue }
      let position = ends.partitioningIndex { (places[$0] ?? 0) >= place }
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
