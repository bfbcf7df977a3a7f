internal import CSQLite
import CauldronModel
import CauldronStore

/// The one connection that writes; used under the store's lock.
final class Writer {
  let facts: StoreFacts
  /// Replaced where the outcome of a commit must be read anew.
  private(set) var connection: RowConnection
  private(set) var space: LogSpace
  /// The statements that ran in the save under way.
  var statementCount = 0
  private var inserts: [Int32: RowInsertion] = [:]
  /// Whether each row is deleted by a statement of its own, because that tells which one it is that
  /// cannot be.
  var deletesOneByOne = false
  let reservedKeys: ReservedKeys
  /// Whether the next save writes a copy of the model, because the file has none.
  var lacksCopy = false
  /// The state of the file as others left it; nil where that cannot be read.
  private var version: Int64?
  /// How often others were found to have written.
  private var foreignWrites: UInt64 = 0
  /// How many of these times the rows that were known before are no longer trusted for.
  private var distrusted: UInt64 = 0

  init(_ facts: StoreFacts, _ connection: RowConnection, _ reservedKeys: ReservedKeys) {
    self.facts = facts
    self.reservedKeys = reservedKeys
    self.connection = connection
    space = LogSpace(connection)
    version = try? connection.dataVersion()
  }

  /// The number of the last writes of another connection, unless all rows that were known before are distrusted
  /// already; costs one statement.
  var newForeignWrites: UInt64? {
    noteForeignWrites()
    return foreignWrites > distrusted ? foreignWrites : nil
  }

  /// Takes in that no row is trusted which was known before some foreign writes.
  func rowsAreDistrusted(since writes: UInt64) { distrusted = max(distrusted, writes) }

  /// Remembers whether another connection has written.
  func noteForeignWrites() {
    guard let now = try? connection.dataVersion(), now != version else { return }
    version = now
    foreignWrites += 1
  }

  /// What another connection has written a moment ago was this process itself.
  /// - Parameter isSole: Whether nobody else can have written until now.
  func forgetOwnWrites(if isSole: () -> Bool) {
    guard let now = try? connection.dataVersion(), isSole() else { return }
    version = now
  }

  /// Begins the transaction of a save.
  func begin() throws {
    try beginTransaction()
    if lacksCopy { try ModelCopy(connection: connection).write(facts.schema.model) }
    space.makeRoom()
  }

  /// Begins a transaction that writes, in the opened file and in no other.
  func beginTransaction() throws {
    connection.followTracing(facts.options)
    connection.touched.forget()
    try connection.beginWriting(facts)
    statementCount += 1
  }

  /// The rows that triggers have touched in the transaction, by entity.
  func takeTouched() -> [(entity: EntityLayout, keys: [Int64])] {
    connection.touched.take().compactMap { number, keys in
      facts.schema.layout(fileNumber: number).map { ($0, keys) }
    }
  }

  /// Runs a statement without values and counts it.
  func run(_ sql: String) throws {
    try connection.run(sql)
    statementCount += 1
  }

  /// The prepared insertion of an entity.
  func insertion(_ entity: EntityLayout) throws -> RowInsertion {
    if let known = inserts[entity.number] { return known }
    let made = try RowInsertion(entity, facts.schema, connection)
    inserts[entity.number] = made
    return made
  }

  /// Opens a new connection in place of one that failed.
  func reconnect() throws {
    inserts = [:]
    let fresh = try RowConnection(
      path: facts.file.path, mode: .readWrite, busyTimeout: facts.options.busyTimeout)
    if let missing = facts.missing { throw missing }
    try fresh.configureWriter(facts.options)
    fresh.knownSchema = facts.schemaVersion
    connection = fresh
    // Nobody knows what was written in between.
    version = nil
    space = LogSpace(fresh)
  }

  /// Brings the log into the file and empties it, so that nothing is left beside the file. What another
  /// process keeps from being done waits for nobody: the last one that closes the file does it.
  func checkpoint() {
    inserts = [:]
    guard !connection.isReadOnly else { return }
    _ = connection.withoutWaiting {
      sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    }
  }

