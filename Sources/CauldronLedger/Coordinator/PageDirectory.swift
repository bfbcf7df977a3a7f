/// Finds pages by number: a plain table with open addressing, so that a look-up hashes with one
/// multiplication and retains nothing.
///
/// A value without ownership: whoever has it frees the pages, and then the table.
///
/// What finds a page is inlined into objects' look-ups, which are in another target.
@usableFromInline
package struct PageDirectory {
  @usableFromInline package typealias Page = UnsafeMutablePointer<UInt>

  @usableFromInline
  struct Entry {
    @usableFromInline var number: Int64
    @usableFromInline var page: Page?
  }

  /// Nil until the first page comes; the number of entries is a power of two.
  @usableFromInline var entries: UnsafeMutablePointer<Entry>?
  @usableFromInline package private(set) var capacity = 0
  package private(set) var count = 0

  package init() {}

  @inlinable
  package func page(_ number: Int64) -> Page? {
    guard let entries else { return nil }
    var index = home(number)
    while let page = entries[index].page {
      if entries[index].number == number { return page }
      index = (index + 1) & (capacity - 1)
    }
    return nil
  }

  /// Adds a page; its number must not be there.
  package mutating func insert(_ page: Page, number: Int64) {
    if 2 * (count + 1) > capacity { grow() }
    place(Entry(number: number, page: page))
    count += 1
  }

  /// Takes a page out and gives it back.
  package mutating func remove(_ number: Int64) -> Page? {
    guard let entries else { return nil }
    var index = home(number)
    while let page = entries[index].page, entries[index].number != number {
      _ = page
      index = (index + 1) & (capacity - 1)
    }
    guard let removed = entries[index].page else { return nil }
    entries[index].page = nil
    count -= 1
    // Entries behind it may have wanted its place.
    var next = (index + 1) & (capacity - 1)
    while entries[next].page != nil {
      let entry = entries[next]
      entries[next].page = nil
      place(entry)
      next = (next + 1) & (capacity - 1)
    }
    return removed
  }

  /// Calls `body` for each page; it must not change the directory.
  @inlinable
  package func visit(_ body: (Int64, Page) -> Void) {
    guard let entries else { return }
    for index in 0..<capacity {
      if let page = entries[index].page { body(entries[index].number, page) }
    }
  }

  /// The page at a place of the table; nil where there is none.
  @inlinable
  package func page(at place: Int) -> (number: Int64, page: Page)? {
    guard let entries, place < capacity, let page = entries[place].page else { return nil }
    return (entries[place].number, page)
  }

  /// Gives the table back and is empty afterwards; the pages are not touched.
  package mutating func removeAll() {
    if entries == nil { return }
    entries?.deallocate()
    self = PageDirectory()
  }

  /// Where a number is looked for first: multiplied by the golden ratio, neighbours lie far apart.
  @inlinable
  func home(_ number: Int64) -> Int {
    let product = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> 32) & (capacity - 1)
  }

  private func place(_ entry: Entry) {
    guard let entries else { return }
    var index = home(entry.number)
    while entries[index].page != nil { index = (index + 1) & (capacity - 1) }
    entries[index] = entry
  }

  private mutating func grow() {
    let (old, size) = (entries, capacity)
    capacity = max(16, size * 2)
    let table = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    table.initialize(repeating: Entry(number: 0, page: nil), count: capacity)
    entries = table
    guard let old else { return }
    for index in 0..<size where old[index].page != nil { place(old[index]) }
    old.deallocate()
  }
}
