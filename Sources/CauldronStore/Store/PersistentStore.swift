package import CauldronModel
package import CauldronQuery
package import Foundation

/// Where rows live: the contract that every store keeps, in values only.
///
/// A store knows nothing of contexts. Every method may be called from any thread.
package protocol PersistentStore: AnyObject, Sendable {
  /// The store's UUID, which object URIs carry.
  var identifier: String { get }
  /// The store's file; nil in memory.
  var url: URL? { get }
  /// Borrows a reader; the caller ends it with `finish()`.
  func reader() throws -> any StoreReader
  /// Takes a block of keys durably, so that no other process is given the same ones.
  func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64>
  /// Takes a block of keys durably, like `reserveKeys`, but never waits for anybody: nil where
  /// somebody else writes right now.
  func reserveKeysAtOnce(_ count: Int, for root: EntityLayout) throws -> Range<Int64>?
  /// Gives back the unused end of a block, if nobody has reserved keys since.
  func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws
  /// Writes a plan in one transaction; a layer that fails is undone alone and reported.
  ///
  /// Nobody else writes between the two calls, so that they tell of commits in their order, and of
  /// one at a time. Neither is made where no layer can be written.
  /// - Parameters:
  ///   - willCommit: Called once, right before the commit becomes visible to readers, with the
  ///     positions of the layers that it writes.
  ///   - didCommit: Called once after that, when readers see the commit and nobody else can write
  ///     yet, with the receipt; with nil where the commit has failed or nobody knows.
  /// - Throws: An error that concerns all layers; then nothing was written.
  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt
  /// Writes a plan that is made while nobody else can write, not even another process: what it is made
  /// from is what it meets. An empty one writes nothing.
  /// - Parameter plan: Called once, unless nobody can write at all. It may read, but must not reserve keys.
  func saveHolding(
    _ plan: () -> SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt
  /// Updates rows at once, if the store has a quick way to do just that; otherwise the caller reads
  /// the rows and saves them.
  ///
  /// Nothing is checked but by refusing: for any wrong new value the answer is nil.
  /// - Parameters: As for `save`; neither is called where no row is changed.
  /// - Returns: Nil where nothing was written, because it needs the long way.
  func update(
    _ update: BatchUpdate, willCommit: () -> Void, didCommit: (BatchReceipt?) -> Void
  ) throws -> BatchReceipt?
  /// Looks whether foreign writes, mostly of another process, were made since the last call; a call after
  /// a read finds all writes that the read may have seen. Costs nothing where nothing was written.
  /// - Parameter distrust: Called where there are some; has all rows that are known be read anew.
  func noticeForeignWrites(_ distrust: () -> Void)
  /// Looks out for foreign commits, most of all of other processes; the writes of this process are
  /// not told of.
  /// - Parameters:
  ///   - distrust: Called on any thread after foreign commits, at most 20 times a second; has all rows
  ///     that are known be read anew.
  ///   - tell: Called after it, when no later read finds the same commits once more.
  /// - Returns: The watch, which ends it; nil where no foreign commit can come.
  func watchForeignWrites(
    distrusting distrust: @escaping @Sendable () -> Void,
    telling tell: @escaping @Sendable () -> Void
  ) throws -> (any ForeignWatch)?
  /// Looks through the whole store for faults, and decodes every value.
  func verify() throws -> [StoreFinding]
  /// Waits for the work under way and closes; further calls throw `stack.closed`.
  func close() throws
}

extension PersistentStore {
  /// For stores in which nothing has to be waited for.
  package func reserveKeysAtOnce(_ count: Int, for root: EntityLayout) throws -> Range<Int64>? {
    try reserveKeys(count, for: root)
  }

  /// For stores that no other process writes.
  package func saveHolding(
    _ plan: () -> SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    try save(plan(), willCommit: willCommit, didCommit: didCommit)
  }

  /// Writes a plan.
  /// - Parameter holding: Whether it is made while nobody else can write.
  package func save(
    holding: Bool, _ plan: () -> SavePlan, willCommit: ([Int]) -> Void,
    didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    if holding { return try saveHolding(plan, willCommit: willCommit, didCommit: didCommit) }
    return try save(plan(), willCommit: willCommit, didCommit: didCommit)
  }

  /// For stores without a quick way.
  package func update(
    _ update: BatchUpdate, willCommit: () -> Void, didCommit: (BatchReceipt?) -> Void
  ) throws -> BatchReceipt? { nil }

  package func noticeForeignWrites(_ distrust: () -> Void) {}

  /// For stores that no other process writes.
  package func watchForeignWrites(
    distrusting distrust: @escaping @Sendable () -> Void,
    telling tell: @escaping @Sendable () -> Void
  ) throws -> (any ForeignWatch)? { nil }

  /// For stores that nothing but this process has written.
  package func verify() throws -> [StoreFinding] { [] }
}

/// One consistent view of a store, used by one thread at a time.
package protocol StoreReader: AnyObject {
  /// Tells that the reads are not waited for any more; nil, mostly, where this cannot be told. A
  /// call that finds out throws `CancellationError`.
  var cancellation: Cancellation? { get set }
  /// Fixes the view: everything read until `finish()` is of one moment.
  ///
  /// Without it each call has a view of its own. Called again, it fixes a view of that moment.
  func pin() throws
  /// The rows that a query selects, in its order.
  func fetch(_ query: StoreQuery) throws -> RowSet
  /// The IDs of the rows that a query selects, in its order; no row is read.
  func ids(_ query: StoreQuery, storeNumber: Int32) throws -> [ManagedObjectID]
  /// The rows with the given keys that exist, in no particular order.
  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet
  /// The row with a key, if it exists; what every fault asks for.
  func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow?
  /// How many rows a query selects, its limit and offset applied.
  func count(_ query: StoreQuery) throws -> Int
  /// The lines of a value query, in its order.
  func values(_ query: ValueQuery) throws -> [[AttributeScalar]]
  /// The rows that a query selects, in its order, with no more than some attributes of each.
  func columns(_ properties: [PropertyLayout], of query: StoreQuery) throws -> RowSet
  /// The greatest key in the table of a hierarchy; 0 where it is empty.
  func greatestKey(of root: EntityLayout) throws -> Int64
  /// How the store answers a query.
  func explain(_ query: StoreQuery) throws -> StoreExplanation
  /// Ends the view and gives the reader back.
  func finish()
}

extension StoreReader {
  /// For readers that are never told.
  package var cancellation: Cancellation? {
    get { nil }
    set {}
  }

  /// For stores that have no language of their own for it.
  package func values(_ query: ValueQuery) throws -> [[AttributeScalar]] {
    try ValueEvaluation(query, StoredRowSource(self)).lines(fetch(query.rows))
  }

  /// For stores whose rows are at hand.
  package func columns(
    _ properties: [PropertyLayout], of query: StoreQuery
  ) throws -> RowSet { try fetch(query) }

  /// For stores in memory.
  package func greatestKey(of root: EntityLayout) throws -> Int64 {
    try fetch(StoreQuery(entity: root)).withRows { $0.lazy.map(\.key).max() ?? 0 }
  }

  /// For stores in memory.
  package func explain(_ query: StoreQuery) throws -> StoreExplanation {
    let count = query.entity.root.family.count
    let what = count > 1 ? "\(query.entity.root.name) and its subentities" : query.entity.name
    return StoreExplanation(sql: "", plan: ["LOOK AT EVERY ROW OF \(what) IN MEMORY"])
  }

  package func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    try rows([key], of: entity).first
  }
}

