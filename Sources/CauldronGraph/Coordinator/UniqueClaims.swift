import CauldronModel

/// Which object stands for a unique value that somebody asked for and that is not in the store yet, so
/// that all contexts get the same one; and how new objects began.
///
/// A claim is of no consequence once its object is committed, or once nobody inserts it any more.
final class UniqueClaims: Sendable {
  /// How an object was when it was created.
  struct Origin: Sendable {
    /// The defaults, and for a claimed object the values that it is found by.
    let row: HeldRow
    let entity: EntityLayout
    /// The unique key that it was asked for by; nil where it was just created.
    let claimed: UniqueKey?
  }

  /// What a value is claimed for.
  struct Claim {
    let key: Int64
    /// What the object begins with, the same in all contexts.
    let row: HeldRow
    let isNew: Bool
  }

  fileprivate struct Object: Hashable, Sendable {
    let key: Int64
    let root: Int32
  }

  fileprivate struct State {
    var claims: [UniqueValues: Int64] = [:]
    var origins: [Object: Origin] = [:]
    var shared: Set<Object> = []
    /// Those of the shared ones that nobody inserted when the last commit had ended.
    var lapsing: Set<Object> = []
    /// What nobody had use for when that was looked at last.
    var doubtful: Set<Object> = []
    /// The number of entries from which on that is looked at again.
    var limit = 1_024
    /// The number of objects from which on it is looked which of them are committed.
    var committedLimit = 1_024

    var count: Int { origins.count + shared.count }

    /// Drops the claims for what is not known any more.
    mutating func dropClaims() {
      if origins.isEmpty { claims = [:] }
      claims = claims.filter { origins[Object(key: $1, root: $0.root)] != nil }
    }
  }

  private let state = Locked(State())
  private let ledger: ChangeLedger
  private let keys: KeyAllocator

  init(ledger: ChangeLedger, keys: KeyAllocator) {
    self.ledger = ledger
    self.keys = keys
  }

  /// Claims a value, or joins those who have claimed it.
  /// - Parameter make: Makes the row that the object begins with.
  /// - Returns: Nil where the value is claimed for another entity of the hierarchy.
  func claim(
    _ value: UniqueValues, _ unique: UniqueKey, _ entity: EntityLayout, _ make: () -> HeldRow
  ) -> Claim? {
    if let known = state.withLock({ known(value, $0) }) { return join(known, entity, value.root) }
    return claim(value, unique, entity, made: make())
  }

  /// Claims a value for a row that was made for it, or joins those who have claimed it: then the row's key
  /// is not used.
  func claim(
    _ value: UniqueValues, _ unique: UniqueKey, _ entity: EntityLayout, made: HeldRow
  ) -> Claim? {
    let (other, isMany) = state.withLock { state -> ((Int64, Origin)?, Bool) in
      // Mostly nobody has, and then the value is looked for once.
      if let first = state.claims.updateValue(made.row.key, forKey: value),
        let known = known(first, value.root, state)
      {
        state.claims[value] = first
        return (known, false)
      }
      state.origins[Object(key: made.row.key, root: value.root)] =
        Origin(row: made, entity: entity, claimed: unique)
      return (nil, state.count > state.limit)
    }
    if let other { return join(other, entity, value.root) }
    if isMany { forgetUseless() }
    return Claim(key: made.row.key, row: made, isNew: true)
  }

  private func known(_ value: UniqueValues, _ state: State) -> (Int64, Origin)? {
    state.claims[value].flatMap { known($0, value.root, state) }
  }

  /// What a key stands for that was claimed.
  private func known(_ first: Int64, _ root: Int32, _ state: State) -> (Int64, Origin)? {
    let key = ledger.provisional.final(first, root)
    guard keys.isUncommitted(key, root),
      let origin = state.origins[Object(key: key, root: root)], origin.claimed != nil
    else { return nil }
    return (key, origin)
  }

  private func join(
    _ known: (key: Int64, origin: Origin), _ entity: EntityLayout, _ root: Int32
  ) -> Claim? {
    guard known.origin.entity === entity else { return nil }
    share(known.key, root)
    return Claim(key: known.key, row: known.origin.row, isNew: false)
  }

  /// The object of a claim is as its hook has left it, and so it begins in other contexts. Where some have
  /// it already, what the hook has done is an edit.
  func settle(_ row: HeldRow, _ root: Int32) {
    state.withLock { state in
      let object = Object(key: row.row.key, root: root)
      guard let origin = state.origins[object], !state.shared.contains(object) else { return }
      state.origins[object] = Origin(row: row, entity: origin.entity, claimed: origin.claimed)
    }
  }

  /// An object has other values now, or is deleted, so that another one has to be made for who asks for
  /// those that it was claimed by.
  /// - Complexity: O(claims); it is seldom so.
  func release(_ key: Int64, _ root: Int32) {
    state.withLock { state in
      state.claims = state.claims.filter { value, first in
        value.root != root || ledger.provisional.final(first, root) != key
      }
    }
  }

  /// Takes back a claim of which nobody has made use.
  func withdraw(_ value: UniqueValues, _ key: Int64) {
    state.withLock { state in
      let object = Object(key: key, root: value.root)
      guard state.claims[value] == key, !state.shared.contains(object) else { return }
      state.claims[value] = nil
      state.origins[object] = nil
    }
  }

  /// Notes how objects began whose defaults are made anew for each, once layers insert them.
  func note(_ origins: [(row: HeldRow, entity: EntityLayout)]) {
    if origins.isEmpty { return }
    let isMany = state.withLock { state in
      for (row, entity) in origins {
        state.origins[Object(key: row.row.key, root: entity.rootNumber)] =
          Origin(row: row, entity: entity, claimed: nil)
      }
      return state.count > state.limit
    }
    if isMany { forgetUseless() }
  }

