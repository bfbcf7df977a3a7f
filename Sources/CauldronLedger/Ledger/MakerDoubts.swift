import CauldronModel

/// The change sets whose rows may not be what was committed: they were discarded, refused, given
/// back, or written otherwise than they were made.
///
/// A row that somebody else has built on such a set has to be compared by its values; the number
/// of its version tells nothing. To doubt too much costs a read, to doubt too little an edit.
struct MakerDoubts: Sendable {
  /// In ascending order, without overlap.
  private var ranges: [ClosedRange<UInt64>] = []

  /// Beyond so many ranges those that lie closest are joined.
  private static let limit = 512

  /// - Complexity: O(log ranges).
  func contains(_ maker: UInt64) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < maker { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= maker
  }

  /// - Complexity: O(ranges).
  mutating func insert(_ range: ClosedRange<UInt64>) {
    // Mostly the newest sets are the ones in doubt.
    let start = ranges.lastIndex { $0.upperBound < range.lowerBound }.map { $0 + 1 } ?? 0
    let end = ranges[start...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.count
    var joined = range
    for other in ranges[start..<end] {
      joined =
        min(joined.lowerBound, other.lowerBound)...max(joined.upperBound, other.upperBound)
    }
    ranges.replaceSubrange(start..<end, with: CollectionOfOne(joined))
    if ranges.count > Self.limit { joinClosest() }
  }

  /// Halves the number of ranges, so that it is seldom done.
  private mutating func joinClosest() {
    let gaps = zip(ranges, ranges.dropFirst()).map { $1.lowerBound - $0.upperBound }.sorted()
    let widest = gaps[gaps.count / 2]
    var joined: [ClosedRange<UInt64>] = []
    for range in ranges {
      if let last = joined.last, range.lowerBound - last.upperBound <= widest {
        joined[joined.count - 1] = last.lowerBound...range.upperBound
      } else {
        joined.append(range)
      }
    }
    ranges = joined
  }
}

extension MakerDoubts {
  /// Whether a row is what a commit has written, so that its version number is its own.
  ///
  /// Asked of rows that no layer holds any more; a pending one is told by its maker.
  @inline(__always)
  func trust(_ row: RowPointer) -> Bool {
    row.maker == 0 || row.maker != RowPointer.composed && !contains(row.maker)
  }

  /// Whether two rows of one key surely have the same content; if not, their values decide.
  @inline(__always)
  func same(_ row: RowPointer, with other: RowPointer) -> Bool {
    row.hasMaker(of: other) || row.version == other.version && trust(row) && trust(other)
  }
}

extension RowPointer {
  /// Whether two rows of one key are one and the same, or were made by one change set.
  @inline(__always)
  func hasMaker(of other: RowPointer) -> Bool {
    self == other || maker == other.maker && maker != 0 && maker != RowPointer.composed
  }

  /// Whether both have the same content.
  ///
  /// Equal version numbers alone do not tell: after a rollback in an ancestor a number is given once
  /// more, to other values.
  func isVersion(of other: RowPointer, _ entity: EntityLayout) -> Bool {
    hasMaker(of: other) || version == other.version && difference(from: other, entity).isEmpty
  }
}
