public import CauldronModel
package import CauldronStore
public import Foundation
public import Logging

/// Ties a model to a store, and holds what all contexts on it share: the ledger of pending changes,
/// the cache of rows, and the supply of keys.
///
/// - Note: It has no queue. Reads run on pooled connections wherever they are called; only the root
///   context's save writes.
public final class PersistentStoreCoordinator: Sendable {
  /// The model that the store is opened with.
  public let managedObjectModel: ManagedObjectModel
  /// Where saves and new contexts are reported.
  public let logger: Logger
  package let store: any PersistentStore
  package let storeNumber: Int32
  package let ledger: ChangeLedger
  package let mainQueue: MainQueue
  package let cache: RowCache
  package let keys: KeyAllocator
  /// Which objects unique values are claimed for.
  package let claims: UniqueClaims
  package let attachments: Attachments
  /// Who wants to know that an event has ended.
  package let eventHook = EventHook()
  /// The contexts that have no handle any more and are kept for unsaved objects.
  package let kept = KeptContexts()
  /// The results of fetches that wait to be shown by another context.
  package let results = FetchedResults()
  /// What the descriptions of object IDs are made from, for as long as the coordinator exists.
  private let named: NamedStore
  /// The saves that made the latest commits.
  package let committed = CommittedSaves()
  /// Whether logs may show the values of properties.
  package let showsValues: Bool
  /// After how many seconds a fetch is told of; nil for never.
  package let slowFetch: Double?
  /// The saves that have not ended.
  package let saves = RunningSaves()
  /// The watch for other processes' commits, and the number of its users.
  let lookout = Locked(Lookout())
  /// Writes what was saved before the store is closed.
  package let closing = ClosingWork()
  private let isClosedFlag = Locked(false)
  #if DEBUG
    /// The defects that a test has put back.
    package let planted = Locked<Set<PlantedDefect>>([])
  #endif

  /// Puts contexts on top of a store.
  package init(
    model: ManagedObjectModel, store: any PersistentStore, storeNumber: Int32, logger: Logger,
    mainQueue: MainQueue = .standard, showsValues: Bool = false, slowFetch: Double? = nil
  ) {
    self.slowFetch = slowFetch
    attachments = Attachments()
    self.showsValues = showsValues
    managedObjectModel = model
    self.store = store
    self.storeNumber = storeNumber
    self.logger = logger
    self.mainQueue = mainQueue
    ledger = ChangeLedger(model)
    cache = RowCache(model)
    keys = KeyAllocator(store: store, provisional: ledger.provisional)
    claims = UniqueClaims(ledger: ledger, keys: keys)
    named = StoreNumbers.register(
      NamedStore(identifier: store.identifier, model: model, keys: keys), as: storeNumber)
  }

  /// Puts contexts on a view of another coordinator's store; objects have the same IDs in both.
  package init(reading view: any PersistentStore, of base: PersistentStoreCoordinator) {
    attachments = base.attachments
    showsValues = base.showsValues
    managedObjectModel = base.managedObjectModel
    store = view
    storeNumber = base.storeNumber
    logger = base.logger
    mainQueue = base.mainQueue
    ledger = ChangeLedger(managedObjectModel)
    cache = RowCache(managedObjectModel)
    keys = KeyAllocator(store: view, provisional: ledger.provisional)
    claims = UniqueClaims(ledger: ledger, keys: keys)
    named = base.named
    slowFetch = base.slowFetch
  }

  /// The store's UUID, which object URIs carry.
  public var storeIdentifier: String { store.identifier }

  /// The store's file; nil in memory.
  public var storeURL: URL? { store.url }

  /// Whether `close()` was called.
  public var isClosed: Bool { isClosedFlag.withLock { $0 } }

  /// Waits until the saves under way have ended; those that are asked for from now on end with
  /// `stack.closed`, and so do those that have stood still for `patience` seconds.
  package func finishSaves(patience: Double) {
    let left = saves.finish(patience: patience)
    guard left > 0 else { return }
    logger.warning("The stack is closed while \(left) saves wait for queues that stand still.")
  }

