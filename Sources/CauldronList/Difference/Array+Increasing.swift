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
