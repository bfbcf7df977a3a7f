import CauldronModel
import CauldronQuery

/// Writes a plan to a copy of the tables, undoing layers that fail.
struct MemoryTransaction {
  var tables: MemoryTables
  let identifier: String
  let storeNumber: Int32
  private var undo: [(root: Int32, key: Int64, row: HeldRow?)] = []

  init(tables: MemoryTables, identifier: String, storeNumber: Int32) {
    self.tables = tables
    self.identifier = identifier
    self.storeNumber = storeNumber
  }

  /// Writes the layers in order, once more without those of which a part cannot be written, or which
  /// bring a relationship too few or too many objects.
  mutating func run(_ plan: SavePlan) -> SaveReceipt {
    let before = tables
    var left: [Int: CauldronError] = [:]
    while true {
      var receipt = run(plan, without: left)
      var wrong = plan.torn(receipt.failures)
      if wrong.isEmpty { wrong = miscounts(of: plan, failures: receipt.failures) }
      if wrong.isEmpty {
        if !receipt.survivors.isEmpty { receipt.owners = plan.touchedOwners(receipt.failures) }
        for (entity, keys) in receipt.owners { tables.touch(keys, of: entity) }
        receipt.touched = tables.deriveValues()
        return receipt
      }
      left.merge(wrong) { first, _ in first }
      tables = before
    }
  }

  private mutating func run(
    _ plan: SavePlan, without left: [Int: CauldronError]
  ) -> SaveReceipt {
    var receipt = SaveReceipt(failures: [], statementCount: 0, rowCount: 0)
    var failed: [ManagedObjectID: CauldronError] = [:]
    for (index, layer) in plan.layers.enumerated() {
      let failure = left[index] ?? write(layer, failed: failed)
      receipt.failures.append(failure)
      if let failure {
        for id in layer.changeSet.objectIDs(storeNumber) { failed[id] = failure }
      } else {
        receipt.rowCount += layer.changeSet.count
      }
    }
    tables.tidy()
    return receipt
  }

  private mutating func write(
    _ layer: SavePlan.Layer, failed: [ManagedObjectID: CauldronError]
  ) -> CauldronError? {
    let missing =
      failed.isEmpty
      ? [] : layer.dependencies.filter { failed[$0] != nil }.sorted { $0.key < $1.key }
    if let first = missing.first, let cause = failed[first] {
      return layer.failure(sharing: missing, dueTo: cause)
    }
    if let defect = layer.defect { return defect }
    undo = []
    do throws(CauldronError) {
      var isFree = false
      for step in layer.steps {
        if case .update = step, !isFree {
          try freeValues(layer.steps)
          isFree = true
        }
        try run(step, of: layer.changeSet)
      }
      return nil
    } catch {
      for entry in undo.reversed() {
        tables.replace(entry.key, in: entry.root, with: entry.row)
      }
      return error
    }
  }

  private mutating func run(_ step: SaveStep, of set: ChangeSet) throws(CauldronError) {
    if runJoin(step) { return }
    switch step {
    case .delete(let entity, let deletions):
      for deletion in deletions {
        try requireUnchanged(deletion.base, of: entity)
        replace(deletion.key, of: entity, with: nil)
      }
    case .update(let entity, let updates):
      let isSparse = set.changes(to: entity.number)?.isSparse ?? false
      for update in updates {
        guard update.row.version <= RowPointer.greatestVersion else {
          throw .versionsSpent(name(update.row))
        }
        try write(update.row, of: entity, isSparse: isSparse)
      }
    case .insert(let entity, let rows):
      let isSparse = set.changes(to: entity.number)?.isSparse ?? false
      for row in rows {
        guard tables.row(row.key, of: entity) == nil else { throw .exists(name(row)) }
        try write(row, of: entity, isSparse: isSparse)
      }
    case .requireTargets(let entity, let keys, let source, let property):
      try requireTargets(in: entity, keys: keys, from: source, through: property)
    case .requireUnreferenced(let entity, let property, let keys):
      try requireUnreferenced(from: entity, through: property, keys: Set(keys))
    case .unlink: break
    }
  }

  /// Takes the rows away whose unique values are going to change, so that values can move on from
  /// row to row, and rows can swap theirs.
  private mutating func freeValues(_ steps: [SaveStep]) throws(CauldronError) {
    for step in steps {
      // A link has no version, as in a file.
      guard case .update(let entity, let updates) = step, !entity.isJoin else { continue }
      for update in updates {
        try requireUnchanged(update.base, of: entity)
        if tables.changesUniqueValues(update, in: entity.rootNumber) {
          replace(update.base.key, of: entity, with: nil)
        }
      }
    }
  }

  private mutating func write(
    _ row: RowPointer, of entity: EntityLayout, isSparse: Bool
  ) throws(CauldronError) {
    if let twin = tables.twin(of: row, in: entity.rootNumber) {
      let other = tables.row(twin.key, of: entity)?.row ?? row
      throw .notUnique(name(row), twin.properties, other: name(other))
    }
    replace(row.key, of: entity, with: tables.kept(row, of: entity, isSparse: isSparse))
  }