  /// Ends the contexts that were kept for unsaved objects of which nobody holds one any more.
  package func endUnusedContexts() { kept.endAllUnused() }

  /// Gives unused keys back and closes the store; later use throws `stack.closed`. Where closing the
  /// store has failed, another call tries again.
  package func close() throws {
    let wasClosed = isClosedFlag.withLock { flag in
      defer { flag = true }
      return flag
    }
    guard !wasClosed else { return try store.close() }
    lookout.withLock { $0.end() }
    keys.close(managedObjectModel)
    cache.removeAll()
    attachments.end()
    try store.close()
  }

  /// The ID of an object of an entity.
  package func id(_ key: Int64, of entity: EntityLayout) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: storeNumber)
  }

  /// The ID of a row's object.
  package func id(_ row: RowPointer) -> ManagedObjectID {
    ManagedObjectID(key: row.key, entityNumber: row.entityNumber, storeNumber: storeNumber)
  }

  package func layout(_ id: ManagedObjectID) -> EntityLayout? {
    id.storeNumber == storeNumber ? managedObjectModel.layout(number: id.entityNumber) : nil
  }
}

// What the store computes comes with no change set, and under the same version: it has to be read.
extension PersistentStoreCoordinator {
  /// Distrusts all that is cached, because the store was, or may have been, written to unseen.
  /// - Parameter isTold: Whether the contexts that merge are to look at all that they show.
  package func distrustRows(isTold: Bool = false) {
    ledger.othersHaveWritten(isTold: isTold) { cache.outdateAll() }
  }

  /// Has everybody read rows anew that the store has changed in a commit, of which no more is known than
  /// their keys.
  /// - Parameter tell: Tells contexts, whose objects find none of the rows in the cache any more, and are told
  ///   before lists are.
  package func outdate(
    _ rows: [(entity: EntityLayout, keys: [Int64])], telling tell: () -> Void = {}
  ) {
    for (entity, keys) in rows {
      cache.outdate(keys, root: entity.rootNumber)
      results.outdate(keys, root: entity.rootNumber)
    }
    tell()
    // Last: a reader of the journal must find none of them in the cache.
    for (entity, keys) in rows { ledger.noteCommitted(.rows(entity, keys)) }
  }

  /// Has written rows read anew: the context that wrote them may have known older derived values.
  package func outdateDerived(_ set: EntityChanges) {
    let derived = set.entity.digest.derived
    guard !derived.isEmpty else { return }
    let inserted = set.inserted.filter { row in
      derived.contains { row.isNull($0) || row.slot($0) != 0 }
    }
    let keys = set.updated.map(\.row.key) + inserted.map(\.key)
    if !keys.isEmpty { outdate([(set.entity, keys)]) }
  }
}

extension PersistentStoreCoordinator {
  /// Takes over what a commit wrote, in the order of the commits: the store calls it before anybody
  /// else can write. So the cache never goes back, and at most one commit is in flight.
  /// - Parameters:
  ///   - layers: The layers at the start of the node's list that were to be written.
  ///   - receipt: What became of them; nil where the commit has failed or nobody knows.
  package func commitEnds(_ flights: [Flight], receipt: SaveReceipt?, in node: LedgerNode) {
    guard let receipt else { return ledger.withLock { ledger.uncheckedCommitEnds() } }
    ledger.commitIsRecorded()
    let survivors = receipt.survivors.map { flights[$0] }
    for flight in survivors { record(flight.layer) }
    for (entity, keys) in receipt.owners { cache.touch(keys, root: entity.rootNumber) }
    outdate(receipt.touched)
    let failed = zip(flights, receipt.failures).filter { $1 != nil }.map(\.0.layer)
    ledger.land(
      node, count: flights.count, failed: failed,
      adapted: survivors.flatMap(\.news))
  }

  /// Takes over that a layer is in the store.
  package func record(_ layer: Layer) { record(layer.changes) }

  /// Takes over that changes are in the store.
  package func record(_ changes: ChangeSet) {
    ledger.noteCommitted(.changes(changes))
    // Links are never cached.
    for set in changes.entities where !set.entity.isJoin {
      cache.apply(set)
      outdateDerived(set)
      results.outdate(set)
      keys.markCommitted(set)
    }
  }
}

