package import CauldronModel
import CauldronQuery
package import CauldronStore

/// The objects that stand for requested unique values which are not in the store yet: all contexts
/// get the same one. And how new objects began.
///
/// A claim is of no consequence once its object is committed, or once no context inserts it any
/// more.
package final class UniqueClaims: Sendable {
  /// What a value is claimed for.
  package struct Claim {
    package let key: Int64
    package let values: UniqueValues
    /// What the object begins with, the same in all contexts; nil where that is the defaults and the values.
    package let row: HeldRow?
    package let isNew: Bool
  }

  package struct Object: Hashable, Sendable {
    package let key: Int64
    package let root: Int32
  }

  package struct Entry: Sendable {
    package let key: Int64
    package let entity: EntityLayout.Unowned
  }

  package struct State {
    package var claims: [UniqueValues: Entry] = [:]
    /// Of those that began otherwise than with the defaults and the values that they were claimed by.
    package var origins: [Object: UniqueOrigin] = [:]
    /// The values by which the others were claimed; nil until asked for, which is seldom.
    var valuesOfOthers: [Object: UniqueValues]?
    package var shared: Set<Object> = []
    /// The contexts with claims that are in no layer yet, and when each has begun to claim.
    var claiming: [ObjectIdentifier: UInt64] = [:]
    var clock: UInt64 = 0
    /// The shared objects that no layer inserted when the last commit had ended.
    var lapsing = Suspects<Set<Object>>([])
    /// The objects without use at the last look.
    package var doubtful = Suspects<Set<Object>>([])
    /// The number of entries from which on that is looked at again.
    package var limit = 1_024
    /// The keys that were committed when that was looked at last, by root entity.
    package var committed = Suspects<[Int32: KeyBitmap]>([:])
    /// The number of entries from which on that is looked at again.
    var committedLimit = 1_024

    package var count: Int { claims.count + origins.count + shared.count }
  }

  package let state = Locked(State())
  package let ledger: ChangeLedger
  package let keys: KeyAllocator

  init(ledger: ChangeLedger, keys: KeyAllocator) {
    self.ledger = ledger
    self.keys = keys
  }

  /// Claims a value, or joins those who have claimed it.
  /// - Parameter make: Makes the key, and the row that the object begins with unless that is the defaults
  ///   and the values.
  /// - Returns: Nil where the value is claimed for another entity of the hierarchy.
  package func claim(
    _ values: UniqueValues, of entity: EntityLayout, make: () -> (key: Int64, row: HeldRow?)
  ) -> Claim? {
    let known = state.withLock { state in
      state.claims[values].flatMap { claim($0, for: values, in: state) }.map {
        join($0, of: entity, in: &state)
      }
    }
    if let known { return known }
    let made = make()
    return claim(values, of: entity, key: made.key, row: made.row)
  }

  /// Claims a value for a key, or joins those who have claimed it: then the key is not used.
  package func claim(
    _ values: UniqueValues, of entity: EntityLayout, key: Int64, row: HeldRow?
  ) -> Claim? {
    let object = Object(key: key, root: values.root)
    let entry = Entry(key: key, entity: EntityLayout.Unowned(entity: entity))
    let (other, isMany) = state.withLock { state -> (Claim??, Bool) in
      // Mostly nobody has, and then the value is looked for once.
      if let first = state.claims.updateValue(entry, forKey: values) {
        if let known = claim(first, for: values, in: state) {
          state.claims[values] = first
          return (join(known, of: entity, in: &state), false)
        }
        keepOrigin(of: first, for: values, in: &state)
      }
      state.valuesOfOthers?[object] = values
      if let row {
        state.origins[object] = UniqueOrigin(key: key, entity: entity, values: values, given: row)
      }
      return (nil, state.count > state.limit)
    }
    if let other { return other }
    if isMany { forgetUseless() }
    return Claim(key: key, values: values, row: row, isNew: true)
  }

  private typealias Known = (claim: Claim, entity: EntityLayout)

  /// What values are claimed for that were; nil where that is of no consequence any more.
  private func claim(_ entry: Entry, for values: UniqueValues, in state: State) -> Known? {
    let key = ledger.provisional.final(entry.key, entity: values.root)
    guard keys.isUncommitted(key, root: values.root) else { return nil }
    let origin = state.origins[Object(key: key, root: values.root)]
    if let origin, origin.values == nil { return nil }
    let claim = Claim(key: key, values: values, row: origin?.given, isNew: false)
    return (claim, origin?.entity ?? entry.entity.entity)
  }

  private func join(_ known: Known, of entity: EntityLayout, in state: inout State) -> Claim? {
    guard known.entity === entity else { return nil }
    share(Object(key: known.claim.key, root: known.claim.values.root), in: &state)
    return known.claim
  }

  /// What is claimed anew has begun with the values all the same, and others may still insert it.
  private func keepOrigin(of entry: Entry, for values: UniqueValues, in state: inout State) {
    let key = ledger.provisional.final(entry.key, entity: values.root)
    let object = Object(key: key, root: values.root)
    if state.origins[object] != nil { return }
    state.origins[object] = UniqueOrigin(
      key: key, entity: entry.entity.entity, values: values, given: nil)
  }

  /// The object of a claim is as its hook has left it, and so it begins in other contexts. Where some have
  /// it already, what the hook has done is an edit.
  package func settle(_ claim: Claim, with row: HeldRow) {
    state.withLock { state in
      let object = Object(key: row.row.key, root: claim.values.root)
      guard let entry = state.claims[claim.values], entry.key == claim.key,
        !state.shared.contains(object)
      else { return }
      state.origins[object] = UniqueOrigin(
        key: object.key, entity: entry.entity.entity, values: claim.values, given: row)
    }
  }

  /// An object has other values now, or is deleted: a request for the values of its claim has to
  /// get another object.
  /// - Complexity: O(claims); it is seldom so.
  package func release(_ key: Int64, root: Int32) {
    state.withLock { state in
      let all = state.claims.filter { values, entry in
        values.root == root && ledger.provisional.final(entry.key, entity: root) == key
      }
      for values in all.keys { state.claims[values] = nil }
      // It has begun as itself, and not as an object that has become it.
      let own = all.first { $0.value.key == key } ?? all.first
      if let own { keepOrigin(of: own.value, for: own.key, in: &state) }
    }
  }

  /// Takes back an unused claim.
  package func withdraw(_ claim: Claim) {
    state.withLock { state in
      let object = Object(key: claim.key, root: claim.values.root)
      guard state.claims[claim.values]?.key == claim.key, !state.shared.contains(object) else {
        return
      }
      state.claims[claim.values] = nil
      state.origins[object] = nil
      state.valuesOfOthers?[object] = nil
    }
  }

  /// Notes how objects began whose defaults are made anew for each, once layers insert them.
  package func note(_ origins: [(row: HeldRow, entity: EntityLayout)]) {
    if origins.isEmpty { return }
    let isMany = state.withLock { state in
      for (row, entity) in origins {
        state.origins[Object(key: row.row.key, root: entity.rootNumber)] =
          UniqueOrigin(key: row.row.key, entity: entity, values: nil, given: row)
      }
      return state.count > state.limit
    }
    if isMany { forgetUseless() }
  }

  /// How an object began; nil where that is how all of its entity do.
  /// - Complexity: O(1), but O(claims) where nobody has asked for long.
  package func origin(of key: Int64, root: Int32) -> UniqueOrigin? {
    state.withLock { origin(of: Object(key: key, root: root), in: &$0) }
  }

  private func origin(of object: Object, in state: inout State) -> UniqueOrigin? {
    if let known = state.origins[object] { return known }
    if state.claims.isEmpty { return nil }
    listOthers(&state)
    guard let values = state.valuesOfOthers?[object], let entry = state.claims[values] else {
      return nil
    }
    return UniqueOrigin(key: object.key, entity: entry.entity.entity, values: values, given: nil)
  }

  private func listOthers(_ state: inout State) {
    if state.valuesOfOthers != nil { return }
    var all: [Object: UniqueValues] = [:]
    for (values, entry) in state.claims {
      let own = Object(key: entry.key, root: values.root)
      all[own] = values
      // The object that a claimed one has become began as this did, unless it was claimed itself.
      let now = Object(
        key: ledger.provisional.final(entry.key, entity: values.root), root: values.root)
      if all[now] == nil { all[now] = values }
    }
    state.valuesOfOthers = all
  }

  /// Notes that more than one context may insert an object, or that it may be in the store already.
  package func share(_ key: Int64, root: Int32) {
    state.withLock { share(Object(key: key, root: root), in: &$0) }
  }

  private func share(_ object: Object, in state: inout State) {
    state.shared.insert(object)
    state.lapsing.objects.remove(object)
    state.doubtful.objects.remove(object)
    ledger.sharedKeys.store(UInt32(clamping: state.shared.count))
  }

  /// Whether more than one context may insert an object, or it may be in the store already.
  package func isShared(_ key: Int64, root: Int32) -> Bool {
    ledger.sharedKeys.value > 0
      && state.withLock { $0.shared.contains(Object(key: key, root: root)) }
  }

  /// Objects get other keys. One that was asked for by its values makes so of what it becomes.
  /// - Complexity: O(exchanges), and O(claims) where nobody has asked how one of them began.
  package func follow(_ exchanges: [ProvisionalKeys.Exchange]) {
    if exchanges.isEmpty { return }
    state.withLock { state in
      // What they were called before is known to nobody later.
      listOthers(&state)
      for exchange in exchanges {
        let old = Object(key: exchange.old, root: exchange.root)
        let new = Object(key: exchange.new, root: exchange.root)
        follow(old, to: new, in: &state)
        if exchange.becomesOther || state.shared.contains(old) { state.shared.insert(new) }
      }
      ledger.sharedKeys.store(UInt32(clamping: state.shared.count))
    }
  }

  private func follow(_ old: Object, to new: Object, in state: inout State) {
    let known = origin(of: new, in: &state)
    if let known, known.values != nil { return }
    if known == nil, state.origins[old] == nil {
      let values = state.valuesOfOthers?[old]
      state.valuesOfOthers?[new] = values
    } else if let origin = origin(of: old, in: &state), origin.values != nil || known == nil {
      state.origins[new] = origin
    }
  }
}

/// How an object was when it was created.
package struct UniqueOrigin: Sendable {
  package let key: Int64
  package let entity: EntityLayout
  /// The values that it was asked for by; nil where it was just created.
  package let values: UniqueValues?
  /// What it has begun with; nil where that is the defaults and the values.
  package let given: HeldRow?

  /// The unique key that it was asked for by; nil where it was just created.
  package var claimed: UniqueKey? {
    values.flatMap { values in entity.uniqueKeys.first { $0.number == values.key } }
  }

  /// Calls `body` with the defaults, and for a claimed object the values that it is found by.
  /// - Complexity: O(properties) where the row is made.
  package func withRow<Result>(_ body: (RowPointer) throws -> Result) rethrows -> Result {
    let held = given ?? made
    return try withExtendedLifetime(held) { try body(held.row) }
  }

  private var made: HeldRow {
    var builder = RowBuilder()
    var row = builder.begin(entity, key: key)
    for (property, scalar) in zip(claimed?.properties ?? [], values?.all ?? []) {
      row = builder.set(property.index, scalar, of: row, entity)
    }
    builder.close()
    return row.held
  }
}
