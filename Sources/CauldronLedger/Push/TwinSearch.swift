import CauldronModel
import CauldronQuery
import CauldronStore

/// Finds rows of a layer whose unique values another row has: of the layer, of what waits above it, or of
/// the store as far as that was asked.
struct TwinSearch {
  /// Two rows with the same unique values; the first is the one that came later.
  struct Pair {
    let row: RowPointer
    let entity: EntityLayout
    let isNew: Bool
    let other: RowPointer
    let key: UniqueKey
  }

  /// The rows of the layer with new unique values.
  private struct Candidate {
    let row: RowPointer
    let entity: EntityLayout
    let isNew: Bool
  }

  private let sets: [EntityChanges]
  private(set) var pairs: [Pair] = []
  private var paired: Set<RowPointer> = []

  /// - Parameters:
  ///   - sets: The layer, as it will be accepted.
  ///   - above: The layers that wait above, of which `current` tells the rows as they are.
  ///   - stored: Rows of the store.
  init(
    _ sets: [EntityChanges], above: [LayerRun], stored: StoredTwins,
    current: (Int64, EntityLayout) -> RowPointer?
  ) {
    self.sets = sets
    var keys: [Int32: [Int: UniqueKey]] = [:]
    for set in sets {
      let root = set.entity.rootNumber
      for key in set.entity.uniqueKeys { keys[root, default: [:]][key.number] = key }
    }
    for (root, byNumber) in keys {
      for number in byNumber.keys.sorted() {
        search(root, number: number, above: above, stored: stored, current: current)
      }
    }
  }

  private mutating func search(
    _ root: Int32, number: Int, above: [LayerRun], stored: StoredTwins,
    current: (Int64, EntityLayout) -> RowPointer?
  ) {
    let candidates = candidates(in: root, number: number)
    guard !candidates.isEmpty else { return }
    var values: [Int32: UniqueValue] = [:]
    let index = CandidateIndex(count: candidates.count) { position in
      Self.value(of: candidates[position].entity, number: number, known: &values)?.hash(
        candidates[position].row)
    }
    findWithin(candidates, later: index.repeated, number: number, values: &values)
    let family = Dictionary(
      candidates[0].entity.root.family.map { ($0.entity.number, $0.entity) },
      uniquingKeysWith: { first, _ in first })
    for run in above {
      run.forEachCandidate(number, in: family, hashes: index.last) {
        Self.value(of: $0, number: number, known: &values)
      } body: { key, entity, value, hash in
        guard let now = current(key, entity) else { return }
        index.forEach(hash) { compare(candidates[$0], with: now, of: entity, value: value) }
      }
    }
    for hash in index.last.keys {
      for row in stored.rows(hash, root: root, key: number) {
        guard let entity = family[row.entityNumber],
          let value = Self.value(of: entity, number: number, known: &values),
          let now = current(row.key, entity)
        else { continue }
        index.forEach(hash) { compare(candidates[$0], with: now, of: entity, value: value) }
      }
    }
  }

  /// The new rows, and those to which one of the key's values was given.
  private func candidates(in root: Int32, number: Int) -> [Candidate] {
    var candidates: [Candidate] = []
    for set in sets where set.entity.rootNumber == root {
      guard let key = set.entity.uniqueKeys.first(where: { $0.number == number }) else { continue }
      for update in set.updated where !update.brought(among: key.set).isEmpty {
        candidates.append(Candidate(row: update.row, entity: set.entity, isNew: false))
      }
      candidates += set.inserted.map { Candidate(row: $0, entity: set.entity, isNew: true) }
    }
    return candidates
  }

  /// Compares the rows of the layer with one another.
  private mutating func findWithin(
    _ candidates: [Candidate], later: [(Int32, Int32)], number: Int,
    values: inout [Int32: UniqueValue]
  ) {
    var known: [[AttributeScalar]: Int32] = [:]
    for (position, first) in later {
      for index in [first, position] {
        let candidate = candidates[Int(index)]
        guard let value = Self.value(of: candidate.entity, number: number, known: &values),
          let scalars = value.values(of: candidate.row)
        else { continue }
        guard let other = known[scalars], other != index else {
          known[scalars] = index
          continue
        }
        add(candidate, with: candidates[Int(other)].row, by: value.key)
      }
    }
  }