// While a store is watched, commits of other processes are noticed without a read.
extension PersistentStoreCoordinator {
  /// Has commits of other processes be noticed within moments, until `stopWatchingOthers()` was called as
  /// often: the row cache lets go, and the objects of contexts that merge are read anew.
  package func watchOthers() {
    if isClosed { return }
    let complaint = lookout.withLock { lookout in
      lookout.add {
        try store.watchForeignWrites(
          distrusting: { [weak self] in self?.distrustRows(isTold: true) },
          telling: { [weak self] in self?.tellOfOthers() })
      }
    }
    guard let complaint else { return }
    logger.notice("Commits of other processes \(complaint)")
  }

  package func stopWatchingOthers() { lookout.withLock { $0.remove() } }

  /// Has the contexts that merge read their objects anew.
  private func tellOfOthers() {
    if isClosed { return }
    logger.debug("Another process has saved")
    for node in ledger.mergingNodes { node.owner?.catchUpSoon() }
  }
}

extension PersistentStoreCoordinator {
  /// Whether a test has put a defect back.
  @inline(__always)
  package func has(_ defect: PlantedDefect) -> Bool {
    #if DEBUG
      planted.withLock { $0.contains(defect) }
    #else
      false
    #endif
  }

  /// Whether whole one-to-one links are checked before a layer is accepted.
  @inline(__always)
  var checksPairs: Bool {
    #if DEBUG
      planted.withLock { $0.isDisjoint(with: PlantedDefect.ofPairs) }
    #else
      true
    #endif
  }
}

/// What has to end before the store is closed.
package protocol EndingAttachment: Sendable {
  func end()
}

/// What the floors above keep once for all contexts of a coordinator, which knows nothing of it.
@usableFromInline
package final class Attachments: Sendable {
  @usableFromInline let values = Locked<[ObjectIdentifier: any Sendable]>([:])

  /// The value of a type, made when it is asked for first; inlined, as each context asks for some.
  @inlinable
  package func value<Value: Sendable>(_ make: () -> Value) -> Value {
    values.withLock { values in
      if let known = values[ObjectIdentifier(Value.self)] as? Value { return known }
      let made = make()
      values[ObjectIdentifier(Value.self)] = made
      return made
    }
  }

  /// The store is about to be closed.
  package func end() {
    let all = values.withLock { $0.values.compactMap { $0 as? any EndingAttachment } }
    for attachment in all { attachment.end() }
  }
}

/// What is done once, and waited for by whoever comes meanwhile.
///
/// `@unchecked Sendable` because the state is only touched with `lock` held.
package final class ClosingWork: @unchecked Sendable {
  private let lock = NSLock()
  private var isDone = false

  /// - Returns: What `body` returns; nil where it has run before.
  package func once<R>(_ body: () -> R) -> R? {
    lock.lock()
    defer { lock.unlock() }
    if isDone { return nil }
    isDone = true
    return body()
  }
}

/// Tells somebody that an event of a context has ended, on the thread of its owner; costs next to nothing
/// while nobody wants to know.
package final class EventHook: Sendable {
  private let isSet = SharedWord()
  private let body = Locked<Body?>(nil)

  /// In a structure: a bare closure that a generic type holds is wrapped anew by each look at it, and what
  /// is wrapped a million times takes a million calls, and more stack than there is.
  private struct Body: Sendable {
    let call: @Sendable (LedgerNode) -> Void
  }

  /// Set once.
  package func set(_ body: @escaping @Sendable (LedgerNode) -> Void) {
    self.body.withLock { $0 = Body(call: body) }
    isSet.store(1)
  }

  @inline(__always)
  package func call(_ node: LedgerNode) {
    if isSet.value != 0 { callNow(node) }
  }

  private func callNow(_ node: LedgerNode) { body.withLock { $0 }?.call(node) }
}

extension CauldronError {
  package static func closed() -> CauldronError {
    CauldronError(.stackClosed, "The stack was closed.", hint: "Set up a new one.")
  }
}
