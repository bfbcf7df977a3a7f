import CauldronLedger
import CauldronModel

extension PersistentStoreCoordinator {
  /// Takes the layers of a context on the coordinator to be written. Objects that were created while no
  /// key could be reserved get theirs now.
  /// - Parameters:
  ///   - validated: Which layers were validated; nil for all.
  ///   - yields: Whether a child comes first that has brought back what the context may have deleted.
  /// - Returns: Nil where one has.
  /// - Throws: Why no key can be reserved; then all is still pending.
  func takeOff(
    _ node: LedgerNode, only validated: Set<UInt64>?, yields: Bool = false
  ) throws(CauldronError) -> [Layer]? {
    while true {
      let begun = ledger.beginFlight(node, only: validated, yields: yields)
      guard let (layers, provisional) = begun else { return nil }
      if provisional.isEmpty { return layers }
      try exchange { try keys.exchanges(for: provisional.map(\.changes)) }
    }
  }

  /// Gives objects that were created while no key could be reserved keys of the store.
  func reserveKeys(for objects: [ManagedObject]) throws(CauldronError) {
    // Read before anything is waited for: meanwhile a save may give some of them keys, which are not to be
    // exchanged once more.
    var old: [Int32: (keys: Set<Int64>, root: EntityLayout)] = [:]
    for object in objects where object.objectID.key < 0 {
      let root = object.layout.root
      old[root.number, default: ([], root)].keys.insert(object.objectID.key)
    }
    try exchange { try old.values.flatMap { try keys.exchanges(for: Array($0.keys), $0.root) } }
  }

  /// Has all contexts know objects by keys of the store.
  private func exchange(
    _ reserve: () throws -> [ProvisionalKeys.Exchange]
  ) throws(CauldronError) {
    do {
      let exchanges = try reserve()
      claims.follow(exchanges)
      for other in ledger.exchange(exchanges) { other.owner?.catchUpSoon() }
    } catch {
      throw CauldronError.wrap(error)
    }
  }
}
