/// The keys that the records of a chunk name, each once, so that who imports them looks for each once.
struct ChunkKeys: Sendable {
  private(set) var all: [KeyRef] = []
  private var slots: [KeyRef: Int] = [:]

  /// The place of a key in the list.
  mutating func slot(_ key: KeyRef) -> Int {
    func noted(_ slot: inout Int) -> Int { slot }
    let slot = noted(&slots[key, default: all.count])
    if slot == all.count { all.append(key) }
    return slot
  }

  /// Forgets all but the first.
  mutating func keepFirst(_ count: Int) {
    for key in all[count...] { slots[key] = nil }
    all.removeSubrange(count...)
  }

  mutating func reserve(_ count: Int) {
    all.reserveCapacity(count)
    slots.reserveCapacity(count)
  }

  /// The place of a key; nil where no record names it.
  func known(_ key: KeyRef) -> Int? { slots[key] }

  subscript(slot: Int) -> KeyRef { all[slot] }
}
