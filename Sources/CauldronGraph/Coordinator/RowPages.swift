import CauldronModel

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
  mutating func put(_ row: RowPointer?, _ key: Int64) -> Bool {
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
    pages.insert(page, number)
    return page
  }

  private static func release(_ word: UInt) {
    if let row = row(word) { Unmanaged.passUnretained(row.block).release() }
  }
}
