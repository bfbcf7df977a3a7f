package import CauldronModel
package import CauldronStore
package import Foundation

/// A store in a SQLite file of Core Data's format.
package final class SQLiteStore: PersistentStore {
  package let identifier: String
  package let url: URL?
  let facts: StoreFacts
  let pool: ReaderPool
  private let writer: Locked<Writer?>
  private let reserver: Locked<KeyReserver>
  private let claim: Locked<OpenStores.Claim?>
  /// The watches to be told of foreign commits.
  private let watches = Locked<[WeakWatch]>([])

  /// Opens a store, or creates it where the file is missing or empty.
  ///
  /// Nothing is written before the model is known to match. Opening costs about fifteen statements
  /// and one for each table.
  /// - Parameter storeNumber: The store's number in the IDs that errors carry.
  /// - Throws: ``CauldronError`` with a code that begins with `store.`.
  package static func open(
    url: URL, model: ManagedObjectModel, storeNumber: Int32,
    options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws -> SQLiteStore {
    let file = StoreFile(url)
    try file.checkPlace(createDirectory: options.createDirectory && !options.readOnly)
    if let seed = options.seed, !options.readOnly { try StoreSeed(seed, for: file).plant() }
    let claim = try OpenStores.Claim(file)
    let opened = try StoreOpener(file: file, model: model, options: options).openOrRecreate()
    claim.settle(file)
    let facts = StoreFacts(
      file: file, identifier: opened.metadata.identifier, storeNumber: storeNumber,
      options: options, schema: opened.schema, plans: PackPlans(opened.schema),
      schemaVersion: opened.schemaVersion, restoration: opened.metadata.restoration)
    opened.writer.knownSchema = opened.schemaVersion
    let reserved = ReservedKeys()
    let reserver = KeyReserver(facts, reserved, isReadOnly: opened.writer.isReadOnly)
    let writer = Writer(facts, opened.writer, reserved)
    writer.lacksCopy = opened.lacksCopy
    return SQLiteStore(facts, writer, reserver, claim)
  }

  private init(
    _ facts: StoreFacts, _ writer: sending Writer, _ reserver: sending KeyReserver,
    _ claim: OpenStores.Claim
  ) {
    self.facts = facts
    self.reserver = Locked(reserver)
    identifier = facts.identifier
    url = facts.file.url
    pool = ReaderPool(facts)
    self.writer = Locked(writer)
    self.claim = Locked(claim)
  }

  /// Borrows a connection; opens one where none is idle.
  package func reader() throws -> any StoreReader { try SQLiteReader(facts, pool) }

  /// Takes keys in a transaction of its own: three statements.
  package func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    try writing { try $0.reserveKeys(count, for: root.root) }
  }

  /// Takes keys in a transaction of its own, on a connection of its own: three statements. Waits for
  /// nobody; another call of it is waited for, which does not wait either.
  package func reserveKeysAtOnce(_ count: Int, for root: EntityLayout) throws -> Range<Int64>? {
    try reserver.withLock { reserver in
      let version = reserver.dataVersion
      // The writer's lock is not waited for.
      _ = writer.withLockIfFree { $0?.noteForeignWrites() }
      let keys = try reserver.reserve(count, for: root.root)
      // What this connection has written is no news, unless somebody else has written meanwhile.
      _ = writer.withLockIfFree { $0?.forgetOwnWrites { reserver.dataVersion == version } }
      return keys
    }
  }

  /// Gives keys back in a transaction of its own: three statements.
  package func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {
    try writing { try $0.returnKeys(range, for: root.root) }
  }

  /// Writes a plan in one transaction: a statement for each row, or for several that are inserted, or
  /// are deleted side by side; and a few for the transaction, the key counters and the references.
  package func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try writing { try SaveWriter($0).save(plan, willCommit: willCommit, didCommit: didCommit) }
  }

  /// The same for a plan that is made within the transaction.
  package func saveHolding(
    _ plan: () -> SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try writing {
      try SaveWriter($0).saveHolding(plan, willCommit: willCommit, didCommit: didCommit)
    }
  }

  /// Updates rows in one statement, and three more for the transaction.
  package func update(
    _ update: BatchUpdate, willCommit: () -> Void, didCommit: (BatchReceipt?) -> Void
  ) throws -> BatchReceipt? {
    try writing {
      try BatchUpdateWriter(writer: $0).update(
        update, willCommit: willCommit, didCommit: didCommit)
    }
  }

  /// Asks the writer, whose connection does not count its own commits, and only where a reader has
  /// met a change; waits for nobody.
  package func noticeForeignWrites(_ distrust: () -> Void) {
    guard pool.takeSeenChange() else { return }
    guard let writes = writer.withLockIfFree({ $0?.newForeignWrites }) else {
      return pool.putBackSeenChange()
    }
    guard let writes else { return }
    // Until then a commit has no row grow that may be older than what was written.
    distrust()
    _ = writer.withLockIfFree { $0?.rowsAreDistrusted(since: writes) }
  }

  /// Looks out on a queue of its own, with one more connection. While it does each commit of the store
  /// takes some microseconds more.
  package func watchForeignWrites(
    distrusting distrust: @escaping @Sendable () -> Void,
    telling tell: @escaping @Sendable () -> Void
  ) throws -> (any ForeignWatch)? {
    // A writer that is busy is there; a transaction is not waited for.
    guard writer.withLockIfFree({ $0 != nil }) ?? true else { throw facts.closed }
    do {
      let watch = try StoreWatch(facts.file.path, facts.foreign, polls: facts.options.polls) {
        [weak self] in
        let writes = self?.writer.withLockIfFree { $0?.newForeignWrites } ?? nil
        distrust()
        if let writes { _ = self?.writer.withLockIfFree { $0?.rowsAreDistrusted(since: writes) } }
        tell()
      }
      watches.withLock { list in
        list.removeAll { $0.watch == nil }
        list.append(WeakWatch(watch: watch))
      }
      return watch
    } catch let failure as SQLiteFailure {
      throw facts.missing ?? facts.report(failure).opening()
    }
  }

  /// Waits for readers and the writer, brings the log into the file, and closes; costs one
  /// checkpoint. Locks of other processes are not waited for. Closing twice does no harm.
  package func close() throws {
    let isOpen = writer.withLock { $0 != nil }
    guard isOpen else { return }
    for watch in watches.withLock({ $0 }) { watch.watch?.stop() }
    facts.foreign.close()
    pool.close()
    reserver.withLock { $0.close() }
    writer.withLock { writer in
      writer?.checkpoint()
      writer = nil
    }
    claim.withLock { $0 = nil }
  }

  /// Limits the size of the file in pages, for tests of a full disk; nil takes the limit away.
  package func setMaxPageCount(_ count: Int?) throws {
    try writing { try $0.setMaxPageCount(count) }
  }

  private func writing<R>(_ body: (Writer) throws -> R) throws -> R {
    try writer.withLock { writer in
      guard let writer else { throw facts.closed }
      return try body(writer)
    }
  }
}

/// A watch that ends when nobody holds it any more.
private struct WeakWatch {
  weak var watch: StoreWatch?
}

extension SQLiteStore {
  /// Looks at every page, row and link on a reading connection, in one view of the store; saves go on
  /// meanwhile, and the log grows with them.
  package func verify() throws -> [StoreFinding] {
    let connection = try pool.borrow()
    defer { pool.giveBack(connection) }
    do {
      guard case .store(let metadata, _) = try StoreInspector.read(connection, of: facts.file)
      else {
        return []
      }
      var verification = StoreVerification(connection: connection, metadata: metadata)
      verification.model = facts.schema.model
      verification.decodesValues = true
      return try verification.findings()
    } catch let failure as SQLiteFailure {
      throw facts.report(failure).opening()
    }
  }
}
