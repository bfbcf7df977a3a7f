import CauldronModel
import CauldronQuery

/// The rows of a memory store; a copy is a snapshot.
struct MemoryTables: Sendable {
  let model: ManagedObjectModel
  /// The rows of each hierarchy by key.
  private var tables: [Int32: [Int64: HeldRow]] = [:]
  private var indexes: [Int32: [UniqueIndex]] = [:]
  private var counts: MemoryCounts
  private var derivations: MemoryDerivations
  private var keeper = RowKeeper()
  /// The bytes of all rows.
  private var live = 0

  init(model: ManagedObjectModel) {
    self.model = model
    counts = MemoryCounts(model)
    derivations = MemoryDerivations(model)
    for root in model.layouts where root.superentity == nil {
      indexes[root.number] = UniqueIndex.all(of: root)
    }
  }

  /// The rows of the hierarchy that an entity belongs to.
  func table(of entity: EntityLayout) -> [Int64: HeldRow] {
    tables[entity.rootNumber] ?? [:]
  }

  func row(_ key: Int64, of entity: EntityLayout) -> HeldRow? {
    tables[entity.rootNumber]?[key]
  }

  /// Puts a row in the place of another one, or removes it; answers what was there.
  @discardableResult
  mutating func replace(_ key: Int64, in root: Int32, with new: HeldRow?) -> HeldRow? {
    let old = tables[root]?[key]
    live += (new?.row.size ?? 0) - (old?.row.size ?? 0)
    tables[root, default: [:]][key] = new
    if !counts.derived.isEmpty { counts.note(key, in: root, from: old?.row, to: new?.row) }
    derivations.note(key, in: root)
    for position in (indexes[root] ?? []).indices {
      if let old { indexes[root]?[position].remove(old.row) }
      if let new { indexes[root]?[position].add(new.row) }
    }
    return old
  }

  /// Gives derived attributes their values.
  /// - Returns: The keys of the rows that have others now, by entity.
  mutating func deriveValues() -> [(entity: EntityLayout, keys: [Int64])] {
    if counts.derived.isEmpty, derivations.isEmpty { return [] }
    let counted = counts.takeChanged().flatMap { attribute, numbers in
      numbers.map { key, number in
        MemoryDerivations.DerivedValue(
          entity: attribute.owner, key: key, property: attribute.property,
          scalar: .integer(number))
      }
    }
    var found: [(entity: EntityLayout, key: Int64)] = []
    for value in counted { if let change = take(value) { found.append(change) } }
    for (entity, key) in found { derivations.noteDerived(key, in: entity.rootNumber) }
    // What is derived from derived values follows these; a circle ends with the rounds.
    for _ in 0..<MemoryDerivations.mostRounds {
      var changed: [(entity: EntityLayout, key: Int64)] = []
      for value in derivations.takeValues(in: tables) {
        if let change = take(value) { changed.append(change) }
      }
      if changed.isEmpty { break }
      found += changed
      for (entity, key) in changed { derivations.noteDerived(key, in: entity.rootNumber) }
    }
    return Dictionary(grouping: found) { $0.entity.number }.values.map { rows in
      (rows[0].entity, Array(Set(rows.map(\.key))).sorted())
    }
  }

  private mutating func take(
    _ value: MemoryDerivations.DerivedValue
  ) -> (entity: EntityLayout, key: Int64)? {
    derive(value).map { ($0, value.key) }
  }

  /// - Returns: The row's entity, if it had another value.
  private mutating func derive(_ value: MemoryDerivations.DerivedValue) -> EntityLayout? {
    let root = value.entity.rootNumber
    guard let row = tables[root]?[value.key]?.row, let layout = layout(of: row),
      layout.isKind(of: value.entity),
      let storage = layout.properties[value.property].storageClass,
      row.scalar(value.property, storage) != value.scalar
    else { return nil }
    var builder = RowBuilder()
    let copy = builder.set(value.property, value.scalar, of: builder.copy(row, layout), layout)
    builder.close()
    tables[root]?[value.key] = keeper.keep(copy, layout, isSparse: true)
    return layout
  }

  /// Has the versions of rows grow.
  mutating func touch(_ keys: [Int64], of root: EntityLayout) {
    var builder = RowBuilder()
    for key in keys {
      guard let row = row(key, of: root)?.row, let layout = layout(of: row),
        let touched = builder.touched(row, of: layout)
      else { continue }
      tables[root.rootNumber]?[key] = keeper.keep(touched, layout, isSparse: true)
    }
  }

