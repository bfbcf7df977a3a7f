/// The rows of a memory store; a copy is a snapshot.
struct MemoryTables: Sendable {
  let model: ManagedObjectModel
  /// The rows of each hierarchy by key.
  private var tables: [Int32: [Int64: HeldRow]] = [:]
  private var indexes: [Int32: [UniqueIndex]] = [:]
  private var keeper = RowKeeper()
  /// The bytes of all rows.
  private var live = 0

  init(model: ManagedObjectModel) {
    self.model = model
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
    for position in (indexes[root] ?? []).indices {
      if let old { indexes[root]?[position].remove(old.row) }
      if let new { indexes[root]?[position].add(new.row) }
    }
    return old
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
