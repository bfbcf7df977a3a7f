import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronQuery
import CauldronStore
import Dispatch
import Foundation
import Logging

/// A batch as it was asked for, and when.
private struct BatchCall {
  /// Such as "update", for logs.
  let name: String
  let entity: EntityLayout
  let returnsIDs: Bool
  /// The context that asked, which is told in any case.
  let core: ContextCore
  let began = DispatchTime.now()
}

// Batches are written at once, over what is committed: no context has a part in them, but each is told.
extension PersistentStoreCoordinator {
  /// Updates rows, the quick way if the store has one that serves.
  func update(
    _ update: BatchUpdate, returningIDs: Bool, for core: ContextCore
  ) throws -> BatchSummary {
    try requireSettled()
    let call = BatchCall(
      name: "update", entity: update.query.entity, returnsIDs: returningIDs, core: core)
    if let receipt = try updateQuickly(update, for: core) {
      let summary = BatchSummary(receipt, returningIDs: returningIDs, storeNumber)
      log(call, summary: summary, statements: receipt.statementCount)
      return summary
    }
    return try write(call) { reader, id in
      var evaluation = BatchEvaluation(update, managedObjectModel, id: id)
      return try evaluation.changes(reader)
    }
  }

  /// Deletes rows.
  func delete(
    _ query: StoreQuery, returningIDs: Bool, for core: ContextCore
  ) throws -> BatchSummary {
    try requireSettled()
    let call = BatchCall(
      name: "deletion", entity: query.entity, returnsIDs: returningIDs, core: core)
    return try write(call) { reader, id in
      var deletion = BatchDeletion(
        reader, managedObjectModel, storeNumber: storeNumber, id: id)
      return try deletion.changes(query)
    }
  }

  /// Inserts rows, or changes those that have their unique values.
  func insert(
    _ rows: BatchRows, on key: UniqueKey?, returningIDs: Bool, for core: ContextCore
  ) throws -> BatchSummary {
    try requireSettled()
    if rows.rows.isEmpty { return BatchSummary() }
    let root = rows.entity.root
    let free = try keys.reserved(Int64(rows.rows.count), root: root)
    var used = 0
    defer { giveBack(free, after: used, root: root) }
    let call = BatchCall(
      name: key == nil ? "insertion" : "upsert", entity: rows.entity, returnsIDs: returningIDs,
      core: core)
    return try write(call) { reader, id in
      var upsert = BatchUpsert(rows, on: key, managedObjectModel, id: id, keys: free)
      let changes = try upsert.changes(reader)
      used = upsert.usedKeys
      return changes
    }
  }

  private func giveBack(_ free: [Range<Int64>], after used: Int, root: EntityLayout) {
    var rest = used
    for range in free {
      let taken = min(rest, range.count)
      rest -= taken
      keys.giveBack(range.lowerBound + Int64(taken)..<range.upperBound, root: root)
    }
  }

  /// Nobody may change rows by which the outcome of a commit is to be found out.
  private func requireSettled() throws {
    if isClosed { throw CauldronError.closed() }
    let isUnsettled = ledger.withLock { ledger.nodes.all.contains { !$0.unsettled.isEmpty } }
    guard isUnsettled else { return }
    throw CauldronError(
      .storeCommitOutcomeUnknown,
      "Cannot write at once: whether an earlier save was written is still unknown.",
      hint: "Save the root saving context first."
    ).with { $0.path = storeURL?.path }
  }
}

extension PersistentStoreCoordinator {
  /// Writes changes that are made while nobody else can write.
  private func write(
    _ call: BatchCall, make: (any StoreReader, UInt64) throws -> ChangeSet
  ) throws -> BatchSummary {
    var made: Result<ChangeSet, any Error>?
    let receipt: SaveReceipt
    do {
      receipt = try store.saveHolding {
        let result = Result { try checked(make) }
        made = result
        guard let changes = try? result.get(), changes.count > 0 else {
          return SavePlan([], storeNumber: storeNumber)
        }
        // A batch is about rows; no object is asked or touched for it.
        return SavePlan([changes], storeNumber: storeNumber, touchesOwners: false)
      } willCommit: { _ in
        ledger.commitBegins([])
      } didCommit: { receipt in
        batchEnds(try? made?.get(), receipt: receipt, askedBy: call.core)
      }
    } catch {
      throw distrust(after: error)
    }
    for failure in receipt.failures { if let failure { throw failure } }
    guard let changes = try made?.get() else { return BatchSummary() }
    let summary = BatchSummary(changes, returningIDs: call.returnsIDs, storeNumber)
    log(call, summary: summary, statements: receipt.statementCount)
    return summary
  }

  /// The changes, which keep what the model says of single rows.
  private func checked(
    _ make: (any StoreReader, UInt64) throws -> ChangeSet
  ) throws -> ChangeSet {
    let reader = try store.reader()
    defer { reader.finish() }
    let changes = try make(reader, ledger.changeSetID())
    var problems = ValidationProblems()
    let layers = [Layer(changes: changes, origin: LedgerNode(parent: nil))]
    Validation.check(layers, among: layers, storeNumber: storeNumber, problems: &problems)
    if let error = problems.error { throw error }
    return changes
  }