  /// A row as it can be kept: where it is, or copied next to others.
  /// - Parameter isSparse: Whether it may be nearly alone in its memory.
  mutating func kept(_ row: RowPointer, of layout: EntityLayout, isSparse: Bool) -> HeldRow {
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

/// The rows of a hierarchy by the values of one uniqueness constraint.
struct UniqueIndex: Sendable {
  /// The constraint's number among those of the hierarchy.
  private let number: Int
  let names: [String]
  /// How the values of each entity's rows are read; an SQL index covers the column, and so the rows of
  /// all entities that share it.
  private let values: [Int32: UniqueValue]
  private var keys: [[AttributeScalar]: Int64] = [:]

  /// - Parameter family: The entities of the hierarchy.
  init(_ key: UniqueKey, in family: [EntityLayout]) {
    number = key.number
    names = key.names
    var values: [Int32: UniqueValue] = [:]
    for entity in family {
      values[entity.number] = entity.uniqueKeys.first { $0.number == key.number }
        .map(UniqueValue.init)
    }
    self.values = values
  }

  /// The key of the row that has the same values; nil is equal to nothing.
  func key(for row: RowPointer) -> Int64? { values(of: row).flatMap { keys[$0] } }

  mutating func add(_ row: RowPointer) {
    if let values = values(of: row) { keys[values] = row.key }
  }

  mutating func remove(_ row: RowPointer) {
    if let values = values(of: row), keys[values] == row.key { keys[values] = nil }
  }

  /// The values of a row; nil where one of them is nil, or the constraint is not for its entity.
  func values(of row: RowPointer) -> [AttributeScalar]? {
    values[row.entityNumber]?.values(of: row)
  }

  /// One index for each constraint of a hierarchy.
  static func all(of root: EntityLayout) -> [UniqueIndex] {
    let family = root.family.map(\.entity)
    var indexes: [UniqueIndex] = []
    for key in family.flatMap(\.uniqueKeys)
    where !indexes.contains(where: { $0.number == key.number }) {
      indexes.append(UniqueIndex(key, in: family))
    }
    return indexes.sorted { $0.number < $1.number }
  }
}

/// How many rows refer to each row of which a derived attribute counts them.
struct MemoryCounts: Sendable {
  /// A derived attribute, and the reference whose rows it counts.
  struct Derived: Sendable {
    unowned(unsafe) let owner: EntityLayout
    let property: Int
    unowned(unsafe) let counted: EntityLayout
    let reference: Int

    /// The row that a row refers to.
    fileprivate func target(of row: RowPointer?) -> Int64? {
      guard let row, counted.includes(row.entityNumber), !row.isNull(reference) else { return nil }
      return row.slot(reference)
    }
  }

  let derived: [Derived]
  /// By the attribute's position, and the key of the row that is referred to.
  private var numbers: [[Int64: Int64]]
  /// The rows whose numbers may be others than before.
  private var changed: [Set<Int64>]

  init(_ model: ManagedObjectModel) {
    derived = model.entityLayouts.flatMap { layout in
      layout.ownProperties.compactMap { property in
        guard let counted = property.counted,
          let destination = layout.properties[counted].destination
        else { return nil }
        if let join = layout.properties[counted].join {
          return Derived(
            owner: layout, property: property.index, counted: join.entity, reference: join.near)
        }
        return Derived(
          owner: layout, property: property.index, counted: destination.entity,
          reference: destination.inverse)
      }
    }
    numbers = derived.map { _ in [:] }
    changed = derived.map { _ in [] }
  }

  /// Takes in that a row has come in the place of another one, or of none.
  mutating func note(_ key: Int64, in root: Int32, from old: RowPointer?, to new: RowPointer?) {
    for (position, attribute) in derived.enumerated() {
      if attribute.owner.rootNumber == root, new != nil { changed[position].insert(key) }
      guard attribute.counted.rootNumber == root else { continue }
      let (before, after) = (attribute.target(of: old), attribute.target(of: new))
      if before == after { continue }
      for (target, step) in [(before, Int64(-1)), (after, 1)] {
        guard let target else { continue }
        numbers[position][target, default: 0] += step
        changed[position].insert(target)
      }
    }
  }

  /// The rows to look at, by attribute, with the numbers that they should have.
  mutating func takeChanged() -> [(derived: Derived, numbers: [(key: Int64, number: Int64)])] {
    defer { changed = derived.map { _ in [] } }
    return derived.indices.map { position in
      let keys = changed[position].sorted()
      return (derived[position], keys.map { ($0, numbers[position][$0] ?? 0) })
    }
  }
}
