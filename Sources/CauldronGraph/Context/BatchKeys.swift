import CauldronModel

/// The keys of rows that a batch has changed, shared by all contexts that are told.
final class BatchKeys: Sendable {
  /// In ascending order, by the number of the root entity.
  let keys: [Int32: [Int64]]
  let count: Int

  init(_ lists: [(entity: EntityLayout, keys: [Int64])]) {
    var keys: [Int32: [Int64]] = [:]
    for (entity, list) in lists { keys[entity.rootNumber, default: []] += list }
    self.keys = keys.mapValues { $0.sorted() }
    count = lists.reduce(0) { $0 + $1.keys.count }
  }

  /// - Complexity: O(log keys).
  func contains(_ key: Int64, _ root: Int32) -> Bool {
    guard let list = keys[root] else { return false }
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < list.count && list[low] == key
  }

  /// The registered objects that were changed.
  /// - Complexity: O(min(registered objects · log keys, keys)).
  func objects(in identity: Identity) -> [ManagedObject] {
    if identity.count < count {
      return identity.objects().filter { contains($0.key, $0.layout.rootNumber) }
    }
    return keys.flatMap { root, keys in
      keys.compactMap { identity.object($0, root: root) }
    }
  }
}
