import CauldronModel
import CauldronStore

/// The rows of a cache in two generations: when the young one is full the old one is dropped.
///
/// Rows are copied next to one another where they would keep much more memory than their own, and
/// when they are used again after a generation; so a generation keeps its rows, and hardly more.
struct RowGenerations {
  private let capacity: Int
  private let model: ManagedObjectModel
  private var young: [RowPages] = []
  private var old: [RowPages] = []
  /// How many rows and tombstones the young generation has.
  private var count = 0
  /// How many were put into it, in the place of others or not: these have left memory behind.
  private var entered = 0
  /// Copies the rows of the young generation.
  private var keeper = RowKeeper()

  init(_ model: ManagedObjectModel, capacity: Int) {
    self.model = model
    self.capacity = capacity
  }

  /// What is known of a row, which counts as used from now on; 0 for nothing.
  @inline(__always)
  mutating func word(_ key: Int64, root: Int) -> UInt {
    guard root < young.count else { return 0 }
    let word = young[root].word(key)
    return word != 0 ? word : oldWord(key, root: root)
  }

  private mutating func oldWord(_ key: Int64, root: Int) -> UInt {
    let word = old[root].word(key)
    if word == 0 { return 0 }
    let moved = put(RowPages.row(word), at: key, root: root, copies: true)
    guard RowPages.isOutdated(word) else { return moved }
    outdate(key, root: root)
    return self.word(key, root: root)
  }

  /// Has those who ask for a row read it anew; what is known of it stays, to compare with.
  mutating func outdate(_ key: Int64, root: Int) {
    guard root < young.count else { return }
    young[root].outdate(key)
    old[root].outdate(key)
  }

  /// The same for all rows.
  mutating func outdateAll() {
    for pages in young { pages.outdateAll() }
    for pages in old { pages.outdateAll() }
  }

  /// Puts a row or, for nil, a tombstone in the place of what is known.
  /// - Parameter copies: Whether the row may be nearly alone in its memory.
  /// - Returns: What stands for it now.
  @discardableResult
  mutating func put(_ row: RowPointer?, at key: Int64, root: Int, copies: Bool) -> UInt {
    while young.count <= root {
      young.append(RowPages())
      old.append(RowPages())
    }
    let kept = copies ? row.map { copy($0) } : nil
    let isNew = withExtendedLifetime(kept) { young[root].put(kept?.row ?? row, at: key) }
    if isNew { count += 1 }
    entered += 1
    _ = old[root].take(key)
    let word = young[root].word(key)
    if count >= capacity || entered >= 4 * capacity { turn() }
    return word
  }

  /// Has the versions of known rows grow; not of those that are to be read anew, whose values are those of
  /// their own version.
  mutating func touch(_ keys: [Int64], root: Int) {
    guard root < young.count else { return }
    var builder = RowBuilder()
    for key in keys {
      let word = young[root].word(key) != 0 ? young[root].word(key) : old[root].word(key)
      guard word != 0, !RowPages.isOutdated(word), let row = RowPages.row(word),
        let layout = model.layout(number: row.entityNumber),
        let touched = builder.touched(row, of: layout)
      else { continue }
      put(touched, at: key, root: root, copies: keys.count < 64)
    }
  }

  mutating func remove(_ key: Int64, root: Int) {
    guard root < young.count else { return }
    if young[root].take(key) != 0 { count -= 1 }
    _ = old[root].take(key)
  }

  mutating func removeAll() {
    for index in young.indices { young[index].removeAll() }
    for index in old.indices { old[index].removeAll() }
    count = 0
    entered = 0
    keeper = RowKeeper()
  }

  private mutating func copy(_ row: RowPointer) -> HeldRow {
    model.layout(number: row.entityNumber).map { keeper.keep(row, $0) } ?? row.held
  }

  private mutating func turn() {
    for index in old.indices { old[index].removeAll() }
    swap(&old, &young)
    count = 0
    entered = 0
    keeper = RowKeeper()
  }
}
