import CauldronModel

// Where a row is not at hand, those that are likely to be wanted next are read with it.
extension ContextCore {
  /// Notes that a to-one relationship has led to a fault.
  @inline(__always)
  func noteWay(from owner: ManagedObject, _ property: Int, to fault: ManagedObject) {
    groups.note(
      FaultGroups.Way(
        owner: owner.key, ownerEntity: owner.entityNumber, property: property,
        destination: fault.key, destinationEntity: fault.entityNumber))
  }

  /// Reads the row of a fault that nobody knows together with those that belong to it, all of which are
  /// registered then, as by a fetch.
  /// - Returns: Whether they were read.
  /// - Complexity: One statement; O(objects that are looked at).
  func readTogether(_ object: ManagedObject) -> Bool {
    let root = object.layout.rootNumber
    guard object.key > 0, !groups.isGone(object.key, root),
      !pending.hasDropped(object.registeredID),
      coordinator.cache.entry(object.key, root: root) == nil
    else { return false }
    let keys: [Int64]
    if let way = groups.takeWay(to: object) {
      keys = destinations(way, root, of: object)
    } else if groups.faulted.contains(root) {
      keys = faults(from: object, root)
    } else {
      return false
    }
    groups.noteFound(keys.count)
    return keys.count > 1 && register(keys, root)
  }

  private func register(_ keys: [Int64], _ root: Int32) -> Bool {
    let entity = place.layouts[Int(root) - 1].entity
    settleRefreshes()
    let rows = try? withSettledKeys {
      try coordinator.read(node) { try $0.rows(keys, of: entity, &builder) }.0
    }
    guard let rows else { return false }
    if rows.count < keys.count { groups.note(gone: Set(keys).subtracting(rows.map(\.key)), root) }
    let _: [ManagedObject] = registered(rows)
    return true
  }

  /// Where the owners beside one lead to, of what is not known.
  private func destinations(
    _ way: FaultGroups.Way, _ root: Int32, of object: ManagedObject
  ) -> [Int64] {
    var found = KeysAhead(object.key)
    let ownerRoot = place.layouts[Int(way.ownerEntity) - 1].entity.rootNumber
    identity.map.visit(from: way.owner, root: ownerRoot, most: groups.reach) { owner in
      guard owner.entityNumber == way.ownerEntity, owner.isShownAlive
      else { return true }
      let row = RowPointer(owner.row)
      if row.isNull(way.property) { return true }
      let key = row.slot(way.property)
      // Provisional ones are in no store.
      guard key > 0, found.add(key) else { return true }
      return found.clear(of: { missing($0, root) })
    }
    return found.rest { missing($0, root) }
  }

  /// Registered faults, from one on.
  private func faults(from object: ManagedObject, _ root: Int32) -> [Int64] {
    var found = KeysAhead(object.key)
    identity.map.visit(from: object.key, root: root, most: groups.reach) { other in
      guard other.isFault, other.key > 0, found.add(other.key) else { return true }
      return found.clear(of: { missing($0, root) })
    }
    return found.rest { missing($0, root) }
  }

  /// Those keys whose rows neither an object nor the row cache shows, and that may be there.
  private func missing(_ keys: [Int64], _ root: Int32) -> [Int64] {
    let unread = keys.filter {
      !groups.isGone($0, root)
        && identity.object($0, root: root)?.isFault ?? true
    }
    return zip(unread, coordinator.cache.entries(unread, root: root)).filter { $1 == nil }.map(\.0)
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
