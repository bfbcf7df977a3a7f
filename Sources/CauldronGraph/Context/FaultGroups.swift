import CauldronLedger
import CauldronModel

/// What a context remembers of how its faults are come by, so that those of one fetch fire together.
///
/// Nothing is kept for each object: who stands beside whom, the identity map knows.
struct FaultGroups {
  /// A fault that was reached by a to-one relationship: what the owners beside this one lead to is likely
  /// to be wanted, too.
  struct Way {
    let owner: Int64
    let ownerEntity: Int32
    let property: Int
    let destination: Int64
    let destinationEntity: Int32
  }

  /// The most rows that one statement reads ahead.
  static let size = 500
  /// The most objects that are looked at for them, where few have been found so far.
  private static let reach = 4_096
  /// The most rows that are read ahead of a to-many relationship.
  static let mostRows = 8_192

  /// How the last faults were reached, the newest first, by no more than so many relationships.
  private(set) var ways: [Way] = []
  private static let mostWays = 4
  /// How many rows were read ahead.
  private var found = 0
  /// The numbers of the root entities of which objects were fetched as faults.
  private(set) var faulted: Set<Int32> = []
  /// The keys, by the root entity, that were read with others and of which there was no row.
  private var gone: [Int32: Set<Int64>] = [:]
  /// How many owners' relationships are read at a time, where that is fewer than ``size`` because more
  /// have led to too many objects.
  private var owners: [Walk: Int] = [:]

  private struct Walk: Hashable {
    let entity: Int32
    let property: Int
  }

  /// The keys of owners that are read alone, because they lead to very many objects.
  private var hubs: [Walk: Set<Int64>] = [:]

  /// Whether others may be read with a fault.
  @inline(__always)
  func mayLead(to object: ManagedObject) -> Bool {
    !faulted.isEmpty || ways.contains { $0.destination == object.key }
  }

  /// Notes how a fault was reached; who reads two relationships of each object reaches faults by turns.
  mutating func note(_ way: Way) {
    if let known = ways.firstIndex(where: {
      $0.property == way.property && $0.ownerEntity == way.ownerEntity
    }) {
      ways[known] = way
    } else {
      if ways.count == Self.mostWays { ways.removeLast() }
      ways.insert(way, at: 0)
    }
  }

  /// How a fault was reached, which is of no more use then.
  mutating func takeWay(to object: ManagedObject) -> Way? {
    guard
      let place = ways.firstIndex(where: {
        $0.destination == object.key && $0.destinationEntity == object.entityNumber
      })
    else { return nil }
    return ways.remove(at: place)
  }

  /// The most objects to look at: as many as pay for themselves where all are walked in any order.
  var reach: Int { Self.reach + 8 * found }

  /// Where much has to be looked at for few, less is looked at the next time.
  mutating func noteFound(_ count: Int) {
    if count < Self.size / 8 { found /= 2 } else { found += count }
  }

  /// Whether a key is left to whoever asks for it alone: it would take a place in every group.
  func isGone(_ key: Int64, root: Int32) -> Bool {
    !gone.isEmpty && gone[root]?.contains(key) == true
  }

  /// There was no row with some of the keys of a group.
  mutating func note(gone keys: some Collection<Int64>, _ root: Int32) {
    if keys.isEmpty { return }
    if gone[root]?.count ?? 0 > 2 * Self.mostRows { gone[root] = [] }
    gone[root, default: []].formUnion(keys)
  }

  mutating func noteFaulted(_ root: Int32) { faulted.insert(root) }

  /// How many owners' relationships are read together.
  func ownerCount(of entity: Int32, at property: Int) -> Int {
    owners[Walk(entity: entity, property: property)] ?? Self.size
  }

  /// The owners of a to-many relationship that lead to very many objects.
  func hubs(of entity: Int32, at property: Int) -> Set<Int64> {
    hubs.isEmpty ? [] : hubs[Walk(entity: entity, property: property)] ?? []
  }

  /// So many owners lead to too many objects.
  /// - Parameter rows: To how many objects some of them lead, of those that were looked at.
  mutating func noteTooMany(
    _ count: Int, rows: [Int64: Int], of entity: Int32, at property: Int
  ) {
    let walk = Walk(entity: entity, property: property)
    let found = rows.filter { $0.value > Self.mostRows / 16 }.keys
    if found.isEmpty {
      // A row that cannot be read makes its group fail each time, and must not make single ones of all.
      owners[walk] = max(8, count / 8)
    } else {
      // One that was read is not read again, so what is forgotten here mostly is of no more use.
      if hubs[walk]?.count ?? 0 >= Self.reach { hubs[walk] = [] }
      hubs[walk, default: []].formUnion(found)
    }
  }

  /// So many owners, read together, led to so many objects: where twice as many owners would not lead to
  /// too many either, these are read the next time.
  mutating func noteRead(_ count: Int, rows: Int, of entity: Int32, at property: Int) {
    if owners.isEmpty { return }
    let walk = Walk(entity: entity, property: property)
    guard let most = owners[walk], count >= most, rows <= Self.mostRows / 4 else { return }
    owners[walk] = 2 * most < Self.size ? 2 * most : nil
  }
}

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
