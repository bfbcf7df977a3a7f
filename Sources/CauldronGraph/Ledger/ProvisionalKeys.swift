import CauldronModel

/// The keys of objects that were created while no key could be reserved, and what became of them.
///
/// They are negative and counted once for all contexts, so that no row and no other object can ever
/// have one; they ascend, as other keys do. The save that takes such an object to the store reserves
/// a key first and exchanges the two everywhere; the old key stays known as an alias.
final class ProvisionalKeys: Sendable {
  /// A provisional key, and the one that the object has now.
  struct Exchange: Sendable {
    let old: Int64
    let new: Int64
    /// The number of the root entity.
    let root: Int32
  }

  private struct State {
    var given: Int64 = 0
    var finals: [Int64: Int64] = [:]
    var exchanges: [Exchange] = []
  }

  private let state = Locked(State())
  /// How many keys were exchanged, for those who follow: read without the lock.
  private let count = SharedWord()

  /// How many keys were exchanged; costs next to nothing.
  @inline(__always)
  var exchangeCount: UInt32 { count.value }

  /// The key of one more object.
  func next() -> Int64 {
    state.withLock { state in
      state.given += 1
      return ProvisionalKey.key(state.given)
    }
  }

  /// The number that a URI names a key by.
  static func number(_ key: Int64) -> Int64 { ProvisionalKey.number(key) }

  /// The key with a number; nil where none was given out.
  func key(number: Int64) -> Int64? {
    state.withLock {
      1...max(1, $0.given) ~= number && $0.given > 0 ? ProvisionalKey.key(number) : nil
    }
  }

  /// The key that an object has now.
  @inline(__always)
  func final(_ key: Int64) -> Int64 { key >= 0 ? key : lookUp(key) }

  private func lookUp(_ key: Int64) -> Int64 {
    state.withLock { state in
      guard JoinKey.isProvisional(key) else { return state.finals[key] ?? key }
      let (a, b) = JoinKey.ends(key)
      return JoinKey.key(state.finals[a] ?? a, state.finals[b] ?? b) ?? key
    }
  }

  /// All exchanges, by the old key.
  var finals: [Int64: Int64] { state.withLock { $0.finals } }

  /// The exchanges from the one with a number on.
  func exchanges(from start: UInt32) -> ArraySlice<Exchange> {
    state.withLock { $0.exchanges[Int(start)...] }
  }

  /// Makes keys known; called with the ledger's lock held, as its layers change at the same instant.
  func add(_ exchanges: [Exchange]) {
    state.withLock { state in
      for exchange in exchanges { state.finals[exchange.old] = exchange.new }
      state.exchanges += exchanges
      count.store(UInt32(state.exchanges.count))
    }
  }
}

extension ManagedObjectID {
  /// The ID that the object has now.
  @inline(__always)
  func followed(_ keys: ProvisionalKeys) -> ManagedObjectID {
    if key >= 0 { return self }
    return ManagedObjectID(
      key: keys.final(key), entityNumber: entityNumber, storeNumber: storeNumber)
  }
}
