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
