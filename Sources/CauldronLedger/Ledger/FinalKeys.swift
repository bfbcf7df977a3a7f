/// The keys that objects have now, by those that they had.
package struct FinalKeys: Sendable {
  /// A key that a store has reserved.
  private struct Reserved: Hashable {
    let key: Int64
    /// The number of the root entity.
    let root: Int32
  }

  /// By the provisional keys, which no two objects share, of whatever entity.
  private var provisional: [Int64: Int64] = [:]
  /// By the keys of objects that became another one, because that has their unique values.
  private var reserved: [Reserved: Int64] = [:]

  package var isEmpty: Bool { provisional.isEmpty && reserved.isEmpty }
  /// Whether keys were exchanged that a store had reserved.
  var hasReserved: Bool { !reserved.isEmpty }

  /// The key that an object has now; nil where it was not exchanged.
  /// - Parameter root: The number of the root entity.
  package func key(_ key: Int64, root: Int32) -> Int64? {
    guard var last = next(after: key, root: root) else { return nil }
    // What it became may have become another one, too.
    while let further = next(after: last, root: root) { last = further }
    return last
  }

  @inline(__always)
  private func next(after key: Int64, root: Int32) -> Int64? {
    if key < 0 { return provisional[key] }
    return reserved.isEmpty ? nil : reserved[Reserved(key: key, root: root)]
  }

  /// Takes an exchange in.
  package mutating func add(_ exchange: ProvisionalKeys.Exchange) {
    // An object that has become another one already stays that.
    let old = key(exchange.old, root: exchange.root) ?? exchange.old
    let new = key(exchange.new, root: exchange.root) ?? exchange.new
    guard old != new else { return }
    if old < 0 {
      provisional[old] = new
    } else {
      reserved[Reserved(key: old, root: exchange.root)] = new
    }
  }
}

/// Which of several layers mention a key: sorted, so that two of them are merged in one pass.
package struct KeyIndex: Sendable {
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
  package mutating func append(_ key: Int64, entity: Int32) {
    entries.append(Entry(key: key, entity: entity, layer: 0))
  }

  package mutating func sort() {
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
  package func positions(_ key: Int64, entity: Int32) -> some BidirectionalCollection<Int32> {
    let first = Entry(key: key, entity: entity, layer: 0)
    let start = entries.lowerBound { $0.precedes(first) }
    var end = start
    while end < entries.count, entries[end].key == key, entries[end].entity == entity { end += 1 }
    return entries[start..<end].lazy.map(\.layer)
  }
}
