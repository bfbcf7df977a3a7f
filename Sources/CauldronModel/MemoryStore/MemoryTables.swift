/// The rows of a memory store; a copy is a snapshot.
struct MemoryTables: Sendable {
  let model: ManagedObjectModel
  /// The rows of each hierarchy by key.
  private var tables: [Int32: [Int64: HeldRow]] = [:]
  private var indexes: [Int32: [UniqueIndex]] = [:]
  private var counts: MemoryCounts
  private var keeper = RowKeeper()
  /// The bytes of all rows.
  private var live = 0

  init(model: ManagedObjectModel) {
    self.model = model
    counts = MemoryCounts(model)
    for root in model.layouts where root.superentity == nil {
      indexes[root.number] = UniqueIndex.all(of: root)
    }
  }

  /// The rows of the hierarchy that an entity belongs to.
  func table(of entity: EntityLayout) -> [Int64: HeldRow] {
    tables[entity.root.number] ?? [:]
  }

  func row(_ key: Int64, of entity: EntityLayout) -> HeldRow? {
    tables[entity.root.number]?[key]
  }

  /// Puts a row in the place of another one, or removes it; answers what was there.
  @discardableResult
  mutating func replace(_ key: Int64, in root: Int32, with new: HeldRow?) -> HeldRow? {
    let old = tables[root]?[key]
    live += (new?.row.size ?? 0) - (old?.row.size ?? 0)
    tables[root, default: [:]][key] = new
    if !counts.derived.isEmpty { counts.note(key, in: root, old?.row, new?.row) }
    for position in (indexes[root] ?? []).indices {
      if let old { indexes[root]?[position].remove(old.row) }
      if let new { indexes[root]?[position].add(new.row) }
    }
    return old
  }

  /// Gives derived attributes their values.
  /// - Returns: The keys of the rows that have others now, by entity.
  mutating func deriveValues() -> [(entity: EntityLayout, keys: [Int64])] {
    if counts.derived.isEmpty { return [] }
    var touched: [(entity: EntityLayout, keys: [Int64])] = []
    for (attribute, numbers) in counts.takeChanged() {
      let found = numbers.compactMap { key, number in
        derive(number, attribute, key).map { (entity: $0, key: key) }
      }
      touched += Dictionary(grouping: found) { $0.entity.number }.values.map { rows in
        (rows[0].entity, rows.map(\.key))
      }
    }
    return touched
  }

  /// - Returns: The row's entity, if it had another value.
  private mutating func derive(
    _ number: Int64, _ attribute: MemoryCounts.Derived, _ key: Int64
  ) -> EntityLayout? {
    let (root, property) = (attribute.owner.rootNumber, attribute.property)
    guard let row = tables[root]?[key]?.row, let layout = layout(of: row),
      row.isNull(property) || row.slot(property) != number
    else { return nil }
    var builder = RowBuilder()
    let copy = builder.copy(row, layout)
    copy.setSlot(property, number)
    builder.close()
    tables[root]?[key] = keeper.keep(copy, layout, isSparse: true)
    return layout
  }

  /// A row as it can be kept: where it is, or copied next to others.
  /// - Parameter isSparse: Whether it may be nearly alone in its memory.
  mutating func kept(_ row: RowPointer, _ layout: EntityLayout, isSparse: Bool) -> HeldRow {
    keeper.keep(row, layout, isSparse: isSparse)
  }

  /// Copies all rows next to one another where much memory lies between them that others have left.
  mutating func tidy() {
    guard keeper.isLoose(around: live) else { return }
    keeper = RowKeeper()
    for root in tables.keys {
      tables[root] = tables[root]?.mapValues { held in
        layout(of: held.row).map { keeper.keep(held.row, $0) } ?? held
      }
    }
  }

  /// A row that has the same unique values, and the names of those properties.
  func twin(of row: RowPointer, in root: Int32) -> (key: Int64, properties: [String])? {
    for index in indexes[root] ?? [] {
      if let key = index.key(for: row), key != row.key {
        return (key, index.names)
      }
    }
    return nil
  }

  /// Whether an update gives a row other unique values.
  func changesUniqueValues(_ update: RowUpdate, in root: Int32) -> Bool {
    (indexes[root] ?? []).contains { $0.values(of: update.row) != $0.values(of: update.base) }
  }

  func layout(of row: RowPointer) -> EntityLayout? { model.layout(number: row.entityNumber) }
}
