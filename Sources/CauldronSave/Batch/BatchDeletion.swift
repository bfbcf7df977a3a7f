import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronStore

/// Makes the changes of a deletion from the rows that it finds, with all that the delete rules say.
struct BatchDeletion {
  private let reader: any StoreReader
  private let source: StoredRowSource
  private let model: ManagedObjectModel
  private let storeNumber: Int32
  /// The number of the change set to be.
  private let id: UInt64
  private var builder = RowBuilder()
  /// Keeps all rows that were read.
  private var kept: [RowSet] = []
  /// The rows that are deleted, by entity.
  private var doomed: [Int32: [RowPointer]] = [:]
  /// Their keys, by root entity.
  private var keys: [Int32: Set<Int64>] = [:]
  /// What is left of the references to them.
  private var cleared: [Int32: [Int64: Clearing]] = [:]

  /// A row that loses references.
  private struct Clearing {
    let row: RowPointer
    var properties = PropertySet()
  }

  /// An object, and one that a relationship leads to from it.
  private struct Tie {
    let owner: Int64
    let end: RowPointer
  }

  init(
    _ reader: any StoreReader, _ model: ManagedObjectModel, storeNumber: Int32, id: UInt64
  ) {
    self.reader = reader
    self.model = model
    self.storeNumber = storeNumber
    self.id = id
    source = StoredRowSource(reader)
  }

  /// - Throws: `validation.denied` where a relationship denies it.
  /// - Complexity: One statement for each relationship of each wave of deletions; O(rows).
  mutating func changes(_ query: StoreQuery) throws -> ChangeSet {
    var wave = doom(try reader.fetch(query))
    while !wave.isEmpty { wave = try cascaded(wave) }
    try checkDenials()
    try clearReferences()
    let links = try links()
    return ChangeSet(id: id, entities: objects() + links)
  }

  /// Adds rows to those that are deleted.
  /// - Returns: The new ones, by entity.
  private mutating func doom(_ rows: RowSet) -> [Int32: [RowPointer]] {
    kept.append(rows)
    var fresh: [Int32: [RowPointer]] = [:]
    rows.walk { row in
      guard let layout = model.layout(number: row.entityNumber),
        keys[layout.rootNumber, default: []].insert(row.key).inserted
      else { return }
      fresh[layout.number, default: []].append(row)
    }
    doomed.merge(fresh) { $0 + $1 }
    return fresh
  }

  private mutating func cascaded(
    _ wave: [Int32: [RowPointer]]
  ) throws -> [Int32: [RowPointer]] {
    var next: [Int32: [RowPointer]] = [:]
    for (layout, rows) in sorted(wave) {
      for property in layout.digest.relationships where property.deleteRule == .cascade {
        let ends = try ties(through: property, of: rows).map(\.end.held)
        next.merge(doom(RowSet(ends))) { $0 + $1 }
      }
    }
    return next
  }

  private func sorted(
    _ rows: [Int32: [RowPointer]]
  ) -> [(layout: EntityLayout, rows: [RowPointer])] {
    rows.sorted { $0.key < $1.key }.compactMap { number, rows in
      model.layout(number: number).map { ($0, rows) }
    }
  }

  /// What a relationship of some rows leads to.
  private mutating func ties(through property: PropertyLayout, of rows: [RowPointer]) throws
    -> [Tie]
  {
    guard let destination = property.destination else { return [] }
    let owners = Set(rows.map(\.key))
    if property.kind == .toOne {
      let references = rows.filter { !$0.isNull(property.index) }
      let targets = references.map { $0.slot(property.index) }
      let found = try rowsByKey(Array(Set(targets)), of: destination.entity)
      return references.compactMap { row in
        found[row.slot(property.index)].map { Tie(owner: row.key, end: $0) }
      }
    }
    if let join = property.join {
      let links = try source.referrers(
        owners, by: join.entity.properties[join.near], of: join.entity)
      let pairs = links.map { ($0.slot(join.near), $0.slot(join.far)) }
      let found = try rowsByKey(Array(Set(pairs.map(\.1))), of: destination.entity)
      return pairs.compactMap { near, far in found[far].map { Tie(owner: near, end: $0) } }
    }
    let inverse = destination.entity.properties[destination.inverse]
    let found = try source.referrers(owners, by: inverse, of: destination.entity)
    kept.append(found)
    return found.map { Tie(owner: $0.slot(inverse.index), end: $0) }
  }

