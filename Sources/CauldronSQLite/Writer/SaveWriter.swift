import CauldronModel
import CauldronStore

/// One save: writes the layers of a plan in one transaction.
final class SaveWriter {
  private let writer: Writer
  /// Whether each row is deleted by a statement of its own, because that tells which one it is that
  /// cannot be.
  private var deletesOneByOne = false

  init(_ writer: Writer) { self.writer = writer }

  /// Writes a plan in one transaction.
  /// - Throws: What concerns all layers; then nothing was written.
  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    writer.statementCount = 0
    guard !plan.layers.isEmpty else {
      return SaveReceipt(failures: [], statementCount: 0, rowCount: 0)
    }
    return try save(plan, hasBegun: false, willCommit: willCommit, didCommit: didCommit)
  }

  /// Begins a transaction, asks for the plan, and writes it.
  /// - Throws: What concerns all layers; then nothing was written.
  func saveHolding(
    _ plan: () -> SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    writer.statementCount = 0
    do {
      try writer.begin()
    } catch let failure as SQLiteFailure {
      writer.connection.rollbackQuietly()
      throw writer.facts.report(failure).saving(0)
    } catch {
      writer.connection.rollbackQuietly()
      throw error
    }
    let plan = plan()
    guard !plan.layers.isEmpty else {
      writer.connection.rollbackQuietly()
      return SaveReceipt(failures: [], statementCount: writer.statementCount, rowCount: 0)
    }
    return try save(plan, hasBegun: true, willCommit: willCommit, didCommit: didCommit)
  }

  private func save(
    _ plan: SavePlan, hasBegun: Bool, willCommit: ([Int]) -> Void,
    didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    do {
      let failures = try writeUnits(plan, hasBegun: hasBegun)
      var receipt = SaveReceipt(failures: failures, statementCount: 0, rowCount: 0)
      let survivors = receipt.survivors
      for index in survivors { receipt.rowCount += plan.layers[index].changeSet.count }
      guard !survivors.isEmpty else {
        try writer.undo()
        receipt.statementCount = writer.statementCount
        return receipt
      }
      receipt.owners = try OwnerVersions(writer: writer).touch(ownersIn: plan, failures: failures)
      // Asked before the commit, which may need another connection.
      receipt.touched = writer.takeTouched()
      if !receipt.owners.isEmpty, writer.newForeignWrites != nil {
        // Their values may be another process's: that their versions grow does not make known rows the newest.
        receipt.touched += receipt.owners
        receipt.owners = []
      }
      willCommit(survivors)
      var committed: SaveReceipt?
      defer { didCommit(committed) }
      try CommitJudge(writer: writer).commit { try isSaved(plan, failures: failures) }
      receipt.statementCount = writer.statementCount
      committed = receipt
      return receipt
    } catch let failure as SQLiteFailure {
      // The code of the first failure counts, whatever the rollback says.
      writer.connection.rollbackQuietly()
      throw writer.facts.report(failure).saving(plan.rowCount)
    } catch let dropped as DroppedRows {
      writer.connection.rollbackQuietly()
      throw dropped.error("Cannot save to", writer.facts.file.path, writer.connection)
    } catch {
      // Whatever it is, the next one begins a transaction of its own.
      writer.connection.rollbackQuietly()
      throw error
    }
  }

  /// Reads one changed row back.
  private func isSaved(_ plan: SavePlan, failures: [CauldronError?]) throws -> Bool {
    let judge = RowJudge(writer: writer)
    for (layer, failure) in zip(plan.layers, failures) where failure == nil {
      for changes in layer.changeSet.entities {
        if let row = changes.inserted.first ?? changes.updated.first?.row {
          return try judge.version(of: row.key, in: changes.entity) == row.version
        }
        if let deletion = changes.deleted.first {
          return try judge.version(of: deletion.key, in: changes.entity) == nil
        }
      }
    }
    return false
  }

  /// Begins a transaction and writes the layers in order, once more without those of which a part
  /// cannot be written or which bring a relationship too few or too many objects; answers the failure of
  /// each.
  private func writeUnits(_ plan: SavePlan, hasBegun: Bool) throws -> [CauldronError?] {
    var left: [Int: CauldronError] = [:]
    var hasBegun = hasBegun
    while true {
      if !hasBegun { try writer.begin() }
      hasBegun = false
      guard let failures = try writeLayers(plan, without: left) else {
        // SQLite may have ended the transaction by itself.
        writer.connection.rollbackQuietly()
        deletesOneByOne = true
        continue
      }
      var wrong = plan.torn(failures)
      if wrong.isEmpty {
        wrong = try ReferenceCheck(writer: writer).miscounts(plan, failures: failures)
      }
      if wrong.isEmpty { return failures }
      left.merge(wrong) { first, _ in first }
      try writer.undo()
    }
  }

  /// - Returns: The failure of each layer; nil where rows have to be deleted one by one to tell.
  private func writeLayers(
    _ plan: SavePlan, without left: [Int: CauldronError]
  ) throws -> [CauldronError?]? {
    do {
      return try failures(plan, without: left)
    } catch is TornDeletion {
      return nil
    }
  }

  private func failures(
    _ plan: SavePlan, without left: [Int: CauldronError]
  ) throws -> [CauldronError?] {
    var failures: [CauldronError?] = []
    var failed = FailedLayers()
    for (index, layer) in plan.layers.enumerated() {
      if let error = left[index] {
        failures.append(error)
      } else if let error = failed.error(of: layer) {
        failures.append(error.with { $0.path = writer.facts.file.path })
      } else if plan.layers.count == 1 {
        failures.append(try attempt(layer))
      } else {
        failures.append(try attemptInSavepoint(layer))
      }
      if let failure = failures[index] { failed.add(index, layer, failure) }
    }
    return failures
  }

  private func attemptInSavepoint(_ layer: SavePlan.Layer) throws -> CauldronError? {
    try writer.run("SAVEPOINT layer")
    let failure = try attempt(layer)
    if failure != nil { try writer.run("ROLLBACK TO layer") }
    try writer.run("RELEASE layer")
    return failure
  }

  /// Writes one layer; answers what is wrong with it, throws what is wrong with the store.
  private func attempt(_ layer: SavePlan.Layer) throws -> CauldronError? {
    if let defect = layer.defect { return defect.with { $0.path = writer.facts.file.path } }
    do {
      try write(layer)
      return nil
    } catch let error as CauldronError {
      return error.with { $0.path = writer.facts.file.path }
    }
  }

  private func write(_ layer: SavePlan.Layer) throws {
    let rows = RowWriter(writer: writer, deletesOneByOne: deletesOneByOne)
    let links = LinkWriter(writer: writer)
    let check = ReferenceCheck(writer: writer)
    for step in layer.steps {
      if try links.write(step) { continue }
      switch step {
      case .delete(let entity, let deletions): try rows.delete(deletions, from: entity)
      case .update(let entity, let updates):
        try rows.update(updates, in: entity, changeSet: layer.changeSet)
      case .insert(let entity, let inserted): try rows.insert(inserted, into: entity)
      case .requireTargets(let destination, let keys, let source, let property):
        try check.requireTargets(in: destination, keys: keys, from: source, property: property)
      case .requireUnreferenced(let entity, let property, let keys):
        try check.requireUnreferenced(
          by: entity, through: property, keys: keys, in: layer.changeSet)
      case .unlink: break
      }
    }
  }
}

