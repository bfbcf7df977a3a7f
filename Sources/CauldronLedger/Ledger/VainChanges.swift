package import CauldronModel
package import CauldronStore

/// Finds out whether what waits in a context changes nothing: all of it is deleted there, and does not exist
/// below.
///
/// An object does not exist below where it was created in the context, or where a child has restored it over a
/// deletion.
struct VainChanges {
  private let runs: [LayerRun]
  private let layers: [Layer]
  private let bringsBack: (RowUpdate, EntityLayout) -> Bool

  init(_ node: LedgerNode, bringsBack: @escaping (RowUpdate, EntityLayout) -> Bool) {
    runs = node.runs
    layers = node.layers
    self.bringsBack = bringsBack
  }

  /// - Complexity: O(log layers) where the layers change something, mostly; else O(rows · layers).
  var areAll: Bool {
    layers.allSatisfy { layer in
      layer.changes.entities.allSatisfy { set in set.keys.allSatisfy { isVain($0, of: set.entity) }
      }
    }
  }

  private func isVain(_ key: Int64, of entity: EntityLayout) -> Bool {
    let id = ManagedObjectID(key, entity)
    let newest = runs.reversed().lazy.compactMap { $0.newest(id) }.first
    guard newest?.kind == .deletion else { return false }
    return runs.contains { $0.inserts(id) } || restored(id).map { bringsBack($0, entity) } ?? false
  }

  /// The change by which a child has restored an object.
  private func restored(_ id: ManagedObjectID) -> RowUpdate? {
    for layer in layers where layer.changes.hasRestored {
      if case .updated(let update)? = layer.changes.change(id), update.isRestored { return update }
    }
    return nil
  }
}

extension ChangeLedger {
  /// Whether what waits in a context changes nothing.
  /// - Parameter bringsBack: Whether a restored row lies over layers, or a store, without the object.
  package func isVain(
    _ node: LedgerNode, where bringsBack: @escaping (RowUpdate, EntityLayout, LayerChain) -> Bool
  ) -> Bool {
    withLock { uncheckedIsVain(node, where: bringsBack) }
  }

  /// Ends what waits in a context where it changes nothing: there is nothing to save. A child that had saved
  /// some of it learns that it is gone.
  package func dropVain(
    _ node: LedgerNode, where bringsBack: @escaping (RowUpdate, EntityLayout, LayerChain) -> Bool
  ) {
    withLock {
      if node.runs.isEmpty || node.inFlight > 0 { return }
      if !uncheckedIsVain(node, where: bringsBack) { return }
      let layers = node.layers
      node.layers = []
      followers.tell(ofDropped: layers, by: node)
      for ticket in layers.compactMap(\.ticket) { ticket.resolve(.committed(by: ticket.saveID)) }
    }
  }

  /// Called with the lock held.
  private func uncheckedIsVain(
    _ node: LedgerNode, where bringsBack: @escaping (RowUpdate, EntityLayout, LayerChain) -> Bool
  ) -> Bool {
    lazy var below = uncheckedChain(to: node.parent)
    return VainChanges(node) { bringsBack($0, $1, below) }.areAll
  }
}