  /// How an object began; nil where that is how all of its entity do.
  func origin(_ key: Int64, _ root: Int32) -> Origin? {
    state.withLock { $0.origins[Object(key: key, root: root)] }
  }

  /// Notes that more than one context may insert an object, or that it may be in the store already.
  func share(_ key: Int64, _ root: Int32) {
    state.withLock { state in
      state.shared.insert(Object(key: key, root: root))
      state.lapsing.remove(Object(key: key, root: root))
      ledger.sharedKeys.store(UInt32(clamping: state.shared.count))
    }
  }

  /// Whether more than one context may insert an object, or it may be in the store already.
  func isShared(_ key: Int64, _ root: Int32) -> Bool {
    ledger.sharedKeys.value > 0
      && state.withLock { $0.shared.contains(Object(key: key, root: root)) }
  }

  /// Objects get other keys. One that was asked for by its values makes so of what it becomes.
  func follow(_ exchanges: [ProvisionalKeys.Exchange]) {
    state.withLock { state in
      for exchange in exchanges {
        let old = Object(key: exchange.old, root: exchange.root)
        let new = Object(key: exchange.new, root: exchange.root)
        if let origin = state.origins[old], state.origins[new]?.claimed == nil,
          origin.claimed != nil || state.origins[new] == nil
        {
          state.origins[new] = origin
        }
        if exchange.becomesOther || state.shared.contains(old) { state.shared.insert(new) }
      }
      ledger.sharedKeys.store(UInt32(clamping: state.shared.count))
    }
  }

  /// Forgets that objects are shared which nobody inserts any more: as long as there are some, fetches
  /// look at more rows.
  /// - Parameter family: The entities of a hierarchy.
  /// - Complexity: O(shared objects · runs of layers · log rows), and only where they are few; the many
  ///   are looked at when they have doubled.
  func commitEnded(_ family: (Int32) -> [EntityLayout]) {
    forgetCommitted()
    guard ledger.sharedKeys.value > 0 else { return }
    let shared = state.withLock { $0.shared.count <= 64 ? $0.shared : [] }
    let unused = shared.filter { !ledger.isInserted($0.key, family($0.root)) }
    state.withLock { state in
      // What was joined a moment ago may not be in a layer yet.
      state.shared.subtract(unused.intersection(state.lapsing))
      state.lapsing = unused
      ledger.sharedKeys.store(UInt32(clamping: state.shared.count))
    }
  }

  /// Forgets how those objects began that are in the store now, but for those that somebody inserts still.
  /// - Complexity: O(entries), and only where they have doubled.
  private func forgetCommitted() {
    let known = state.withLock { state in
      state.origins.count < state.committedLimit ? [] : Array(state.origins.keys)
    }
    if known.isEmpty { return }
    let committed = known.filter { !keys.isUncommitted($0.key, $0.root) }
    state.withLock { state in
      for object in committed where !state.shared.contains(object) { state.origins[object] = nil }
      state.dropClaims()
      state.committedLimit = max(1_024, 2 * state.origins.count)
    }
  }

  /// Forgets what is in the store, and what nobody inserts any more.
  /// - Complexity: O(entries and pending rows), and only where the entries have doubled and are not about
  ///   as many as the rows that wait.
  private func forgetUseless() {
    let isMostlyOfUse = ledger.insertedCount > state.withLock(\.count) / 2
    if isMostlyOfUse { return state.withLock { $0.limit = max(1_024, 2 * $0.count) } }
    let known = state.withLock { Set($0.origins.keys).union($0.shared) }
    let inserted = ledger.insertedKeys()
    let useless = known.filter { inserted[$0.root]?.contains($0.key) != true }
    state.withLock { state in
      // What was claimed a moment ago may not be in a layer yet.
      for object in useless where state.doubtful.contains(object) {
        state.origins[object] = nil
        state.shared.remove(object)
      }
      state.doubtful = useless
      state.dropClaims()
      state.limit = max(1_024, 2 * state.count)
      ledger.sharedKeys.store(UInt32(clamping: state.shared.count))
    }
  }
}

extension ChangeLedger {
  /// Whether a waiting layer inserts an object.
  fileprivate func isInserted(_ key: Int64, _ family: [EntityLayout]) -> Bool {
    let ids = family.map { ManagedObjectID(key: key, entityNumber: $0.number, storeNumber: 0) }
    return withLock {
      nodes.all.lazy.flatMap(\.runs).contains { run in ids.contains { run.inserts($0) } }
    }
  }

  /// How many rows waiting layers insert.
  /// - Complexity: O(layers).
  fileprivate var insertedCount: Int {
    withLock { nodes.all.flatMap(\.layers) }.reduce(0) { count, layer in
      layer.changes.entities.reduce(count) { $0 + $1.inserted.count }
    }
  }

  /// The keys of the rows with unique keys that waiting layers insert, by number of the root entity.
  /// - Complexity: O(pending rows).
  fileprivate func insertedKeys() -> [Int32: Set<Int64>] {
    let layers = withLock { nodes.all.flatMap(\.layers) }
    var keys: [Int32: Set<Int64>] = [:]
    for set in layers.flatMap(\.changes.entities) where !set.entity.uniqueKeys.isEmpty {
      keys[set.entity.rootNumber, default: []].formUnion(set.inserted.lazy.map(\.key))
    }
    return keys
  }
}
