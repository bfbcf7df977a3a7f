package import CauldronModel
import CauldronQuery
import CauldronStore

extension UniqueClaims {
  /// Entries that the next look forgets, once no context can need them any more.
  package struct Suspects<Objects: Sendable>: Sendable {
    package var objects: Objects
    /// A context that has begun to claim until then may still need some of them.
    package fileprivate(set) var time: UInt64 = 0
    /// How often others became suspect. Two looks at once must not both forget.
    package fileprivate(set) var generation = 0

    init(_ objects: Objects) { self.objects = objects }

    fileprivate mutating func set(_ objects: Objects, at time: UInt64) {
      (self.objects, self.time) = (objects, time)
      generation += 1
    }
  }

  /// A context begins to claim; nothing of that is forgotten until it says that layers insert it.
  package func begin(_ context: ObjectIdentifier) {
    state.withLock { state in
      state.clock += 1
      state.claiming[context] = state.clock
    }
  }

  package func end(_ context: ObjectIdentifier) {
    state.withLock { _ = $0.claiming.removeValue(forKey: context) }
  }

  /// Forgets that objects are shared which nobody inserts any more: as long as there are some, fetches
  /// look at more rows.
  /// - Parameter family: The entities of a hierarchy.
  /// - Complexity: O(shared objects · runs of layers · log rows), and only where they are few; the many
  ///   are looked at when they have doubled.
  package func commitEnded(_ family: (Int32) -> [EntityLayout]) {
    forgetCommitted()
    guard ledger.sharedKeys.value > 0 else { return }
    let (shared, generation) = state.withLock { state in
      let mayForget = state.shared.count <= 64 && state.hasSettled(state.lapsing)
      return (mayForget ? state.shared : [], state.lapsing.generation)
    }
    guard !shared.isEmpty else { return }
    let unused = shared.filter { !isInserted($0.key, in: family($0.root)) }
    state.withLock { state in
      guard state.lapsing.generation == generation else { return }
      // What was joined a moment ago may not be in a layer yet.
      state.shared.subtract(unused.intersection(state.lapsing.objects))
      state.lapsing.set(unused, at: state.clock)
      ledger.sharedKeys.store(UInt32(clamping: state.shared.count))
    }
  }

  /// Forgets the origins of objects that were in the store at the last look, unless another context
  /// still inserts them.
  /// - Complexity: O(entries), and only where they have doubled.
  private func forgetCommitted() {
    state.withLock { state in
      guard state.count > state.committedLimit, state.hasSettled(state.committed) else { return }
      // What was joined a moment ago may not be in a layer yet.
      let (before, shared) = (state.committed.objects, state.shared)
      var committed: [Int32: KeyBitmap] = [:]
      var marked = 0
      func isOfUse(_ key: Int64, root: Int32) -> Bool {
        let now = ledger.provisional.final(key, entity: root)
        if keys.isUncommitted(now, root: root) || shared.contains(Object(key: now, root: root)) {
          return true
        }
        if before[root]?.contains(now) == true { return false }
        committed[root, default: KeyBitmap()].insert(now...now)
        marked += 1
        return true
      }
      state.claims = state.claims.filter { isOfUse($1.key, root: $0.root) }
      state.origins = state.origins.filter { object, _ in isOfUse(object.key, root: object.root) }
      state.committed.set(committed, at: state.clock)
      trim(&state)
      // What is committed goes at the next look, which is to come soon where that is most of it.
      state.committedLimit = marked > state.count / 2 ? 1_024 : max(1_024, 2 * state.count)
      state.limit = min(state.limit, max(1_024, 2 * state.count))
    }
  }

  /// Keeps no values of what is not claimed any more.
  private func trim(_ state: inout State) {
    guard let values = state.valuesOfOthers else { return }
    let claims = state.claims
    state.valuesOfOthers = claims.isEmpty ? nil : values.filter { claims[$1] != nil }
  }

  /// Forgets objects that are in the store, or that no layer inserts any more.
  /// - Complexity: O(entries and pending rows), and only where the entries have doubled and are not about
  ///   as many as the rows that wait.
  func forgetUseless() {
    let isMostlyOfUse = insertedCount > state.withLock(\.count) / 2
    let (known, generation) = state.withLock { state -> (Set<Object>, Int) in
      guard state.hasSettled(state.doubtful) else {
        // Soon, but not with each claim until then.
        state.limit = state.count + max(1_024, state.count / 8)
        return ([], 0)
      }
      // A caller that comes meanwhile leaves it to this look.
      state.limit = max(1_024, 2 * state.count)
      if isMostlyOfUse { return ([], 0) }
      let claimed = state.claims.map { now($1, for: $0) }
      return (
        Set(state.origins.keys).union(state.shared).union(claimed), state.doubtful.generation
      )
    }
    guard !known.isEmpty else { return }
    let inserted = insertedKeys()
    let useless = known.filter { inserted[$0.root]?.contains($0.key) != true }
    state.withLock { state in
      guard state.doubtful.generation == generation else { return }
      // An object claimed a moment ago may not be in a layer yet.
      let forgotten = useless.intersection(state.doubtful.objects)
      state.origins = state.origins.filter { object, _ in !forgotten.contains(object) }
      state.claims = state.claims.filter { !forgotten.contains(now($1, for: $0)) }
      state.shared.subtract(forgotten)
      trim(&state)
      state.doubtful.set(useless, at: state.clock)
      state.limit = max(1_024, 2 * state.count)
      ledger.sharedKeys.store(UInt32(clamping: state.shared.count))
    }
  }

  /// What an entry stands for now.
  private func now(_ entry: Entry, for values: UniqueValues) -> Object {
    Object(key: ledger.provisional.final(entry.key, entity: values.root), root: values.root)
  }

  /// Whether a waiting layer inserts an object.
  private func isInserted(_ key: Int64, in family: [EntityLayout]) -> Bool {
    let ids = family.map { ManagedObjectID(key: key, entityNumber: $0.number, storeNumber: 0) }
    return ledger.withLock {
      ledger.nodes.all.lazy.flatMap(\.runs).contains { run in ids.contains { run.inserts($0) } }
    }
  }

  /// How many rows waiting layers insert.
  /// - Complexity: O(layers).
  private var insertedCount: Int {
    ledger.withLock { ledger.nodes.all.flatMap(\.layers) }.reduce(0) { count, layer in
      layer.changes.entities.reduce(count) { $0 + $1.inserted.count }
    }
  }

  /// The keys of the rows with unique keys that waiting layers insert, by number of the root entity.
  /// - Complexity: O(pending rows).
  private func insertedKeys() -> [Int32: Set<Int64>] {
    let layers = ledger.withLock { ledger.nodes.all.flatMap(\.layers) }
    var keys: [Int32: Set<Int64>] = [:]
    for set in layers.flatMap(\.changes.entities) where !set.entity.uniqueKeys.isEmpty {
      keys[set.entity.rootNumber, default: []].formUnion(set.inserted.lazy.map(\.key))
    }
    return keys
  }
}

extension UniqueClaims.State {
  /// Whether what was claimed before those became suspect is in layers by now, or is no more.
  fileprivate func hasSettled<Objects>(_ suspects: UniqueClaims.Suspects<Objects>) -> Bool {
    claiming.values.allSatisfy { $0 > suspects.time }
  }
}
