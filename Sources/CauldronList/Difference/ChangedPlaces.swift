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
