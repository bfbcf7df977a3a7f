extension Array {
  /// The elements of two sorted sequences, sorted, in one pass; of equal ones those of the first come
  /// first.
  @inline(__always)
  init(
    merging first: [Element], _ second: some Collection<Element>,
    by precedes: (Element, Element) -> Bool
  ) {
    self = []
    reserveCapacity(first.count + second.count)
    var i = 0
    for element in second {
      while i < first.count, !precedes(element, first[i]) {
        append(first[i])
        i += 1
      }
      append(element)
    }
    self += first[i...]
  }

  /// The position of the first element of a sorted array that does not come before what is looked for.
  @inline(__always)
  func lowerBound(_ comesBefore: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if comesBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