  func setMaxPageCount(_ count: Int?) throws { try connection.setMaxPageCount(count) }
}

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
    return try save(plan, hasBegun: false, willCommit: willCommit, didCommit: didCommit)
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
        try undo()
        receipt.statementCount = statementCount
        return receipt
      }
      receipt.owners = try touchOwners(of: plan, failures: failures)
      // Asked before the commit, which may need another connection.
      receipt.touched = takeTouched()
      if !receipt.owners.isEmpty, newForeignWrites != nil {
        // Their values may be another process's: that their versions grow does not make known rows the newest.
        receipt.touched += receipt.owners
        receipt.owners = []
      }
      willCommit(survivors)
      var committed: SaveReceipt?
      defer { didCommit(committed) }
      try commit(plan, failures: failures)
      receipt.statementCount = statementCount
      committed = receipt
      return receipt
    } catch let failure as SQLiteFailure {
      // The code of the first failure counts, whatever the rollback says.
      connection.rollbackQuietly()
      throw facts.report(failure).saving(plan.rowCount)
    } catch let dropped as DroppedRows {
      connection.rollbackQuietly()
      throw dropped.error("Cannot save to", facts.file.path, connection)
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
      if wrong.isEmpty { wrong = try miscounts(plan, failures: failures) }
      if wrong.isEmpty { return failures }
      left.merge(wrong) { first, _ in first }
      try undo()
    }
  }

  /// Undoes the transaction, unless a trigger has done so.
  func undo() throws { if connection.isInTransaction { try run("ROLLBACK") } }

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
        failures.append(error.with { $0.path = facts.file.path })
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
      case .delete(let entity, let deletions): try delete(deletions, from: entity)
      case .update(let entity, let updates):
        try update(updates, in: entity, changeSet: layer.changeSet)
      case .insert(let entity, let rows): try insert(rows, into: entity)
      case .requireTargets(let destination, let keys, let source, let property):
        try requireTargets(in: destination, keys: keys, from: source, property: property)
      case .requireUnreferenced(let entity, let property, let keys):
        try requireUnreferenced(by: entity, through: property, keys: keys, in: layer.changeSet)
      case .unlink: break
      }
    }
  }
}

extension Writer {
  /// Takes keys beyond all that were given and all that are in the table; waits for the lock.
  func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    do {
      return try connection.reserveKeys(count, for: root, facts: facts, reserved: reservedKeys)
    } catch let failure as SQLiteFailure {
      throw facts.report(failure).writing()
    }
  }

  /// Lowers `Z_MAX` to what it was before the block, unless keys were taken since. It waits for no lock:
  /// keys that are not returned are a gap between those of objects, and no more.
  func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {
    guard !range.isEmpty else { return }
    reservedKeys.forget(root)
    do {
      try connection.withoutWaiting { try connection.beginWriting(facts) }
      let statement = try connection.bound(
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(bind: range.lowerBound - 1) \
        WHERE Z_ENT = \(bind: facts.number(of: root)) AND Z_MAX = \(bind: range.upperBound - 1)
        """)
      try statement.run()
      try facts.foreign.committing(connection) { try connection.run("COMMIT") }
    } catch let failure as SQLiteFailure {
      connection.rollbackQuietly()
      var options = facts.options
      options.busyTimeout = 0
      throw FailureReport(failure, facts.file, options).writing()
    }
  }

  /// Sees to it that `Z_MAX` is not below a written key, as Core Data's next insertion relies on.
  ///
  /// No statement for keys that were reserved here: nobody else ever lowers `Z_MAX` below them.
  func raiseKeys(to key: Int64, for root: EntityLayout) throws {
    if reservedKeys.include(key, of: root) { return }
    let statement = try connection.bound(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(bind: key) \
      WHERE Z_ENT = \(bind: facts.number(of: root)) AND ifnull(Z_MAX, 0) < \(bind: key)
      """)
    try statement.run()
    statementCount += 1
    if connection.changes == 1 { return }
    let counter = try connection.bound(
      "SELECT 1 FROM Z_PRIMARYKEY WHERE Z_ENT = \(bind: facts.number(of: root)) AND Z_MAX >= \(bind: key)"
    )
    defer { counter.reset() }
    guard try !counter.step() else { return }
    throw DroppedRows("Z_PRIMARYKEY", "has not taken \(key) as the last key of \(root.name)")
  }
}
