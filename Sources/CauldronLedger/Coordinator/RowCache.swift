import CCauldron
package import CauldronModel
package import CauldronStore

/// The newest committed rows that the coordinator has seen, shared by all contexts.
///
/// A row read from the store enters only if no commit has happened since its snapshot was taken, so
/// an older row never replaces a newer one; and a deletion leaves a tombstone at the commit, so that
/// a context that still has the row cannot push a change to it.
package final class RowCache: Sendable {
  private let state: Locked<RowGenerations>

  /// - Parameter capacity: The most rows that it keeps alive is twice this number.
  init(_ model: ManagedObjectModel, capacity: Int = 16_384) {
    state = Locked(RowGenerations(model, capacity: capacity))
  }

  deinit { removeAll() }

  /// The row to be shown; nil where it is to be read.
  package func row(_ key: Int64, root: Int32) -> HeldRow? { entry(key, root: root) ?? nil }

  /// The row to be shown; `.some(nil)` where it is known to be deleted, nil where it is to be read.
  package func entry(_ key: Int64, root: Int32) -> HeldRow?? {
    state.withLock { Self.entry(key, root: Int(root), generations: &$0) }
  }

  /// The newest row that is known, to compare a change with, also where it is to be read anew;
  /// `.some(nil)` where it is known to be deleted, nil where nothing is known.
  package func known(_ key: Int64, root: Int32) -> HeldRow?? {
    state.withLock { state in
      let word = state.word(key, root: Int(root))
      return word == 0 ? nil : .some(RowPages.row(word)?.held)
    }
  }

  /// The same, but for a row that is to be read anew and may be another than a change was made from:
  /// only where the numbers of versions can tell, it is good for a comparison.
  func comparable(
    _ key: Int64, root: Int32, with base: RowPointer, doubts: MakerDoubts
  ) -> HeldRow?? {
    state.withLock { state in
      let word = state.word(key, root: Int(root))
      if word == 0 { return nil }
      guard let row = RowPages.row(word) else { return .some(nil) }
      let tells =
        !RowPages.isOutdated(word) || doubts.same(row, with: base)
        || doubts.trust(row) && doubts.trust(base)
      return tells ? .some(row.held) : nil
    }
  }

  /// The row, its block retained for the caller; nil where no row is known.
  package func retainedRow(_ key: Int64, root: Int32) -> RowPointer? {
    state.withLock { state in
      let word = state.word(key, root: Int(root))
      guard !RowPages.isOutdated(word), let row = RowPages.row(word) else { return nil }
      // The caller reads it when it has made an object, which takes about as long as to load it.
      cauldron_prefetch(row.words)
      cauldron_prefetch(row.words + 8)
      _ = Unmanaged.passRetained(row.block)
      return row
    }
  }

  /// The same for many keys, with the lock taken once.
  package func entries(_ keys: [Int64], root: Int32) -> [HeldRow??] {
    state.withLock { state in keys.map { Self.entry($0, root: Int(root), generations: &state) } }
  }

  /// Compares the rows that a change set changes or deletes with what is known of them.
  /// - Returns: The keys of those of which nothing is known, and which are what a commit has written;
  ///   nil where another row is known, or none, and where a row is in doubt.
  func unknownKeys(of changes: EntityChanges, _ doubts: MakerDoubts) -> [Int64]? {
    let root = Int(changes.entity.rootNumber)
    return state.withLock { state in
      var unknown: [Int64] = []
      func isClear(_ base: RowPointer, key: Int64) -> Bool {
        let word = state.word(key, root: root)
        if word == 0 {
          unknown.append(key)
          return doubts.trust(base)
        }
        return RowPages.row(word).map { doubts.same($0, with: base) } ?? false
      }
      for update in changes.updated {
        if update.first != update.base || !isClear(update.base, key: update.row.key) { return nil }
      }
      for deletion in changes.deleted where !isClear(deletion.base, key: deletion.key) {
        return nil
      }
      return unknown
    }
  }

  /// Takes in a row that was read, unless a newer one is there.
  package func insert(_ row: HeldRow, root: Int32) {
    state.withLock { state in
      let word = state.word(row.row.key, root: Int(root))
      let isNewer = RowPages.row(word).map { $0.version > row.row.version } ?? false
      if isNewer, !RowPages.isOutdated(word) { return }
      state.put(row.row, at: row.row.key, root: Int(root), copies: true)
    }
  }

  /// Records that the store has no such row.
  package func markDeleted(_ key: Int64, root: Int32) {
    state.withLock { _ = $0.put(nil, at: key, root: Int(root), copies: false) }
  }

  /// Has those who ask for a row read it anew, because others may have written a newer one.
  ///
  /// It stays to compare changes with: what is pushed meanwhile would meet nothing.
  package func outdate(_ key: Int64, root: Int32) {
    state.withLock { $0.outdate(key, root: Int(root)) }
  }

  /// The same for many rows.
  package func outdate(_ keys: [Int64], root: Int32) {
    state.withLock { state in
      for key in keys { state.outdate(key, root: Int(root)) }
    }
  }

  /// The same for all rows.
  func outdateAll() { state.withLock { $0.outdateAll() } }

  package func remove(_ key: Int64, root: Int32) {
    state.withLock { $0.remove(key, root: Int(root)) }
  }

  /// Takes over what a commit wrote: changed rows replace what is there, deleted ones go.
  ///
  /// New rows are not entered, because an import would only push out what is read; but those that
  /// changed on their way, for somebody may have read an older version.
  package func apply(_ changes: EntityChanges) {
    let root = Int(changes.entity.rootNumber)
    let isSparse = changes.isSparse
    state.withLock { state in
      for update in changes.updated {
        state.put(update.row, at: update.row.key, root: root, copies: isSparse)
      }
      if !changes.insertedRows.areFirstVersions {
        for row in changes.inserted where row.version > 1 {
          state.put(row, at: row.key, root: root, copies: isSparse)
        }
      }
      for deletion in changes.deleted {
        state.put(nil, at: deletion.key, root: root, copies: false)
      }
    }
  }

  /// Has the versions of known rows grow, as a commit has had them grow in the store.
  package func touch(_ keys: [Int64], root: Int32) {
    state.withLock { $0.touch(keys, root: Int(root)) }
  }

  package func removeAll() { state.withLock { $0.removeAll() } }

  @inline(__always)
  private static func entry(
    _ key: Int64, root: Int, generations: inout RowGenerations
  ) -> HeldRow?? {
    let word = generations.word(key, root: root)
    return word == 0 || RowPages.isOutdated(word) ? nil : .some(RowPages.row(word)?.held)
  }
}