  /// Takes over what a batch has written, in the order of the commits. Contexts are told before lists are.
  private func batchEnds(_ changes: ChangeSet?, receipt: SaveReceipt?, askedBy core: ContextCore) {
    if let changes, let receipt, !receipt.survivors.isEmpty {
      ledger.commitIsRecorded()
      record(changes)
      outdate(receipt.touched) {
        let keys = BatchKeys(receipt.touched)
        tell(core) { core in
          if changes.count > 0 { core.catchUp.receive(changes, as: .sibling) }
          if !receipt.touched.isEmpty { core.catchUp.receive(keys) }
        }
      }
    }
    ledger.withLock { ledger.uncheckedCommitEnds() }
  }

  /// Nobody knows whether a batch was written: what is cached may be old.
  private func distrust(after error: any Error) -> CauldronError {
    let error = CauldronError.wrap(error)
    if error.code == .storeCommitOutcomeUnknown { distrustRows() }
    return error
  }

  private func updateQuickly(
    _ update: BatchUpdate, for core: ContextCore
  ) throws -> BatchReceipt? {
    let receipt: BatchReceipt?
    do {
      receipt = try store.update(update) {
        ledger.commitBegins([])
      } didCommit: { receipt in
        if let receipt { record(receipt, askedBy: core) }
        ledger.withLock { ledger.uncheckedCommitEnds() }
      }
    } catch {
      throw distrust(after: error)
    }
    return receipt
  }

  private func record(_ receipt: BatchReceipt, askedBy core: ContextCore) {
    ledger.commitIsRecorded()
    let rows = receipt.updated + receipt.touched
    outdate(rows) {
      if receipt.count == 0 { return }
      let keys = BatchKeys(rows)
      tell(core) { $0.catchUp.receive(keys) }
    }
  }

  /// Tells the contexts that show committed rows: root contexts, contexts that merge saves
  /// automatically, and the context of the batch.
  private func tell(_ asking: ContextCore, body: (ContextCore) -> Void) {
    for node in ledger.nodes.all {
      guard let core = node.core else { continue }
      if core === asking || node.parent == nil || core.settings.isMerging { body(core) }
    }
  }

  private func log(_ call: BatchCall, summary: BatchSummary, statements: Int) {
    logger.info(
      "→ Batch \(call.name) of \(call.entity.name): \(summary.text)",
      metadata: summary.metadata(of: call, statements: statements))
  }
}

extension BatchSummary {
  fileprivate func metadata(of call: BatchCall, statements: Int) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["entity": "\(call.entity.name)"]
    metadata.note(inserted, as: "inserted")
    metadata.note(updated, as: "updated")
    metadata.note(deleted, as: "deleted")
    metadata.note(links, as: "links")
    metadata.note(statements, as: "statements")
    metadata.note(milliseconds: call.began.milliseconds(to: .now()), as: "worked")
    return metadata
  }

  /// What was done, for logs.
  fileprivate var text: String {
    let parts = [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")]
      .filter { $0.0 > 0 }.map { "\($0) \($1)" }
    return parts.isEmpty ? "nothing to write" : parts.joined(separator: ", ")
  }
}

/// Makes the changes of an update from the rows that it finds: the long way, which any store can go,
/// and which tells what is wrong with a value.
struct BatchEvaluation {
  let update: BatchUpdate
  let model: ManagedObjectModel
  /// The number of the change set to be.
  let id: UInt64
  private var builder = RowBuilder()
  private var updates: [Int32: [RowUpdate]] = [:]

  init(_ update: BatchUpdate, _ model: ManagedObjectModel, id: UInt64) {
    self.update = update
    self.model = model
    self.id = id
  }

  /// - Complexity: One statement, and one for each relationship of the expressions; O(rows).
  mutating func changes(_ reader: any StoreReader) throws -> ChangeSet {
    let found = try reader.fetch(update.query)
    return try found.withRows { rows in
      let rows = Array(rows)
      let evaluation = RowEvaluation(StoredRowSource(reader))
      let columns = try update.assignments.map { try evaluation.values($0.value, rows) }
      for (position, row) in rows.enumerated() {
        guard let layout = model.layout(number: row.entityNumber) else { continue }
        try add(row, of: layout, values: columns.map { $0[position] })
      }
      let sets = updates.compactMap { number, updates in
        model.layout(number: number).map {
          EntityChanges(entity: $0, inserted: [], updated: updates, deleted: [])
        }
      }
      return ChangeSet(id: id, entities: sets)
    }
  }

  private mutating func add(
    _ row: RowPointer, of layout: EntityLayout, values: [AttributeScalar]
  ) throws {
    builder.close()
    var copy = builder.copy(row, layout)
    for (assignment, value) in zip(update.assignments, values) {
      let property = layout.properties[assignment.property.index]
      guard let kept = property.kept(value) else {
        throw misfit(of: property, in: row, entity: layout)
      }
      copy = builder.set(property.index, kept, of: copy, layout)
      if let slot = property.entitySlot {
        copy.setCompanion(Int64(assignment.target?.number ?? 0), at: slot)
      }
      if let slot = property.orderSlot { copy.setCompanion(0, at: slot) }
    }
    builder.close()
    copy.setVersion(row.nextVersion)
    copy.setMaker(id)
    updates[layout.number, default: []].append(
      RowUpdate(row: copy, base: row, changed: update.changed))
  }

  private func misfit(
    of property: PropertyLayout, in row: RowPointer, entity layout: EntityLayout
  ) -> CauldronError {
    let type = property.attributeType?.displayName ?? "its type"
    return CauldronError(
      .queryOverflow,
      "Cannot update \(layout.name) at once: a new value of \(property.name) is none of \(type).",
      hint: "Leave those objects out, or calculate within the range of the type."
    ).with {
      $0.entity = layout.name
      $0.property = property.name
    }
  }
}
