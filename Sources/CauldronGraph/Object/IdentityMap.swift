import CCauldron
import CauldronLedger
import CauldronModel
import Dispatch

/// Finds the one object of a context that stands for a row; holds its objects strongly.
///
/// Keys of a table are mostly dense, so objects lie in pages of 64, found through a small table;
/// the page of the last look-up is remembered.
final class IdentityMap {
  /// The pages of each root entity's table, by key divided by 64.
  @exclusivity(unchecked) private final var tables: [PageDirectory]
  @exclusivity(unchecked) private final var lastTable = -1
  @exclusivity(unchecked) private final var lastNumber: Int64 = 0
  @exclusivity(unchecked) private final var lastPage: IdentityPage?
  @exclusivity(unchecked) private(set) final var count = 0
  /// How many objects the last sweep left.
  var survivors = 0
  /// Whether somebody works in the pages: then empty ones stay, because a `deinit` may remove the
  /// last object of the page that is being swept.
  var isBusy = false
  /// The pages that have become empty meanwhile.
  var emptied: [(number: Int64, table: Int)] = []
  /// Where the next part of the map is that is looked at.
  var rotation = SweepRotation()

  /// - Parameter entities: The number of entities in the model.
  init(entities: Int) {
    tables = Array(repeating: PageDirectory(), count: entities + 1)
  }

  deinit { removePages() }

  func object(_ key: Int64, root: Int32) -> ManagedObject? {
    page(key >> IdentityPage.bits, table: Int(root))?.object(IdentityPage.slot(key))?
      .takeUnretainedValue()
  }

  func insert(_ object: ManagedObject, key: Int64, root: Int32) {
    let number = key >> IdentityPage.bits
    let page = self.page(number, table: Int(root)) ?? makePage(number, table: Int(root))
    if page.insert(object, at: IdentityPage.slot(key)) { count += 1 }
  }

  func remove(_ key: Int64, root: Int32) {
    let number = key >> IdentityPage.bits
    guard let page = page(number, table: Int(root)),
      let object = page.remove(IdentityPage.slot(key))
    else { return }
    count -= 1
    if page.count == 0 { dropPage(number, table: Int(root)) }
    object.release()
  }

  func removeAll() {
    removePages()
    survivors = 0
  }

  /// Every registered object.
  func objects() -> [ManagedObject] {
    var result: [ManagedObject] = []
    result.reserveCapacity(count)
    for table in tables { table.visit { IdentityPage($1).append(to: &result) } }
    return result
  }

  /// The registered objects of a table.
  func objects(of root: Int32) -> [ManagedObject] {
    var result: [ManagedObject] = []
    tables[Int(root)].visit { IdentityPage($1).append(to: &result) }
    return result
  }

  /// The pages of a table in the order of their numbers.
  func pages(of table: Int) -> [(number: Int64, page: IdentityPage)] {
    var pages: [(number: Int64, page: IdentityPage)] = []
    pages.reserveCapacity(tables[table].count)
    tables[table].visit { pages.append(($0, IdentityPage($1))) }
    pages.sort { $0.number < $1.number }
    return pages
  }

  var tableCount: Int { tables.count }

  /// The number of places for pages that a table has.
  func places(of table: Int) -> Int { tables[table].capacity }

  @inline(__always)
  func page(at place: Int, of table: Int) -> (number: Int64, page: IdentityPage)? {
    tables[table].page(at: place).map { ($0.number, IdentityPage($0.page)) }
  }

  /// Drops the clean objects of a page that nobody else holds.
  /// - Returns: How many were dropped.
  @inline(__always)
  func sweep(_ page: IdentityPage, number: Int64, table: Int) -> Int {
    let dropped = page.sweep()
    count -= dropped
    if page.count == 0 { dropPage(number, table: table) }
    return dropped
  }

  /// Frees the pages that have become empty while somebody worked in them.
  func dropEmptied() {
    let candidates = emptied
    emptied = []
    for (number, table) in candidates {
      if let page = page(number, table: table), page.count == 0 { dropPage(number, table: table) }
    }
  }

  /// The page with a number, without remembering it.
  func page(_ number: Int64, of root: Int32) -> IdentityPage? {
    tables[Int(root)].page(number).map(IdentityPage.init)
  }