/// Rows of one table by key, in pages for 64 keys that follow one another.
///
/// A value without ownership: `removeAll` must be called in the end.
struct RowPages {
  private var pages = PageDirectory()

  /// Stands for a row that is known to be deleted.
  private static let tombstone: UInt = 1
  /// The bit of a row, or a tombstone, that somebody wants to be read anew.
  private static let outdated: UInt = 2
  private static let size = 64

  /// The row that a word other than 0 stands for; nil for a tombstone.
  @inline(__always)
  static func row(_ word: UInt) -> RowPointer? {
    let word = word & ~outdated
    return word == tombstone ? nil : UnsafeMutablePointer(bitPattern: word).map { RowPointer($0) }
  }

  /// Whether the row is to be read anew: others may have written a newer one.
  @inline(__always)
  static func isOutdated(_ word: UInt) -> Bool { word & outdated != 0 }

  /// What is known of a row: 0 if nothing.
  @inline(__always)
  func word(_ key: Int64) -> UInt { pages.page(key >> 6)?[Int(key & 63)] ?? 0 }

  /// Puts a row or, for nil, a tombstone in, and keeps the row's memory.
  /// - Returns: Whether nothing was known before.
  mutating func put(_ row: RowPointer?, at key: Int64) -> Bool {
    let page = self.page(key >> 6)
    let old = page[Int(key & 63)]
    if let row { _ = Unmanaged.passRetained(row.block) }
    page[Int(key & 63)] = row.map { UInt(bitPattern: $0.words) } ?? Self.tombstone
    Self.release(old)
    return old == 0
  }

  /// Has those who ask for a row read it anew.
  func outdate(_ key: Int64) {
    guard let page = pages.page(key >> 6), page[Int(key & 63)] != 0 else { return }
    page[Int(key & 63)] |= Self.outdated
  }

  /// Has those who ask for any row read it anew.
  func outdateAll() {
    pages.visit { _, page in
      for slot in 0..<Self.size where page[slot] != 0 { page[slot] |= Self.outdated }
    }
  }

  /// Forgets a row.
  /// - Returns: What was known of it.
  mutating func take(_ key: Int64) -> UInt {
    guard let page = pages.page(key >> 6) else { return 0 }
    let old = page[Int(key & 63)]
    page[Int(key & 63)] = 0
    Self.release(old)
    return old
  }

  /// Forgets everything and gives the memory back.
  mutating func removeAll() {
    pages.visit { _, page in
      for slot in 0..<Self.size { Self.release(page[slot]) }
      page.deallocate()
    }
    pages.removeAll()
  }

  private mutating func page(_ number: Int64) -> PageDirectory.Page {
    if let page = pages.page(number) { return page }
    let page = PageDirectory.Page.allocate(capacity: Self.size)
    page.initialize(repeating: 0, count: Self.size)
    pages.insert(page, number: number)
    return page
  }

  private static func release(_ word: UInt) {
    if let row = row(word) { Unmanaged.passUnretained(row.block).release() }
  }
}

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
