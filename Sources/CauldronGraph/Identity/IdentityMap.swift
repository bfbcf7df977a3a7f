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
  private let classes: ObjectClassTable
  /// How many objects the last sweep left.
  private var survivors = 0

  /// - Parameters:
  ///   - entities: The number of entities in the model.
  ///   - classes: The classes of their objects.
  init(entities: Int, classes: ObjectClassTable) {
    tables = Array(repeating: PageDirectory(), count: entities + 1)
    self.classes = classes
  }

  deinit { freePages() }

  func object(_ key: Int64, root: Int32) -> ManagedObject? {
    page(key >> IdentityPage.bits, Int(root))?.object(IdentityPage.slot(key))?
      .takeUnretainedValue()
  }

  func insert(_ object: ManagedObject, _ key: Int64, root: Int32) {
    let number = key >> IdentityPage.bits
    let page = self.page(number, Int(root)) ?? makePage(number, Int(root))
    if page.insert(object, IdentityPage.slot(key)) { count += 1 }
  }

  func remove(_ key: Int64, root: Int32) {
    let number = key >> IdentityPage.bits
    guard let page = page(number, Int(root)),
      let object = page.remove(IdentityPage.slot(key))
    else { return }
    count -= 1
    if page.count == 0 { dropPage(number, Int(root)) }
    object.release()
  }

  func removeAll() {
    if SweptObjects.isWorthwhile(count) { sweep() }
    freePages()
    lastPage = nil
    lastTable = -1
    count = 0
    survivors = 0
  }

  /// Every registered object.
  func objects() -> [ManagedObject] {
    var result: [ManagedObject] = []
    result.reserveCapacity(count)
    for table in tables { table.visit { IdentityPage($1).append(to: &result) } }
    return result
  }

  /// Drops clean objects that nobody else holds.
  ///
  /// A sweep looks at every object, so it waits until there are twice as many as the last one left;
  /// that makes it free of charge per registered object.
  func sweepIfWorthwhile() {
    guard count > max(256, 2 * survivors) || (count > 0 && count <= 256) else { return }
    sweep()
  }

  func sweep() {
    var sweep = Sweep(classes, count: count)
    for table in tables.indices {
      var pages: [(Int64, IdentityPage)] = []
      pages.reserveCapacity(tables[table].count)
      tables[table].visit { pages.append(($0, IdentityPage($1))) }
      // Objects were mostly made in the order of their keys, and memory likes to be freed so.
      pages.sort { $0.0 < $1.0 }
      for (number, page) in pages {
        count -= page.sweep(&sweep)
        if page.count == 0 { dropPage(number, table) }
      }
    }
    sweep.finish()
    survivors = count
  }

  @inline(__always)
  private func page(_ number: Int64, _ table: Int) -> IdentityPage? {
    if number == lastNumber, table == lastTable { return lastPage }
    guard let page = tables[table].page(number).map(IdentityPage.init) else { return nil }
    remember(page, number, table)
    return page
  }

  private func makePage(_ number: Int64, _ table: Int) -> IdentityPage {
    let page = IdentityPage()
    tables[table].insert(page.words, number)
    remember(page, number, table)
    return page
  }

  private func remember(_ page: IdentityPage, _ number: Int64, _ table: Int) {
    lastNumber = number
    lastTable = table
    lastPage = page
  }

  private func dropPage(_ number: Int64, _ table: Int) {
    let page = tables[table].remove(number).map(IdentityPage.init)
    lastPage = nil
    lastTable = -1
    page?.free()
  }

  private func freePages() {
    for index in tables.indices {
      tables[index].visit { IdentityPage($1).free() }
      tables[index].removeAll()
    }
  }
}
