import CauldronModel

/// What only objects that were edited, walked or could not be read need.
final class ObjectExtras {
  /// The row before the context's unsaved edits; nil for an object that they insert.
  var committed: HeldRow?
  /// The row as of the last event boundary, which the current event's edits are compared with.
  var eventBase: HeldRow?
  /// The to-many relationships that were walked: the objects' IDs, by property index.
  var toMany: [Int: ToManyCache] = [:]
  /// The values of transient properties.
  var transient: [Int: Any] = [:]
  /// Why the row could not be read.
  var error: CauldronError?
}

/// The destinations of a to-many relationship as last read, kept up to date by edits.
struct ToManyCache {
  private(set) var keys: [ManagedObjectID]
  /// The place of each key; made at the first edit, which most relationships never see.
  private var positions: [ManagedObjectID: Int]?

  init(_ keys: [ManagedObjectID]) { self.keys = keys }

  mutating func insert(_ id: ManagedObjectID) {
    if positions == nil { locate() }
    guard positions?[id] == nil else { return }
    positions?[id] = keys.count
    keys.append(id)
  }

  /// Removes in constant time; the last one takes the free place.
  mutating func remove(_ id: ManagedObjectID) {
    if positions == nil { locate() }
    guard let position = positions?.removeValue(forKey: id), let last = keys.popLast(), last != id
    else { return }
    keys[position] = last
    positions?[last] = position
  }

  private mutating func locate() {
    positions = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
  }
}
