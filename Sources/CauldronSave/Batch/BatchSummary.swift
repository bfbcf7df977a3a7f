public import CauldronModel
import CauldronStore

/// What a batch has written.
public struct BatchSummary: Sendable, Hashable {
  /// The objects that are new.
  public var inserted = 0
  /// The objects that were changed, those included whose references a delete rule has cleared.
  public var updated = 0
  /// The objects that were deleted, those included that a delete rule has taken along.
  public var deleted = 0
  /// The links of many-to-many relationships that were taken away.
  public var links = 0
  /// The objects that were asked for: new, changed or deleted ones; empty unless IDs were asked for.
  public var objectIDs: [ManagedObjectID] = []

  /// A summary of nothing.
  public init() {}
}

extension BatchSummary: CustomStringConvertible {
  /// The counts that are not 0: `3 updated, 1 deleted`.
  public var description: String {
    let counts = [
      (inserted, "inserted"), (updated, "updated"), (deleted, "deleted"),
      (links, links == 1 ? "link removed" : "links removed"),
    ].filter { $0.0 > 0 }
    return counts.isEmpty ? "nothing changed" : counts.map { "\($0) \($1)" }.joined(separator: ", ")
  }
}

extension BatchSummary {
  init(_ changes: ChangeSet, returningIDs: Bool, _ storeNumber: Int32) {
    inserted = changes.insertedCount
    updated = changes.updatedCount
    deleted = changes.deletedCount
    links = changes.linkCount
    guard returningIDs else { return }
    for set in changes.entities where !set.entity.isJoin {
      // What a delete rule has changed was not asked for.
      let own = deleted > 0 ? set.deleted.map(\.key) : set.inserted.map(\.key) + set.updatedKeys
      objectIDs += own.map {
        ManagedObjectID(key: $0, entityNumber: set.entity.number, storeNumber: storeNumber)
      }
    }
  }

  init(_ receipt: BatchReceipt, returningIDs: Bool, _ storeNumber: Int32) {
    updated = receipt.count
    guard returningIDs else { return }
    for (entity, keys) in receipt.updated {
      objectIDs += keys.map {
        ManagedObjectID(key: $0, entityNumber: entity.number, storeNumber: storeNumber)
      }
    }
  }
}

extension EntityChanges {
  fileprivate var updatedKeys: [Int64] { updated.map(\.row.key) }
}
