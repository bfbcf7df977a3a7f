package import CauldronModel

/// The keys of objects that were created while no key could be reserved, and what became of them.
///
/// They are negative and counted once for all contexts, so that no row and no other object can ever
/// have one; they ascend, as other keys do. The save that takes such an object to the store reserves
/// a key first and exchanges the two everywhere; the old key stays known as an alias.
///
/// A reserved key is exchanged only where a new object turns out, by its unique values, to be an
/// existing row.
@usableFromInline
package final class ProvisionalKeys: Sendable {
  /// A provisional key, and the one that the object has now.
  package struct Exchange: Sendable {
    package let old: Int64
    package let new: Int64
    /// The number of the root entity.
    package let root: Int32
    /// Whether the object has become an existing one, which has its unique values.
    package var becomesOther = false
  }

  private struct State {
    var given: Int64 = 0
    var finals = FinalKeys()
    var exchanges: [Exchange] = []
  }

  private let state = Locked(State())
  /// How many keys were exchanged, for those who follow: read without the lock.
  @usableFromInline let count = SharedWord()
  /// Whether reserved keys were exchanged, too; read without the lock.
  private let reserved = SharedWord()
  /// The numbers of the root entities, by those of their subentities; nothing for who has none.
  private let roots: [Int32]

  /// - Parameter roots: The number of the root entity of each entity, at its own number.
  init(roots: [Int32] = []) { self.roots = roots }

  /// How many keys were exchanged; costs next to nothing.
  @inlinable
  package var exchangeCount: UInt32 { count.value }

  /// The key of one more object.
  package func next() -> Int64 {
    state.withLock { state in
      state.given += 1
      return ProvisionalKey.key(state.given)
    }
  }

  /// The number that a URI names a key by.
  package static func number(_ key: Int64) -> Int64 { ProvisionalKey.number(key) }

  /// The key with a number; nil where none was given out.
  package func key(number: Int64) -> Int64? {
    state.withLock {
      1...max(1, $0.given) ~= number && $0.given > 0 ? ProvisionalKey.key(number) : nil
    }
  }

  /// Whether the object with a key may have another one now.
  @inline(__always)
  func mayBeExchanged(_ key: Int64) -> Bool { key < 0 || reserved.value > 0 }

  /// The key that an object has now.
  /// - Parameter entity: The number of its entity.
  @inline(__always)
  package func final(_ key: Int64, entity: Int32) -> Int64 {
    mayBeExchanged(key) ? lookUp(key, entity: entity) : key
  }

  private func lookUp(_ key: Int64, entity: Int32) -> Int64 {
    let root = roots.indices.contains(Int(entity)) ? roots[Int(entity)] : entity
    return state.withLock { state in
      guard JoinKey.isProvisional(key) else { return state.finals.key(key, root: root) ?? key }
      let (a, b) = JoinKey.ends(key)
      return JoinKey.key(
        state.finals.key(a, root: 0) ?? a, state.finals.key(b, root: 0) ?? b) ?? key
    }
  }

  /// All exchanges, by the old key.
  package var finals: FinalKeys { state.withLock { $0.finals } }

  /// All exchanges and some more, by the old key.
  package func finals(with exchanges: [Exchange]) -> FinalKeys {
    var finals = finals
    for exchange in exchanges { finals.add(exchange) }
    return finals
  }

  /// Those exchanges whose old keys are still in use.
  package func open(_ exchanges: [Exchange]) -> [Exchange] {
    exchanges.filter { final($0.old, entity: $0.root) == $0.old }
  }

  /// The exchanges from the one with a number on.
  package func exchanges(from start: UInt32) -> ArraySlice<Exchange> {
    state.withLock { $0.exchanges[Int(start)...] }
  }

  /// Makes keys known; called with the ledger's lock held, as its layers change at the same instant.
  package func add(_ exchanges: [Exchange]) {
    state.withLock { state in
      for exchange in exchanges { state.finals.add(exchange) }
      state.exchanges += exchanges
      if state.finals.hasReserved { reserved.store(1) }
      count.store(UInt32(state.exchanges.count))
    }
  }
}

extension ManagedObjectID {
  /// The ID that the object has now.
  @inline(__always)
  package func followed(_ keys: ProvisionalKeys) -> ManagedObjectID {
    if !keys.mayBeExchanged(key) { return self }
    return ManagedObjectID(
      key: keys.final(key, entity: entityNumber), entityNumber: entityNumber,
      storeNumber: storeNumber)
  }
}
