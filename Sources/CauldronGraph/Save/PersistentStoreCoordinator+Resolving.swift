import CauldronModel

extension PersistentStoreCoordinator {
  /// Compares layers with the newest committed rows and lets the policy adapt them.
  ///
  /// The layers lie at the start of the node's list and are replaced there.
  /// - Parameter isRetry: Whether the store has refused them as they were.
  /// - Returns: The layers that can be written.
  func adapt(
    _ layers: [Layer], _ node: LedgerNode, _ policy: MergePolicy, _ summary: inout CommitSummary,
    isRetry: Bool = false
  ) -> [Layer] {
    var check = PushCheck(LayerChain(layers: []), self, policy, isStore: true)
    check.mayPass = layers.count == 1 && !isRetry
    var accepted: [Layer] = []
    var refused: [(Layer, CauldronError)] = []
    for layer in layers {
      do throws(CauldronError) {
        let checked = try check.check(layer)
        accepted.append(checked)
        // As it was: what the policy has dropped must be looked at, too.
        if checked !== layer { summary.adapted.append(layer) }
      } catch {
        refused.append((layer, error))
      }
    }
    ledger.withLock {
      node.replaceFirst(layers.count, with: accepted)
      node.inFlight = accepted.count
      for (layer, _) in refused { ledger.uncheckedReturn(layer) }
    }
    summary.failed += refused
    return accepted
  }

  /// Reads what layers met in the store and adapts them; what cannot be helped goes back to where it
  /// came from, with the versions that conflict.
  /// - Returns: The layers that can be written.
  func retry(
    _ failed: [(Layer, CauldronError)], _ node: LedgerNode, _ policy: MergePolicy, isLast: Bool,
    _ summary: inout CommitSummary
  ) -> [Layer] {
    guard !failed.isEmpty else { return [] }
    let mayHope = failed.map { layer, error in
      !isLast && error.code == .saveConflict && layer.mergePolicy(or: policy) != .error
    }
    let hopeful = zip(failed, mayHope).filter(\.1).map(\.0.0)
    let hopeless = zip(failed, mayHope).filter { !$0.1 }.map(\.0)
    ledger.withLock {
      node.replaceFirst(failed.count, with: hopeful)
      node.inFlight = hopeful.count
      for (layer, _) in hopeless { ledger.uncheckedReturn(layer) }
    }
    summary.failed += hopeless.map { ($0.0, withSnapshots($0.1, $0.0)) }
    guard !hopeful.isEmpty else { return [] }
    for layer in hopeful { reread(layer) }
    return adapt(hopeful, node, policy, &summary, isRetry: true)
  }

  /// Takes the store's rows of what a layer changes into the cache.
  private func reread(_ layer: Layer) {
    for set in layer.changes.entities {
      let root = set.entity.root.number
      for key in set.updated.map(\.row.key) + set.deleted.map(\.key) {
        let known = cache.row(key, root: root)
        _ = try? rereadRow(key, set.entity, known?.row)
      }
    }
  }

  /// Reads a row past the cache, which takes it over if it is newer.
  ///
  /// What the cache knows must not be forgotten meanwhile: it tells a committed row from another
  /// one with the same version that was never written.
  private func rereadRow(
    _ key: Int64, _ entity: EntityLayout, _ known: RowPointer?
  ) throws -> HeldRow? {
    let root = entity.root.number
    let (rows, chain) = try read(nil, isShort: true) { try $0.reader.rows([key], of: entity) }
    guard let row = withExtendedLifetime(rows, { rows.rows.first?.held }) else {
      cache.remove(key, root: root)
      return nil
    }
    if let known, known.version >= row.row.version { return row }
    ledger.withLock {
      if ledger.uncheckedIsCurrent(chain) {
        cache.insert(row, root: root)
      } else if known != nil {
        cache.remove(key, root: root)
      }
    }
    return row
  }

  private func withSnapshots(_ error: CauldronError, _ layer: Layer) -> CauldronError {
    guard error.code == .saveConflict, error.conflicts.isEmpty, let id = error.objectIDs.first,
      let entity = layout(id), let base = layer.changes.change(id)?.base
    else { return error }
    let cached = cache.row(id.key, root: entity.root.number)
    if let cached, cached.row.version != base.version {
      return error.conflicting(
        MergeConflict(
          objectID: id, entity: entity, base: base, cached: cached.row, persisted: nil))
    }
    let stored = try? rereadRow(id.key, entity, cached?.row)
    guard let stored else {
      return error.conflicting(
        MergeConflict(objectID: id, entity: entity, base: base, cached: nil, persisted: nil))
    }
    return error.conflicting(
      MergeConflict(
        objectID: id, entity: entity, base: base, cached: cached?.row ?? base,
        persisted: stored.row))
  }
}

extension RowChange {
  /// The row that the change was made from; nil for a new one.
  var base: RowPointer? {
    switch self {
    case .inserted: nil
    case .updated(let update): update.base
    case .deleted(let deletion): deletion.base
    }
  }
}
