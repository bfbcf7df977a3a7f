internal import CSQLite
import CauldronModel

extension Writer {
  /// Writes a plan in one transaction.
  /// - Throws: What concerns all layers; then nothing was written.
  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    statementCount = 0
    guard !plan.layers.isEmpty else {
      return SaveReceipt(failures: [], statementCount: 0, rowCount: 0)
    }
    return try save(plan, hasBegun: false, willCommit, didCommit)
  }

  /// Begins a transaction, asks for the plan, and writes it.
  /// - Throws: What concerns all layers; then nothing was written.
  func saveHolding(
    _ plan: () -> SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    statementCount = 0
    do {
      try begin()
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      throw facts.report(failure).saving(0)
    } catch {
      connection.rollbackQuietly()
      throw error
    }
    let plan = plan()
    guard !plan.layers.isEmpty else {
      connection.rollbackQuietly()
      return SaveReceipt(failures: [], statementCount: statementCount, rowCount: 0)
    }
    return try save(plan, hasBegun: true, willCommit, didCommit)
  }

  private func save(
    _ plan: SavePlan, hasBegun: Bool, _ willCommit: ([Int]) -> Void,
    _ didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    do {
      let failures = try writeUnits(plan, hasBegun: hasBegun)
      var receipt = SaveReceipt(failures: failures, statementCount: 0, rowCount: 0)
      let survivors = receipt.survivors
      for index in survivors { receipt.rowCount += plan.layers[index].changeSet.count }
      guard !survivors.isEmpty else {
        try run("ROLLBACK")
        receipt.statementCount = statementCount
        return receipt
      }
      // Asked before the commit, which may need another connection.
      receipt.touched = takeTouched()
      willCommit(survivors)
      var committed: SaveReceipt?
      defer { didCommit(committed) }
      try commit(plan, failures)
      receipt.statementCount = statementCount
      committed = receipt
      return receipt
    } catch let failure as SQLiteFailure {
      // The code of the first failure counts, whatever the rollback says.
      connection.rollbackQuietly()
      throw facts.report(failure).saving(plan.rowCount)
    } catch {
      // Whatever it is, the next one begins a transaction of its own.
      connection.rollbackQuietly()
      throw error
    }
  }

  /// Begins a transaction and writes the layers in order, once more without those of which a part
  /// cannot be written or which bring a relationship too few or too many objects; answers the failure of
  /// each.
  private func writeUnits(_ plan: SavePlan, hasBegun: Bool) throws -> [CauldronError?] {
    var left: [Int: CauldronError] = [:]
    var hasBegun = hasBegun
    defer { deletesOneByOne = false }
    while true {
      if !hasBegun { try begin() }
      hasBegun = false
      guard let failures = try writeLayers(plan, without: left) else {
        // SQLite may have ended the transaction by itself.
        connection.rollbackQuietly()
        deletesOneByOne = true
        continue
      }
      var wrong = plan.torn(failures)
      if wrong.isEmpty { wrong = try miscounts(plan, failures) }
      if wrong.isEmpty { return failures }
      left.merge(wrong) { first, _ in first }
      try run("ROLLBACK")
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
    for (index, layer) in plan.layers.enumerated() {
      if let error = left[index] {
        failures.append(error)
      } else if let error = dependencyError(of: layer, plan.layers, failures) {
        failures.append(error)
      } else if plan.layers.count == 1 {
        failures.append(try attempt(layer))
      } else {
        failures.append(try attemptInSavepoint(layer))
      }
    }
    return failures
  }

  private func attemptInSavepoint(_ layer: SavePlan.Layer) throws -> CauldronError? {
    try run("SAVEPOINT layer")
    let failure = try attempt(layer)
    if failure != nil { try run("ROLLBACK TO layer") }
    try run("RELEASE layer")
    return failure
  }

  /// Writes one layer; answers what is wrong with it, throws what is wrong with the store.
  private func attempt(_ layer: SavePlan.Layer) throws -> CauldronError? {
    if let defect = layer.defect { return defect.with { $0.path = facts.file.path } }
    do {
      try write(layer)
      return nil
    } catch let error as CauldronError {
      return error.with { $0.path = facts.file.path }
    }
  }

  private func write(_ layer: SavePlan.Layer) throws {
    for step in layer.steps {
      if try writeJoin(step) { continue }
      switch step {
      case .delete(let entity, let deletions): try delete(deletions, entity)
      case .update(let entity, let updates): try update(updates, entity, layer.changeSet)
      case .insert(let entity, let rows): try insert(rows, entity)
      case .requireTargets(let destination, let keys, let source, let property):
        try requireTargets(destination, keys, source, property)
      case .requireUnreferenced(let entity, let property, let keys):
        try requireUnreferenced(entity, property, keys, layer.changeSet)
      case .unlink: break
      }
    }
  }

  /// The error of a layer that builds on objects of an earlier one that failed.
  private func dependencyError(
    of layer: SavePlan.Layer, _ layers: [SavePlan.Layer], _ failures: [CauldronError?]
  ) -> CauldronError? {
    for (index, failure) in failures.enumerated() {
      guard let failure else { continue }
      let earlier = layers[index]
      let shared = layer.dependencies.filter { earlier.changeSet.change($0) != nil }
      guard !shared.isEmpty else { continue }
      return .dependent(on: failure, shared.sorted { $0.key < $1.key })
        .with { $0.path = facts.file.path }
    }
    return nil
  }
}