  @inline(__always)
  private func page(_ number: Int64, table: Int) -> IdentityPage? {
    if number == lastNumber, table == lastTable { return lastPage }
    guard let page = tables[table].page(number).map(IdentityPage.init) else { return nil }
    remember(page, number: number, table: table)
    return page
  }

  private func makePage(_ number: Int64, table: Int) -> IdentityPage {
    let page = IdentityPage()
    tables[table].insert(page.words, number: number)
    remember(page, number: number, table: table)
    return page
  }

  private func remember(_ page: IdentityPage, number: Int64, table: Int) {
    lastNumber = number
    lastTable = table
    lastPage = page
  }

  private func dropPage(_ number: Int64, table: Int) {
    if isBusy { return emptied.append((number, table)) }
    let page = tables[table].remove(number).map(IdentityPage.init)
    lastPage = nil
    lastTable = -1
    page?.free()
  }

  /// Lets go of all objects first and frees the pages then, because a `deinit` may look into them.
  private func removePages() {
    let wasBusy = isBusy
    isBusy = true
    for table in tables.indices {
      for (number, page) in pages(of: table) {
        page.removeAll()
        emptied.append((number, table))
      }
    }
    // Nearly always 0: a `deinit` may have asked for objects.
    count = tables.indices.reduce(0) { $0 + pages(of: $1).reduce(0) { $0 + $1.page.count } }
    isBusy = wasBusy
    guard !wasBusy else { return }
    dropEmptied()
    for table in tables.indices where tables[table].count == 0 { tables[table].removeAll() }
  }
}

extension IdentityMap {
  /// Calls a closure for the registered objects of a table, from one of them on: first for those whose
  /// keys follow, then for the others, until it returns false. It must not change the map.
  /// - Parameter most: How many keys are looked at, at most.
  func visit(
    from key: Int64, root: Int32, most: Int, _ body: (ManagedObject) -> Bool
  ) {
    let first = key >> IdentityPage.bits
    let near = first..<first + 16
    for number in near {
      guard let page = page(number, of: root) else { continue }
      let start = number == first ? IdentityPage.slot(key) : 0
      if !page.visit(from: start, body) { return }
    }
    let places = places(of: Int(root))
    if places == 0 { return }
    var left = most / IdentityPage.size
    for step in 0..<places {
      guard let (number, page) = page(at: (Int(first & 0xFFFF) + step) % places, of: Int(root))
      else { continue }
      if near.contains(number), number != first { continue }
      if left == 0 || !page.visit(from: 0, body) { return }
      left -= 1
    }
  }
}

extension IdentityPage {
  /// - Returns: Whether to go on.
  fileprivate func visit(from start: Int, _ body: (ManagedObject) -> Bool) -> Bool {
    for slot in start..<Self.size {
      if let object = object(slot), !object._withUnsafeGuaranteedRef(body) { return false }
    }
    return true
  }
}

extension IdentityMap {
  /// Drops clean objects that nobody else holds.
  ///
  /// A sweep looks at every object, so it waits until there are twice as many as the last one left;
  /// that makes it free of charge per registered object. Until then each event looks at a part of
  /// the map, so that what was let go of does not wait for more objects to come.
  func sweepIfWorthwhile() {
    guard !isBusy, count > 0 else { return }
    if count <= 256 || count > 2 * survivors { sweep() } else { sweepPart() }
  }

  func sweep() {
    guard !isBusy else { return }
    isBusy = true
    for table in 0..<tableCount {
      // Objects were mostly made in the order of their keys, and memory likes to be freed so.
      for (number, page) in pages(of: table) { _ = sweep(page, number: number, table: table) }
    }
    isBusy = false
    dropEmptied()
    survivors = count
    rotation.begin()
  }

  /// Looks at the next part of the map: a small one, larger where much was found, or where it has
  /// taken long to get round.
  private func sweepPart() {
    isBusy = true
    let size = min(rotation.size(of: count), count)
    var (seen, dropped) = (0, 0)
    while seen < size, let (number, page, table) = nextPage() {
      seen += page.count
      dropped += sweep(page, number: number, table: table)
    }
    isBusy = false
    dropEmptied()
    rotation.note(seen: seen, dropped: dropped)
    if rotation.hasEnded(tableCount) {
      survivors = count
      rotation.begin()
    }
  }