/// Looks out for what others commit to a store, until it is stopped or let go, or the store is closed.
package protocol ForeignWatch: AnyObject, Sendable {
  /// Why it looks each second, in place of being told; nil where the system tells.
  var pollingReason: String? { get }
  /// Ends it; a call of its closure may be under way still. Twice does no harm.
  func stop()
}

/// A store's rows alone.
package struct StoredRowSource: RowSource {
  private let reader: any StoreReader

  package init(_ reader: any StoreReader) { self.reader = reader }

  package func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    keys.isEmpty ? RowSet() : try reader.rows(keys, of: entity)
  }

  package func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet {
    var query = StoreQuery(entity: entity)
    query.predicate = .refersTo(property, keys)
    return keys.isEmpty ? RowSet() : try reader.fetch(query)
  }
}

/// What became of a plan.
package struct SaveReceipt: Sendable {
  /// The result of each layer, in the plan's order: nil where it was written.
  package var failures: [CauldronError?]
  /// The statements that ran.
  package var statementCount: Int
  /// The rows that were written.
  package var rowCount: Int
  /// The keys of the rows that the store itself has changed because of others, by entity: their derived
  /// attributes have other values, and the same version.
  package var touched: [(entity: EntityLayout, keys: [Int64])] = []
  /// The keys of the rows of which nothing but the version has grown, by root entity: the to-many
  /// relationships of their objects have changed. Some may be missing in the store.
  package var owners: [(entity: EntityLayout, keys: [Int64])] = []

  /// The positions of the layers that were written.
  package var survivors: [Int] { failures.indices.filter { failures[$0] == nil } }

  package init(failures: [CauldronError?], statementCount: Int, rowCount: Int) {
    self.failures = failures
    self.statementCount = statementCount
    self.rowCount = rowCount
  }
}
