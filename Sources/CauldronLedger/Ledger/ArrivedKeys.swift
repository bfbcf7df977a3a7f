package import CauldronModel
package import CauldronStore

/// What too many arrivals have touched, as keys: a context whose queue stands still does not gather
/// their rows for ever.
package struct ArrivedKeys: Sendable {
  /// By number of the root entity.
  package private(set) var keys: [Int32: Set<Int64>] = [:]
  package private(set) var count = 0
  /// Whether so many rows were touched that every registered object has to be looked at.
  package private(set) var isEverything = false
  /// What batches have changed, of which nobody knows more than keys.
  package private(set) var batches: [BatchKeys] = []

  /// Beyond this many rows it is cheaper to look at all objects than to note keys.
  private static let limit = 1 << 16
  /// Beyond this many batches, too.
  private static let batchLimit = 64

  package var isEmpty: Bool { count == 0 && batches.isEmpty && !isEverything }

  package mutating func add(_ batch: BatchKeys) {
    guard !isEverything else { return }
    batches.append(batch)
    if batches.count > Self.batchLimit { lookAtEverything() }
  }

  package mutating func add(_ changes: ChangeSet) {
    for set in changes.entities { add(set) }
  }

  private mutating func add(_ set: EntityChanges) {
    guard !isEverything else { return }
    guard count + set.count <= Self.limit else { return lookAtEverything() }
    var known = keys.removeValue(forKey: set.entity.rootNumber) ?? []
    let before = known.count
    for row in set.inserted {
      // The object may have got another key by the time.
      if row.key < 0 { return lookAtEverything() }
      known.insert(row.key)
    }
    for update in set.updated {
      if update.row.key < 0 { return lookAtEverything() }
      known.insert(update.row.key)
    }
    for deletion in set.deleted { known.insert(deletion.key) }
    count += known.count - before
    keys[set.entity.rootNumber] = known
  }

  mutating func lookAtEverything() {
    keys = [:]
    batches = []
    isEverything = true
  }
}

/// The keys of rows that a batch has changed, shared by all contexts that are told.
package final class BatchKeys: Sendable {
  /// In ascending order, by the number of the root entity.
  package let keys: [Int32: [Int64]]
  package let count: Int

  package init(_ lists: [(entity: EntityLayout, keys: [Int64])]) {
    var keys: [Int32: [Int64]] = [:]
    for (entity, list) in lists { keys[entity.rootNumber, default: []] += list }
    self.keys = keys.mapValues { $0.sorted() }
    count = lists.reduce(0) { $0 + $1.keys.count }
  }

  /// - Complexity: O(log keys).
  package func contains(_ key: Int64, root: Int32) -> Bool {
    guard let list = keys[root] else { return false }
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < list.count && list[low] == key
  }
}