  private mutating func rowsByKey(
    _ keys: [Int64], of entity: EntityLayout
  ) throws -> [Int64: RowPointer] {
    let found = try source.rows(keys, of: entity)
    kept.append(found)
    return found.withRowsByKey { $0 }
  }

  private func isDoomed(_ row: RowPointer, of entity: EntityLayout) -> Bool {
    keys[entity.rootNumber]?.contains(row.key) ?? false
  }
}

extension BatchDeletion {
  /// Refuses all where a relationship that denies leads to what is not deleted.
  private mutating func checkDenials() throws {
    var denials: [CauldronError] = []
    for (layout, rows) in sorted(doomed) {
      for property in layout.digest.denying {
        guard let end = property.destination?.entity else { continue }
        let left = try ties(through: property, of: rows).filter { !isDoomed($0.end, of: end) }
        let byOwner = Dictionary(grouping: left, by: \.owner)
        for (owner, ties) in byOwner.sorted(by: { $0.key < $1.key }) {
          denials.append(
            .denied(
              layout, id: name(of: owner, entity: layout.number), through: property.name,
              by: ties.prefix(3).map { name(of: $0.end.key, entity: $0.end.entityNumber) },
              count: ties.count))
        }
      }
    }
    if let error = CauldronError.denied(denials) { throw error }
  }

  private func name(of key: Int64, entity number: Int32) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: number, storeNumber: storeNumber)
  }

  /// Notes the references that the rule clears.
  private mutating func clearReferences() throws {
    for (layout, rows) in sorted(doomed) {
      for property in layout.digest.relationships where property.deleteRule == .nullify {
        guard property.join == nil, let destination = property.destination,
          destination.entity.properties[destination.inverse].kind == .toOne
        else { continue }
        for tie in try ties(through: property, of: rows)
        where !isDoomed(tie.end, of: destination.entity) {
          clear(tie, inverse: destination.inverse)
        }
      }
    }
  }

  private mutating func clear(_ tie: Tie, inverse: Int) {
    let row = tie.end
    guard !row.isNull(inverse), row.slot(inverse) == tie.owner else { return }
    cleared[row.entityNumber, default: [:]][row.key, default: Clearing(row: row)]
      .properties.insert(inverse)
  }

  /// What becomes of the objects of each entity.
  private mutating func objects() -> [EntityChanges] {
    var sets: [EntityChanges] = []
    for number in Set(doomed.keys).union(cleared.keys) {
      guard let layout = model.layout(number: number) else { continue }
      let rows = (doomed[number] ?? []).sorted { $0.key < $1.key }
      sets.append(
        EntityChanges(
          entity: layout, inserted: [], updated: updates(layout),
          deleted: rows.map { RowDeletion(base: $0) }))
    }
    return sets
  }

  private mutating func updates(_ layout: EntityLayout) -> [RowUpdate] {
    let clearings = (cleared[layout.number] ?? [:]).values.sorted { $0.row.key < $1.row.key }
    return clearings.map { clearing in
      builder.close()
      let copy = builder.copy(clearing.row, layout)
      for index in clearing.properties.indices {
        copy.setNull(index)
        for slot in layout.properties[index].companions { copy.setCompanion(0, at: slot) }
      }
      builder.close()
      copy.setVersion(clearing.row.nextVersion)
      copy.setMaker(id)
      return RowUpdate(
        row: copy, base: clearing.row, changed: clearing.properties,
        nullified: clearing.properties)
    }
  }

  /// The links of what is deleted, each once.
  private mutating func links() throws -> [EntityChanges] {
    var links: [Int32: (join: EntityLayout, rows: [Int64: RowPointer])] = [:]
    for (layout, rows) in sorted(doomed) {
      for join in layout.digest.relationships.compactMap(\.join) {
        let found = try source.referrers(
          Set(rows.map(\.key)), by: join.entity.properties[join.near], of: join.entity)
        kept.append(found)
        var known = links[join.entity.number]?.rows ?? [:]
        found.walk { known[$0.key] = $0 }
        links[join.entity.number] = (join.entity, known)
      }
    }
    return links.values.filter { !$0.rows.isEmpty }.map { join, rows in
      EntityChanges(
        entity: join, inserted: [], updated: [],
        deleted: rows.values.sorted { $0.key < $1.key }.map { RowDeletion(base: $0) })
    }
  }
}
