package import CauldronModel
package import CauldronStore
package import Dispatch

/// Frees what can be much; nobody waits for it.
package let reclaimer = DispatchQueue(label: "cauldron.reclaim", qos: .utility)

/// The rows of a fetch with their memory, and which of them are out of date.
///
/// `@unchecked Sendable` because the rows are immutable once `fill` has run, which is before
/// another thread can see the storage; the rest is behind a lock.
package final class FetchedStorage: @unchecked Sendable {
  package let storeNumber: Int32
  private let provisional: ProvisionalKeys
  /// Retained by hand, so that the last release can be left to another thread.
  private var content = Unmanaged.passRetained(FetchedContent(RowSet()))
  package private(set) var count = 0
  /// The keys whose rows must not be shown, by root entity: unsaved when they were read, or
  /// changed by a commit since.
  private let stale = Locked<[Int32: Set<Int64>]>([:])

  /// What holds the rows; serves tests of when they are freed.
  package var memory: AnyObject { content.takeUnretainedValue() }

  package init(storeNumber: Int32, _ provisional: ProvisionalKeys) {
    self.storeNumber = storeNumber
    self.provisional = provisional
  }

  deinit {
    let content = self.content
    reclaimer.async { content.release() }
  }

  /// Takes the rows; called once.
  /// - Parameters:
  ///   - chain: The layers that lay over the store. What they have of the entities is read again by the
  ///     context that shows it: a row of the store is shown where nothing is pending alone.
  ///   - entities: The numbers of the entities that the rows may be of.
  package func fill(_ rows: RowSet, seenWith chain: LayerChain, of entities: Set<Int32>) {
    for layer in chain.layers {
      for set in layer.changes.entities where entities.contains(set.entity.number) {
        outdate(set, unsaved: true)
      }
    }
    content.release()
    content = .passRetained(FetchedContent(rows))
    count = rows.count
  }

  package func row(_ position: Int) -> RowPointer {
    content._withUnsafeGuaranteedRef { $0.rows[position] }
  }

  package func id(_ position: Int) -> ManagedObjectID {
    let row = row(position)
    return ManagedObjectID(
      key: provisional.final(row.key, entity: row.entityNumber), entityNumber: row.entityNumber,
      storeNumber: storeNumber)
  }

  /// Whether the row is still the committed one.
  package func isCurrent(_ position: Int, root: Int32) -> Bool {
    let key = row(position).key
    return stale.withLock { stale in
      stale.isEmpty || stale[root]?.contains(key) != true
    }
  }

  /// Records that rows are no longer, or never were, the committed ones.
  package func outdate(_ changes: EntityChanges, unsaved: Bool = false) {
    var keys = changes.changedKeys
    if unsaved { keys += changes.inserted.map(\.key) }
    outdate(keys, root: changes.entity.rootNumber)
  }

  /// Records that the rows with some keys are no longer the committed ones.
  package func outdate(_ keys: [Int64], root: Int32) {
    guard !keys.isEmpty else { return }
    stale.withLock { $0[root, default: []].formUnion(keys) }
  }
}

/// The rows of a fetch, as something that can be released elsewhere.
private final class FetchedContent: Sendable {
  let rows: RowSet

  init(_ rows: RowSet) { self.rows = rows }
}

/// The results of a coordinator that are still held; commits tell them.
package final class FetchedResults: Sendable {
  private struct Entry: Sendable {
    weak var storage: FetchedStorage?
  }

  private let entries = Locked<[Entry]>([])

  package func add(_ storage: FetchedStorage) {
    entries.withLock { list in
      list.removeAll { $0.storage == nil }
      list.append(Entry(storage: storage))
    }
  }

  /// Tells the results which rows a commit has changed.
  /// - Complexity: O(1) where there is no result.
  package func outdate(_ changes: EntityChanges) {
    for storage in held { storage.outdate(changes) }
  }

  /// The same for the rows with some keys.
  package func outdate(_ keys: [Int64], root: Int32) {
    for storage in held { storage.outdate(keys, root: root) }
  }

  private var held: [FetchedStorage] {
    entries.withLock { list in list.isEmpty ? [] : list.compactMap(\.storage) }
  }
}
