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
    let later = second.entries.lazy.map { entry in
      Entry(key: entry.key, entity: entry.entity, layer: entry.layer + offset)
    }
    entries = Array(merging: first.entries, later) { $0.precedes($1) }
  }

  /// The positions of the layers that mention a key, oldest first.
  /// - Complexity: O(log *n*).
  @inline(__always)
  func positions(_ key: Int64, entity: Int32) -> some BidirectionalCollection<Int32> {
    let first = Entry(key: key, entity: entity, layer: 0)
    let start = entries.lowerBound { $0.precedes(first) }
    var end = start
    while end < entries.count, entries[end].key == key, entries[end].entity == entity { end += 1 }
    return entries[start..<end].lazy.map(\.layer)
  }
}
