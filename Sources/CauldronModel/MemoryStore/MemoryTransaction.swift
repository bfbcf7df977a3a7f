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
      if wrong.isEmpty { wrong = miscounts(plan, receipt.failures) }
      if wrong.isEmpty {
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
      let failure = left[index] ?? write(layer, failed)
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
    _ layer: SavePlan.Layer, _ failed: [ManagedObjectID: CauldronError]
  ) -> CauldronError? {
    let missing =
      failed.isEmpty
      ? [] : layer.dependencies.filter { failed[$0] != nil }.sorted { $0.key < $1.key }
    if let first = missing.first, let cause = failed[first] {
      return .dependent(on: cause, missing)
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
        try run(step, layer.changeSet)
      }
      return nil
    } catch {
      for entry in undo.reversed() {
        tables.replace(entry.key, in: entry.root, with: entry.row)
      }
      return error
    }
  }

  private mutating func run(_ step: SaveStep, _ set: ChangeSet) throws(CauldronError) {
    if runJoin(step) { return }
    switch step {
    case .delete(let entity, let deletions):
      for deletion in deletions {
        try requireUnchanged(deletion.base, entity)
        replace(deletion.key, of: entity, with: nil)
      }
    case .update(let entity, let updates):
      let isSparse = set.changes(to: entity.number)?.isSparse ?? false
      for update in updates {
        guard update.row.version <= RowPointer.greatestVersion else {
          throw .versionsSpent(name(update.row))
        }
        try write(update.row, entity, isSparse)
      }
    case .insert(let entity, let rows):
      let isSparse = set.changes(to: entity.number)?.isSparse ?? false
      for row in rows {
        guard tables.row(row.key, of: entity) == nil else { throw .exists(name(row)) }
        try write(row, entity, isSparse)
      }
    case .requireTargets(let entity, let keys, let source, let property):
      try requireTargets(entity, keys, source, property)
    case .requireUnreferenced(let entity, let property, let keys):
      try requireUnreferenced(entity, property, Set(keys))
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
        try requireUnchanged(update.base, entity)
        if tables.changesUniqueValues(update, in: entity.root.number) {
          replace(update.base.key, of: entity, with: nil)
        }
      }
    }
  }

  private mutating func write(
    _ row: RowPointer, _ entity: EntityLayout, _ isSparse: Bool
  ) throws(CauldronError) {
    if let twin = tables.twin(of: row, in: entity.root.number) {
      let other = tables.row(twin.key, of: entity)?.row ?? row
      throw .notUnique(name(row), twin.properties, other: name(other))
    }
    replace(row.key, of: entity, with: tables.kept(row, entity, isSparse: isSparse))
  }

  mutating func replace(_ key: Int64, of entity: EntityLayout, with row: HeldRow?) {
    let root = entity.root.number
    undo.append((root, key, tables.replace(key, in: root, with: row)))
  }
}
