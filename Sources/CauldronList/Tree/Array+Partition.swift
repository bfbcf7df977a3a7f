extension Array {
  /// The first index, not before `start`, from which on `isBehind` holds, by halving.
  @inline(__always)
  func partition(from start: Int = 0, where isBehind: (Element) -> Bool) -> Int {
    withUnsafeBufferPointer { elements in
      var low = start
      var high = elements.count
      while low < high {
        let middle = (low + high) >> 1
        if isBehind(elements[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }

  /// The same for a place that is likely near `start`: O(log of the distance).
  @inline(__always)
  func gallop(from start: Int, where isBehind: (Element) -> Bool) -> Int {
    withUnsafeBufferPointer { elements in
      var low = start
      var step = 1
      while low + step <= elements.count, !isBehind(elements[low + step - 1]) {
        low += step
        step <<= 1
      }
      var high = Swift.min(low + step - 1, elements.count)
      while low < high {
        let middle = (low + high) >> 1
        if isBehind(elements[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }

  /// The index, not before `start`, of an element that is known by its bits. Asking hundreds for
  /// these costs less than comparing a few rows, each somewhere else in memory.
  @inline(__always)
  func index(of element: Element, from start: Int = 0) -> Int? where Element: Equatable {
    withUnsafeBufferPointer { elements in
      var index = start
      while index < elements.count, elements[index] != element { index += 1 }
      return index < elements.count ? index : nil
    }
  }
}
