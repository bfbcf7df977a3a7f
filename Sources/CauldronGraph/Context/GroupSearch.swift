import CauldronLedger
import CauldronModel

/// Finds faults that are likely to be wanted next: their rows are read with the row of another fault.
struct GroupSearch {
  let place: Place
  let registry: Registry
  let groups: FaultGroups

  /// Where the owners beside one lead to, of what is not known.
  func destinations(
    along way: FaultGroups.Way, root: Int32, of object: ManagedObject
  ) -> [Int64] {
    var found = KeysAhead(object.key)
    let ownerRoot = place.layouts[Int(way.ownerEntity) - 1].entity.rootNumber
    registry.map.visit(from: way.owner, root: ownerRoot, most: groups.reach) { owner in
      guard owner.entityNumber == way.ownerEntity, owner.isShownAlive
      else { return true }
      let row = RowPointer(owner.row)
      if row.isNull(way.property) { return true }
      let key = row.slot(way.property)
      // Provisional ones are in no store.
      guard key > 0, found.add(key) else { return true }
      return found.clear(of: { missing($0, of: root) })
    }
    return found.rest { missing($0, of: root) }
  }

  /// Registered faults, from one on.
  func faults(from object: ManagedObject, root: Int32) -> [Int64] {
    var found = KeysAhead(object.key)
    registry.map.visit(from: object.key, root: root, most: groups.reach) { other in
      guard other.isFault, other.key > 0, found.add(other.key) else { return true }
      return found.clear(of: { missing($0, of: root) })
    }
    return found.rest { missing($0, of: root) }
  }

  /// Those keys whose rows neither an object nor the row cache shows, and that may be there.
  private func missing(_ keys: [Int64], of root: Int32) -> [Int64] {
    let unread = keys.filter {
      !groups.isGone($0, root: root)
        && registry.object($0, root: root)?.isFault ?? true
    }
    return zip(unread, place.coordinator.cache.entries(unread, root: root)).filter { $1 == nil }
      .map(\.0)
  }
}

/// The keys that one statement reads, each once.
private struct KeysAhead {
  private var known: Set<Int64>
  /// Those that are to be read.
  private var wanted: [Int64]
  /// Those of which it is not known yet.
  private var candidates: [Int64] = []

  init(_ first: Int64) {
    known = [first]
    wanted = [first]
  }

  /// - Returns: Whether it is another one.
  mutating func add(_ key: Int64) -> Bool {
    guard known.insert(key).inserted else { return false }
    candidates.append(key)
    return true
  }

  /// - Returns: Whether there is room for more.
  mutating func clear(of missing: ([Int64]) -> [Int64]) -> Bool {
    if wanted.count + candidates.count < FaultGroups.size { return true }
    wanted += missing(candidates)
    candidates = []
    return wanted.count < FaultGroups.size
  }

  /// All that are to be read.
  mutating func rest(_ missing: ([Int64]) -> [Int64]) -> [Int64] {
    wanted += missing(candidates)
    candidates = []
    return Array(wanted.prefix(FaultGroups.size))
  }
}