/// The layers of a plan that have failed, by their objects: a layer that builds on one of these fails, too.
struct FailedLayers {
  private var failures: [Int: (layer: SavePlan.Layer, error: CauldronError)] = [:]
  /// The first layer that has failed of those that touch each object.
  private var first: [Object: Int] = [:]

  private struct Object: Hashable {
    let entity: Int32
    let key: Int64
  }

  /// - Complexity: O(rows of the layer).
  mutating func add(_ index: Int, _ layer: SavePlan.Layer, _ error: CauldronError) {
    failures[index] = (layer, error)
    for changes in layer.changeSet.entities {
      for key in changes.keys {
        let object = Object(entity: changes.entity.number, key: key)
        if first[object] == nil { first[object] = index }
      }
    }
  }

  /// Why a layer fails that builds on objects of an earlier one; nil where it does not.
  /// - Complexity: O(rows of the layer); nothing where none has failed.
  func error(of layer: SavePlan.Layer) -> CauldronError? {
    if failures.isEmpty { return nil }
    let dependencies = layer.dependencies
    guard let index = dependencies.lazy.compactMap(first(of:)).min(),
      let (earlier, error) = failures[index]
    else { return nil }
    return layer.failure(
      sharing: dependencies.filter { earlier.changeSet.change($0) != nil }, dueTo: error)
  }

  private func first(of id: ManagedObjectID) -> Int? {
    first[Object(entity: id.entityNumber, key: id.key)]
  }
}

/// The versions of rows whose objects have other to-many relationships now, which no column of theirs tells.
struct OwnerVersions {
  let writer: Writer

  /// Has the versions of those rows grow whose objects have other to-many relationships now; a statement
  /// for each table. One whose version cannot grow any more keeps it.
  /// - Returns: The rows.
  func touch(
    ownersIn plan: SavePlan, failures: [CauldronError?]
  ) throws -> [(entity: EntityLayout, keys: [Int64])] {
    let owners = plan.touchedOwners(failures)
    for (entity, keys) in owners {
      // One text for any number of keys: the statement is prepared once.
      let statement = try writer.connection.statement(
        "UPDATE \(writer.facts.schema.table(of: entity).sqlName) SET Z_OPT = ifnull(Z_OPT, 0) + 1"
          + " WHERE Z_PK IN (SELECT value FROM json_each(?))"
          + " AND ifnull(Z_OPT, 0) < \(RowPointer.greatestVersion)")
      let json = "[" + keys.map(String.init).joined(separator: ",") + "]"
      try statement.bind(1, to: .text(Array(json.utf8)))
      defer { statement.clearBindings() }
      try statement.run()
      writer.statementCount += 1
      if writer.connection.changes < keys.count { try requireTouched(keys.count, json, of: entity) }
    }
    return owners
  }

  /// Fails where owners are there whose versions could grow, and did not.
  private func requireTouched(_ count: Int, _ keys: String, of entity: EntityLayout) throws {
    let changes = writer.connection.changes
    let statement = try writer.connection.statement(
      "SELECT count(*) FROM \(writer.facts.schema.table(of: entity).sqlName)"
        + " WHERE Z_PK IN (SELECT value FROM json_each(?))"
        + " AND ifnull(Z_OPT, 0) < \(RowPointer.greatestVersion)")
    defer {
      statement.reset()
      statement.clearBindings()
    }
    try statement.bind(1, to: .text(Array(keys.utf8)))
    guard try statement.step(), Int(statement.integer(0)) > changes else { return }
    throw DroppedRows(
      writer.facts.schema.table(of: entity), "has kept \(changes) of \(count) versions")
  }
}
