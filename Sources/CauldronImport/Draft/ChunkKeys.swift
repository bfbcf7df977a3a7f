/// The keys that the records of a chunk name, each once, so that who imports them looks for each once.
struct ChunkKeys: Sendable {
  private(set) var all: [KeyRef] = []
  private var slots: [KeyRef: Int] = [:]

  /// The place of a key in the list.
  mutating func slot(_ key: KeyRef) -> Int {
    let next = all.count
    let slot = slots[key, default: next]
    if slot == next {
      slots[key] = next
      all.append(key)
    }
    return slot
  }

  /// The place of a key; nil where no record names it.
  func known(_ key: KeyRef) -> Int? { slots[key] }

  subscript(slot: Int) -> KeyRef { all[slot] }
}
