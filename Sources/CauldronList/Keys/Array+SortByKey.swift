extension Array {
  /// Sorts edits by unsigned key, stably: by comparing if they are few, else by 11 bits at a time.
  mutating func sortByKey<E: ListElement>() where Element == KeyEdit<E> {
    if !isOutOfOrder() { return }
    if count < 512 { return sort { $0.key < $1.key } }
    let first = self[0].key
    let difference = reduce(0) { $0 | ($1.key ^ first) }
    var other = self
    var shift: UInt64 = 0
    // The bits above are equal in all keys, and so change nothing.
    while shift < 64, difference >> shift != 0 {
      scatter(to: &other, shift)
      swap(&self, &other)
      shift += 11
    }
  }

  private func isOutOfOrder<E: ListElement>() -> Bool where Element == KeyEdit<E> {
    withUnsafeBufferPointer { edits in
      for index in 1..<Swift.max(1, edits.count) {
        if edits[index - 1].key >= edits[index].key { return true }
      }
      return false
    }
  }

  private func scatter<E: ListElement>(to other: inout [Element], _ shift: UInt64)
  where Element == KeyEdit<E> {
    var places = [Int](repeating: 0, count: 2_048)
    for edit in self { places[Int(edit.key >> shift & 2_047)] += 1 }
    var sum = 0
    for digit in places.indices {
      let count = places[digit]
      places[digit] = sum
      sum += count
    }
    for edit in self {
      let digit = Int(edit.key >> shift & 2_047)
      other[places[digit]] = edit
      places[digit] += 1
    }
  }
}
