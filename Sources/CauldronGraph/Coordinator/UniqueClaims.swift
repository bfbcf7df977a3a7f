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

    var count: Int { origins.count + shared.count }
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
    let made = make()
    let (key, origin) = state.withLock { state -> (Int64, Origin) in
      // Somebody may have been quicker; then the key that was made is not used.
      if let known = known(value, state) { return known }
      let origin = Origin(row: made, entity: entity, claimed: unique)
      state.claims[value] = made.row.key
      state.origins[Object(key: made.row.key, root: value.root)] = origin
      return (made.row.key, origin)
    }
    guard origin.row.row == made.row else { return join((key, origin), entity, value.root) }
    forgetUseless()
    return Claim(key: key, row: made, isNew: true)
  }

  private func known(_ value: UniqueValues, _ state: State) -> (Int64, Origin)? {
    guard let first = state.claims[value] else { return nil }
    let key = ledger.provisional.final(first, value.root)
    guard keys.isUncommitted(key, value.root),
      let origin = state.origins[Object(key: key, root: value.root)], origin.claimed != nil
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
    state.withLock { state in
      for (row, entity) in origins {
        state.origins[Object(key: row.row.key, root: entity.rootNumber)] =
          Origin(row: row, entity: entity, claimed: nil)
      }
    }
    forgetUseless()
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

  /// Forgets what is in the store, and what nobody inserts any more.
  /// - Complexity: O(entries and pending rows), and only where the entries have doubled.
  private func forgetUseless() {
    guard state.withLock({ $0.count > $0.limit }) else { return }
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
      let origins = state.origins
      state.claims = state.claims.filter { origins[Object(key: $1, root: $0.root)] != nil }
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
