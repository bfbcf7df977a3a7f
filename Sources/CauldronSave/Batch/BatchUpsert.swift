import CauldronGraph
import CauldronModel
import CauldronQuery
import CauldronStore

/// Makes the changes that put rows into a store: a row whose unique values are there already
/// updates the existing row; any other one is inserted.
struct BatchUpsert {
  let rows: BatchRows
  /// The unique values by which a row is found; nil where all are new.
  let key: UniqueKey?
  let model: ManagedObjectModel
  /// The number of the change set to be.
  let id: UInt64
  /// A key for each row.
  let keys: [Range<Int64>]
  /// How many of the keys were used.
  private(set) var usedKeys = 0
  private var inserted: [RowPointer] = []
  private var updates: [Int32: [RowUpdate]] = [:]
  /// What stands for each unique value so far.
  private var places: [[AttributeScalar]: Place] = [:]
  /// Keeps the rows that were read.
  private var kept: [RowSet] = []

  private enum Place {
    case inserted(Int)
    case updated(Int32, Int)
  }

  init(
    _ rows: BatchRows, on key: UniqueKey?, _ model: ManagedObjectModel, id: UInt64,
    keys: [Range<Int64>]
  ) {
    self.rows = rows
    self.key = key
    self.model = model
    self.id = id
    self.keys = keys
  }

  /// - Complexity: O(rows), and for found ones one statement for each few hundred rows.
  mutating func changes(_ reader: any StoreReader) throws -> ChangeSet {
    guard let key else {
      var free = keys.joined().makeIterator()
      for row in rows.rows { insert(row, keys: &free) }
      return set()
    }
    let value = UniqueValue(key)
    let values = rows.rows.map(value.values)
    var free = keys.joined().makeIterator()
    var rest = values.indices[...]
    while !rest.isEmpty {
      let some = rest.prefix(256)
      rest = rest.dropFirst(256)
      let found = try stored(some.compactMap { values[$0] }, by: key, value: value, from: reader)
      for position in some { put(position, values: values[position], among: found, keys: &free) }
    }
    return set()
  }

  private mutating func put(
    _ position: Int, values: [AttributeScalar]?, among stored: [[AttributeScalar]: RowPointer],
    keys free: inout FlattenSequence<[Range<Int64>]>.Iterator
  ) {
    guard let values else { return insert(rows.rows[position], keys: &free) }
    switch places[values] {
    case .inserted(let index):
      let merged = rows.merge(position, onto: inserted[index], of: rows.entity)
      finish(merged, version: 1)
      inserted[index] = merged
    case .updated(let number, let index):
      guard let update = updates[number]?[index], let layout = model.layout(number: number) else {
        return
      }
      let merged = merged(position, onto: update, of: layout)
      updates[number]?[index] = merged
    case nil:
      guard let row = stored[values], let layout = model.layout(number: row.entityNumber),
        layout.isKind(of: rows.entity)
      else {
        places[values] = .inserted(inserted.count)
        return insert(rows.rows[position], keys: &free)
      }
      places[values] = .updated(layout.number, updates[layout.number]?.count ?? 0)
      let unchanged = RowUpdate(row: row, base: row, changed: PropertySet())
      updates[layout.number, default: []].append(merged(position, onto: unchanged, of: layout))
    }
  }

  /// An update of a stored row, with the values of one more row.
  private func merged(
    _ position: Int, onto update: RowUpdate, of layout: EntityLayout
  ) -> RowUpdate {
    let merged = rows.merge(position, onto: update.row, of: layout)
    finish(merged, version: update.base.nextVersion)
    return RowUpdate(
      row: merged, base: update.base, changed: update.changed.union(rows.touched[position]))
  }

  private mutating func insert(
    _ row: RowPointer, keys free: inout FlattenSequence<[Range<Int64>]>.Iterator
  ) {
    // There is a key for each row.
    guard let key = free.next() else { return }
    usedKeys += 1
    row.setKey(key)
    finish(row, version: 1)
    inserted.append(row)
  }

  private func finish(_ row: RowPointer, version: Int32) {
    row.setVersion(version)
    row.setMaker(id)
  }

  /// The stored rows that have one of some unique values.
  private mutating func stored(
    _ values: [[AttributeScalar]], by key: UniqueKey, value: UniqueValue,
    from reader: any StoreReader
  ) throws -> [[AttributeScalar]: RowPointer] {
    if values.isEmpty { return [:] }
    let found = try reader.fetch(key.query(values, in: rows.entity))
    kept.append(found)
    var byValue: [[AttributeScalar]: RowPointer] = [:]
    found.walk { row in
      if let values = value.values(of: row) { byValue[values] = row }
    }
    return byValue
  }

  private func set() -> ChangeSet {
    var sets = updates.compactMap { number, updates -> EntityChanges? in
      guard number != rows.entity.number else { return nil }
      return model.layout(number: number).map {
        EntityChanges(entity: $0, inserted: [], updated: updates, deleted: [])
      }
    }
    sets.append(
      EntityChanges(
        entity: rows.entity, inserted: inserted, updated: updates[rows.entity.number] ?? [],
        deleted: []))
    return ChangeSet(id: id, entities: sets.filter { $0.count > 0 })
  }
}
