import CauldronModel

/// Finds the one object of a context that stands for a row; holds its objects strongly.
///
/// Keys of a table are mostly dense, so objects lie in pages of 64, found through a small
/// dictionary and remembered between calls.
struct IdentityMap {
  private static let pageBits: Int64 = 6

  private final class Page {
    let entries: UnsafeMutablePointer<Unmanaged<ManagedObject>?>
    var count = 0

    init() {
      entries = .allocate(capacity: 1 << 6)
      entries.initialize(repeating: nil, count: 1 << 6)
    }

    deinit {
      if count > 0 { for index in 0..<(1 << 6) { entries[index]?.release() } }
      entries.deallocate()
    }
  }

  /// The pages of one root entity's table.
  private struct Table {
    var pages: [Int64: Page] = [:]
    var lastNumber: Int64 = -1
    var last: Page?

    mutating func page(_ number: Int64) -> Page? {
      if number == lastNumber { return last }
      guard let page = pages[number] else { return nil }
      lastNumber = number
      last = page
      return page
    }

    mutating func make(_ number: Int64) -> Page {
      let page = Page()
      pages[number] = page
      lastNumber = number
      last = page
      return page
    }

    mutating func drop(_ number: Int64) {
      pages[number] = nil
      lastNumber = -1
      last = nil
    }
  }

  private var tables: [Table]
  private(set) var count = 0
  /// How many objects the last sweep left.
  private var survivors = 0

  /// - Parameter entities: The number of entities in the model.
  init(entities: Int) { tables = Array(repeating: Table(), count: entities + 1) }

  mutating func object(_ key: Int64, root: Int32) -> ManagedObject? {
    guard let page = tables[Int(root)].page(key >> Self.pageBits) else { return nil }
    return page.entries[Int(key & 63)]?.takeUnretainedValue()
  }

  mutating func insert(_ object: ManagedObject, _ key: Int64, root: Int32) {
    let number = key >> Self.pageBits
    let page = tables[Int(root)].page(number) ?? tables[Int(root)].make(number)
    let index = Int(key & 63)
    if let old = page.entries[index] { old.release() } else {
      page.count += 1
      count += 1
    }
    page.entries[index] = .passRetained(object)
  }

  mutating func remove(_ key: Int64, root: Int32) {
    let number = key >> Self.pageBits
    guard let page = tables[Int(root)].page(number),
      let entry = page.entries[Int(key & 63)]
    else { return }
    page.entries[Int(key & 63)] = nil
    page.count -= 1
    count -= 1
    if page.count == 0 { tables[Int(root)].drop(number) }
    entry.release()
  }

  mutating func removeAll() {
    for index in tables.indices { tables[index] = Table() }
    count = 0
    survivors = 0
  }

  /// Every registered object.
  func objects() -> [ManagedObject] {
    var result: [ManagedObject] = []
    result.reserveCapacity(count)
    for table in tables {
      for page in table.pages.values {
        for index in 0..<64 {
          if let entry = page.entries[index] { result.append(entry.takeUnretainedValue()) }
        }
      }
    }
    return result
  }

  /// Drops clean objects that nobody else holds.
  ///
  /// A sweep looks at every object, so it waits until there are twice as many as the last one left;
  /// that makes it free of charge per registered object.
  mutating func sweepIfWorthwhile() {
    guard count > max(256, 2 * survivors) || (count > 0 && count <= 256) else { return }
    sweep()
  }

  mutating func sweep() {
    for index in tables.indices {
      for (number, page) in tables[index].pages {
        sweep(page)
        if page.count == 0 { tables[index].drop(number) }
      }
    }
    survivors = count
  }

  private mutating func sweep(_ page: Page) {
    for index in 0..<64 {
      guard let entry = page.entries[index] else { continue }
      var object = entry.takeRetainedValue()
      if object.isClean, isKnownUniquelyReferenced(&object) {
        page.entries[index] = nil
        page.count -= 1
        count -= 1
      } else {
        page.entries[index] = .passRetained(object)
      }
    }
  }
}