  private mutating func compare(
    _ candidate: Candidate, with other: RowPointer, of entity: EntityLayout, value: UniqueValue
  ) {
    guard let scalars = value.values(of: other), candidate.row.key != other.key,
      !isOvertaken(other.key, of: entity, by: value.key),
      let mine = candidate.entity.uniqueKeys.first(where: { $0.number == value.key.number }),
      UniqueValue(mine).values(of: candidate.row) == scalars
    else { return }
    add(candidate, with: other, by: value.key)
  }

  /// Whether the layer itself takes the values from a row.
  private func isOvertaken(_ key: Int64, of entity: EntityLayout, by unique: UniqueKey) -> Bool {
    let set = sets.first { $0.entity === entity }
    switch set?.change(key) {
    case .deleted, .inserted: return true
    case .updated(let update): return !update.brought(among: unique.set).isEmpty
    case nil: return false
    }
  }

  private mutating func add(_ candidate: Candidate, with other: RowPointer, by key: UniqueKey) {
    guard paired.insert(candidate.row).inserted else { return }
    pairs.append(
      Pair(
        row: candidate.row, entity: candidate.entity, isNew: candidate.isNew, other: other, key: key
      ))
  }

  private static func value(
    of entity: EntityLayout, number: Int, known: inout [Int32: UniqueValue]
  ) -> UniqueValue? {
    if let value = known[entity.number] { return value }
    guard let key = entity.uniqueKeys.first(where: { $0.number == number }) else { return nil }
    let value = UniqueValue(key)
    known[entity.number] = value
    return value
  }
}

/// Rows of the store that have unique values which it has refused to others, by these values: each layer
/// looks for its own alone.
struct StoredTwins {
  private struct Values: Hashable {
    let root: Int32
    let key: Int
    let hash: UInt64
  }

  private let held: [HeldRow]
  private var byID: [ManagedObjectID: RowPointer] = [:]
  private var byValues: [Values: [RowPointer]] = [:]

  init(_ rows: [HeldRow], _ coordinator: PersistentStoreCoordinator) {
    held = rows
    for row in rows.map(\.row) { byID[coordinator.id(row)] = row }
    for row in byID.values {
      guard let entity = coordinator.managedObjectModel.layout(number: row.entityNumber) else {
        continue
      }
      for key in entity.uniqueKeys {
        guard let hash = UniqueValue(key).hash(row) else { continue }
        let values = Values(root: entity.rootNumber, key: key.number, hash: hash)
        byValues[values, default: []].append(row)
      }
    }
  }

  func row(_ id: ManagedObjectID) -> RowPointer? { byID[id] }

  /// Those that may have some values of a unique key.
  func rows(_ hash: UInt64, root: Int32, key: Int) -> [RowPointer] {
    if byValues.isEmpty { return [] }
    return byValues[Values(root: root, key: key, hash: hash)] ?? []
  }
}

/// Positions of rows by the hash of their values.
private struct CandidateIndex {
  /// The last one that has each hash.
  private(set) var last: [UInt64: Int32] = [:]
  /// The one before that has the same hash, where there is one.
  private var before: [Int32: Int32] = [:]

  init(count: Int, _ hash: (Int) -> UInt64?) {
    for position in 0..<count {
      guard let hash = hash(position) else { continue }
      before[Int32(position)] = last.updateValue(Int32(position), forKey: hash)
    }
  }

  /// The positions whose hash an earlier one has, and that one.
  var repeated: [(Int32, Int32)] { before.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

  func forEach(_ hash: UInt64, body: (Int) -> Void) {
    var next = last[hash]
    while let position = next {
      body(Int(position))
      next = before[position]
    }
  }
}
