import CauldronModel

extension PersistentStoreCoordinator {
  /// Takes the layers of a context on the coordinator to be written. Objects that were created while no
  /// key could be reserved get theirs now.
  /// - Parameter validated: Which layers were validated; nil for all.
  /// - Throws: Why no key can be reserved; then all is still pending.
  func takeOff(
    _ node: LedgerNode, only validated: Set<UInt64>?
  ) throws(CauldronError) -> [Layer] {
    while true {
      let (layers, provisional) = ledger.beginFlight(node, only: validated)
      if provisional.isEmpty { return layers }
      do {
        let exchanges = try keys.exchanges(for: provisional.map(\.changes))
        claims.follow(exchanges)
        for other in ledger.exchange(exchanges) { other.core?.catchUp.runSoon() }
      } catch {
        throw CauldronError.wrap(error)
      }
    }
  }
}