  /// The page at the rotation's place or behind it; nil at the end of the map.
  private func nextPage() -> (number: Int64, page: IdentityPage, table: Int)? {
    while rotation.table < tableCount {
      while rotation.place < places(of: rotation.table) {
        defer { rotation.place += 1 }
        if let (number, page) = page(at: rotation.place, of: rotation.table) {
          return (number, page, rotation.table)
        }
      }
      rotation.place = 0
      rotation.table += 1
    }
    return nil
  }
}

/// Where the sweeps by part have got to, and how much the next one looks at.
struct SweepRotation {
  var table = 0
  var place = 0
  private var next = SweepRotation.least
  private var began = DispatchTime.now().uptimeNanoseconds

  /// Looked at in microseconds, by every event.
  private static let least = 128
  /// Looked at and freed in a millisecond or two.
  private static let most = 32_768
  /// How much events look at after a second in which they have not got round.
  private static let late = 8_192

  /// How many objects to look at.
  func size(of count: Int) -> Int {
    guard next < Self.late, count > next else { return next }
    let age = DispatchTime.now().uptimeNanoseconds &- began
    return age < 1_000_000_000 ? next : Self.late
  }

  /// Grows where at least half of the objects were dropped.
  mutating func note(seen: Int, dropped: Int) {
    if dropped > 0, 2 * dropped >= seen {
      next = min(max(4 * next, 1_024), Self.most)
    } else {
      next = max(next / 2, Self.least)
    }
  }

  func hasEnded(_ tables: Int) -> Bool { table >= tables }

  mutating func begin() {
    table = 0
    place = 0
    began = DispatchTime.now().uptimeNanoseconds
  }
}

/// The objects of 64 keys that follow one another; a plain pointer, so that a look-up retains
/// nothing.
struct IdentityPage {
  static let bits: Int64 = 6
  static let size = 1 << 6

  /// Word 0 counts the entries, the others are the objects, each held strongly.
  let words: PageDirectory.Page

  init(_ words: PageDirectory.Page) { self.words = words }

  init() {
    words = .allocate(capacity: Self.size + 1)
    words.initialize(repeating: 0, count: Self.size + 1)
  }

  /// Lets go of everything.
  func removeAll() {
    for slot in 0..<Self.size where words[0] > 0 {
      // A `deinit` may look into the page.
      remove(slot)?.release()
    }
  }

  /// Gives the memory of an empty page back, which must not be used afterwards.
  func free() { words.deallocate() }

  var count: Int { Int(words[0]) }

  static func slot(_ key: Int64) -> Int { Int(key & 63) }

  @inline(__always)
  func object(_ slot: Int) -> Unmanaged<ManagedObject>? {
    UnsafeRawPointer(bitPattern: words[1 + slot]).map(Unmanaged.fromOpaque)
  }

  /// Puts an object in an empty slot, or in place of another one.
  /// - Returns: Whether the slot was empty.
  @inline(__always)
  func insert(_ object: ManagedObject, at slot: Int) -> Bool {
    let old = self.object(slot)
    words[1 + slot] = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    guard let old else {
      words[0] += 1
      return true
    }
    old.release()
    return false
  }

  /// Takes an object out; the caller releases it.
  func remove(_ slot: Int) -> Unmanaged<ManagedObject>? {
    guard let old = object(slot) else { return nil }
    words[1 + slot] = 0
    words[0] -= 1
    return old
  }

  /// Drops the clean objects that nobody else holds.
  /// - Returns: How many were dropped.
  func sweep() -> Int {
    var dropped = 0
    for slot in 0..<Self.size {
      guard let entry = object(slot) else { continue }
      if slot + 8 < Self.size { cauldron_prefetch(UnsafeRawPointer(bitPattern: words[slot + 9])) }
      var object = entry.takeRetainedValue()
      guard object.isClean, isKnownUniquelyReferenced(&object), object.mayLeave else {
        _ = Unmanaged.passRetained(object)
        continue
      }
      // It has left the map before it is freed: its `deinit` may ask for it.
      words[1 + slot] = 0
      words[0] -= 1
      dropped += 1
    }
    return dropped
  }

  func append(to result: inout [ManagedObject]) {
    for slot in 0..<Self.size {
      if let entry = object(slot) { result.append(entry.takeUnretainedValue()) }
    }
  }
}
