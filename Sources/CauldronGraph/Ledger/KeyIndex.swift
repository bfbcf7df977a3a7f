/// Which of several layers mention a key: sorted, so that two of them are merged in one pass.
struct KeyIndex: Sendable {
  private struct Entry: Sendable {
    let key: Int64
    let entity: Int32
    let layer: Int32

    @inline(__always)
    func precedes(_ other: Entry) -> Bool {
      if key != other.key { return key < other.key }
      return entity == other.entity ? layer < other.layer : entity < other.entity
    }
  }

  private var entries: [Entry]

  init() { entries = [] }

  /// Appends a key of the only layer; `sort()` follows the last one.
  mutating func append(_ key: Int64, entity: Int32) {
    entries.append(Entry(key: key, entity: entity, layer: 0))
  }

  mutating func sort() {
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.precedes($1) }
    if !isSorted { entries.sort { $0.precedes($1) } }
  }

  /// The keys of both, those of `second` in the layers from `offset` on.
  init(_ first: KeyIndex, _ second: KeyIndex, offset: Int32) {
    entries = []
    entries.reserveCapacity(first.entries.count + second.entries.count)
    var i = 0
    for entry in second.entries {
      let entry = Entry(key: entry.key, entity: entry.entity, layer: entry.layer + offset)
      while i < first.entries.count, first.entries[i].precedes(entry) {
        entries.append(first.entries[i])
        i += 1
      }
      entries.append(entry)
    }
    entries += first.entries[i...]
  }

  /// The positions of the layers that mention a key, oldest first.
  /// - Complexity: O(log *n*).
  @inline(__always)
  func positions(_ key: Int64, entity: Int32) -> some BidirectionalCollection<Int32> {
    let start = lowerBound(Entry(key: key, entity: entity, layer: 0))
    var end = start
    while end < entries.count, entries[end].key == key, entries[end].entity == entity { end += 1 }
    return entries[start..<end].lazy.map(\.layer)
  }

  private func lowerBound(_ entry: Entry) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].precedes(entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
