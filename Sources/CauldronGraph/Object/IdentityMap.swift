import CauldronLedger
import CauldronModel

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
