import CauldronLedger
import CauldronModel
import CauldronStore

/// What an event has published before it ended; observers are told of it when it ends.
struct UntoldChanges {
  /// The change sets, the oldest first.
  private var sets: [ChangeSet] = []
  /// Objects whose changes were published early and then dropped: observers are not told of these.
  private var drops: Set<ManagedObjectID> = []

  var isEmpty: Bool { sets.isEmpty }
  var count: Int { sets.count }

  /// Adds published changes. They are merged with sets that are not much larger: each row is merged a few
  /// times, however often an event publishes.
  mutating func add(_ changes: ChangeSet, to ledger: ChangeLedger) {
    settle(ledger)
    var newest = changes
    while let last = sets.last, last.count <= 2 * newest.count {
      sets.removeLast()
      newest = Self.merge(last, with: newest, in: ledger)
    }
    sets.append(newest)
  }

  /// Notes that an object's changes are dropped.
  mutating func drop(_ id: ManagedObjectID) {
    if !sets.isEmpty { drops.insert(id) }
  }

  /// Empties it.
  /// - Parameter changes: What the event did since.
  /// - Returns: All that is to be told of, as one; nil for nothing.
  mutating func take(with changes: ChangeSet?, _ ledger: ChangeLedger) -> ChangeSet? {
    settle(ledger)
    if sets.isEmpty { return changes }
    let all = (sets + [changes].compactMap { $0 }).map(ledger.followed)
    sets = []
    guard var merged = all.last else { return nil }
    for set in all.dropLast().reversed() { merged = Self.merge(set, with: merged, in: ledger) }
    return merged.count > 0 ? merged : nil
  }

  /// What was published of an object; nil for nothing.
  func change(of id: ManagedObjectID, _ ledger: ChangeLedger) -> UntoldChange? {
    if sets.isEmpty || drops.contains(id) { return nil }
    var result: UntoldChange?
    for set in sets {
      switch ledger.followed(set).change(id) {
      case .inserted: result = UntoldChange(base: nil, changed: PropertySet())
      case .updated(let update):
        let before = result ?? UntoldChange(base: update.base, changed: PropertySet())
        result = UntoldChange(
          base: before.base, changed: before.changed.union(update.changed))
      case .deleted, nil: continue
      }
    }
    return result
  }

  /// Takes changes that were dropped out of what is told of; done for many objects at once.
  private mutating func settle(_ ledger: ChangeLedger) {
    if drops.isEmpty { return }
    sets = sets.map { $0.without(drops, number: ledger.changeSetID()) }.filter { $0.count > 0 }
    drops = []
  }

  private static func merge(
    _ older: ChangeSet, with newer: ChangeSet, in ledger: ChangeLedger
  ) -> ChangeSet {
    ChangeSetMerge.merge(older, with: newer, id: ledger.changeSetID())
  }
}

/// What the running event did to an object, and published before it ended.
struct UntoldChange {
  /// What the object was like before; nil where the event has created it.
  let base: RowPointer?
  let changed: PropertySet
}