  mutating func replace(_ key: Int64, of entity: EntityLayout, with row: HeldRow?) {
    let root = entity.rootNumber
    undo.append((root, key, tables.replace(key, in: root, with: row)))
  }
}

extension MemoryTransaction {
  /// Fails where the stored row is not the one that was read.
  func requireUnchanged(_ base: RowPointer, of entity: EntityLayout) throws(CauldronError) {
    guard let stored = tables.row(base.key, of: entity)?.row else {
      throw .deleted(name(base), read: base.version)
    }
    guard stored.version != base.version else { return }
    let fields = stored.difference(from: base, entity).indices.map { entity.properties[$0].name }
    throw .changed(name(base), read: base.version, stored: stored.version, fields: fields)
  }

  func requireTargets(
    in entity: EntityLayout, keys: [Int64], from source: EntityLayout,
    through property: PropertyLayout
  ) throws(CauldronError) {
    let numbers = entity.familyNumbers
    for key in keys {
      if let target = tables.row(key, of: entity)?.row,
        numbers.contains(Int64(target.entityNumber))
      {
        continue
      }
      throw .missingTarget(name(key, in: entity), of: property.name, in: source.name)
    }
  }

  func requireUnreferenced(
    from entity: EntityLayout, through property: PropertyLayout, keys: Set<Int64>
  ) throws(CauldronError) {
    let numbers = StoreQuery(entity: entity).entityRange
    let referrer = tables.table(of: entity).values.map(\.row)
      .filter { row in
        numbers.contains(row.entityNumber) && !row.isNull(property.index)
          && keys.contains(row.slot(property.index))
      }
      .min { $0.key < $1.key }
    guard let referrer, let target = property.destination?.entity else { return }
    let key = referrer.slot(property.index)
    throw .referenced(name(key, in: target), by: name(referrer), property.name)
  }

  func name(_ row: RowPointer) -> NamedObject {
    let id = ManagedObjectID(
      key: row.key, entityNumber: row.entityNumber, storeNumber: storeNumber)
    return NamedObject(id, entity: tables.layout(of: row)?.name ?? "", store: identifier)
  }

  private func name(_ key: Int64, in entity: EntityLayout) -> NamedObject {
    if let row = tables.row(key, of: entity)?.row { return name(row) }
    let id = ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: storeNumber)
    return NamedObject(id, entity: entity.name, store: identifier)
  }
}

extension ChangeSet {
  /// The objects that it touches.
  func objectIDs(_ storeNumber: Int32) -> [ManagedObjectID] {
    var ids: [ManagedObjectID] = []
    for changes in entities {
      changes.forEachChange { key, _, _ in
        ids.append(
          ManagedObjectID(
            key: key, entityNumber: changes.entity.number, storeNumber: storeNumber))
      }
    }
    return ids
  }
}

extension MemoryTransaction {
  /// Runs a step that concerns a join: what is linked already, or unlinked already, is as it should
  /// be.
  /// - Returns: Whether it was one.
  mutating func runJoin(_ step: SaveStep) -> Bool {
    switch step {
    case .delete(let join, let deletions) where join.isJoin:
      for deletion in deletions { replace(deletion.key, of: join, with: nil) }
    case .update(let join, let updates) where join.isJoin:
      for update in updates where tables.row(update.row.key, of: join) != nil {
        keep(update.row, in: join)
      }
    case .insert(let join, let rows) where join.isJoin:
      for row in rows { keep(row, in: join) }
    case .unlink(let join, let property, let keys, let onlyMissing):
      unlink(in: join, through: property, keys: Set(keys), onlyMissing: onlyMissing)
    default: return false
    }
    return true
  }

  private mutating func keep(_ row: RowPointer, in join: EntityLayout) {
    replace(row.key, of: join, with: tables.kept(row, of: join, isSparse: true))
  }

  private mutating func unlink(
    in join: EntityLayout, through property: PropertyLayout, keys: Set<Int64>, onlyMissing: Bool
  ) {
    guard let end = property.destination?.entity else { return }
    let gone = onlyMissing ? keys.filter { tables.row($0, of: end) == nil } : keys
    if gone.isEmpty { return }
    let links = tables.table(of: join).values.map(\.row)
    for link in links where gone.contains(link.slot(property.index)) {
      replace(link.key, of: join, with: nil)
    }
  }
}

extension MemoryTransaction {
  /// Counts what the plan leaves behind in the relationships that must not lead to any number.
  /// - Returns: Why layers must not stay written.
  func miscounts(of plan: SavePlan, failures: [CauldronError?]) -> [Int: CauldronError] {
    plan.miscounts(failures) {
      counts(of: $0, through: $1, keys: Set($2))
    } owner: { owner, key in
      tables.row(key, of: owner).flatMap { tables.layout(of: $0.row) }
    }
  }

  private func counts(
    of entity: EntityLayout, through property: PropertyLayout, keys: Set<Int64>
  ) -> [Int64: Int] {
    let numbers = StoreQuery(entity: entity).entityRange
    var result: [Int64: Int] = [:]
    for row in tables.table(of: entity).values.lazy.map(\.row)
    where numbers.contains(row.entityNumber) && !row.isNull(property.index) {
      let key = row.slot(property.index)
      if keys.contains(key) { result[key, default: 0] += 1 }
    }
    return result
  }
}
