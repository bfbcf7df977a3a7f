import CauldronModel
import CauldronStore

// Two pushes may each be right and their union wrong: one deletes a company, the other hires into it.
// Whichever comes second is adapted as the delete rule says, or refused.
extension PushCheck {
  /// What is known of an object that a reference leads to.
  private enum Fate {
    case exists
    /// Others have deleted it.
    case deleted
    /// The layer itself deletes it.
    case deletedHere
    /// It was never saved, and nobody has it.
    case unsaved
  }

  /// A layer of which no reference, and no reference of others to what it deletes, leads nowhere, but
  /// where the rule is to do nothing.
  /// - Parameter reads: Whether the store is asked, too, which knows what other processes have done.
  mutating func withLivingReferences(
    _ layer: Layer, reads: Bool
  ) throws(CauldronError) -> Layer {
    var verdict = ReferenceVerdict()
    try judgeTargets(layer, reads, &verdict)
    try judgeReferrers(layer, reads, &verdict)
    if let error = verdict.error { throw error }
    guard !verdict.lost.isEmpty else { return layer }
    isNoticed = true
    doubt(layer)
    return adapted(layer, nullifying(verdict.lost, layer.changes.entities))
  }

  /// What new references lead to must exist.
  private mutating func judgeTargets(
    _ layer: Layer, _ reads: Bool, _ verdict: inout ReferenceVerdict
  ) throws(CauldronError) {
    for (root, keys) in layer.targets.keys {
      guard let layout = coordinator.managedObjectModel.layout(number: root) else { continue }
      var fates: [Int64: Fate] = [:]
      var stored: [Int64] = []
      for key in keys {
        switch fate(key, layout, layer) {
        case .exists?: continue
        case let fate?: fates[key] = fate
        case nil: stored.append(key)
        }
      }
      if reads, !stored.isEmpty {
        for key in try missing(stored, layout) { fates[key] = .deleted }
      }
      if !fates.isEmpty { judge(fates, root, layer, &verdict) }
    }
  }

  /// - Returns: Nil where only the store knows.
  private func fate(_ key: Int64, _ root: EntityLayout, _ layer: Layer) -> Fate? {
    for entity in root.family.map(\.entity) {
      let id = id(key, entity)
      switch layer.changes.change(id) {
      case .inserted, .updated: return .exists
      case .deleted: return .deletedHere
      case nil: break
      }
      switch chain.newest(id) {
      case .inserted, .updated: return .exists
      case .deleted: return .deleted
      case nil: continue
      }
    }
    if coordinator.keys.isUncommitted(key, root.number) { return .unsaved }
    // A deletion that this process has committed, or has read of, is told at the first level.
    if case .some(.none) = coordinator.cache.entry(key, root: root.number) { return .deleted }
    return nil
  }

  private func missing(
    _ keys: [Int64], _ entity: EntityLayout
  ) throws(CauldronError) -> Set<Int64> {
    do {
      return Set(keys).subtracting(try coordinator.storedRows(keys, entity).map(\.row.key))
    } catch {
      throw CauldronError.wrap(error)
    }
  }

  private mutating func judge(
    _ fates: [Int64: Fate], _ root: Int32, _ layer: Layer, _ verdict: inout ReferenceVerdict
  ) {
    for set in layer.changes.entities where !set.entity.isJoin {
      for property in set.entity.digest.toOnes
      where property.destination?.entity.rootNumber == root {
        let changed = set.updated.filter { $0.brings(property.index) }.map(\.row)
        for row in set.inserted + changed where !row.isNull(property.index) {
          guard let fate = fates[row.slot(property.index)],
            let reference = reference(row, set.entity, property)
          else { continue }
          judge(reference, fate, &verdict)
        }
      }
    }
  }

  private mutating func judge(
    _ reference: ReferenceVerdict.Reference, _ fate: Fate, _ verdict: inout ReferenceVerdict
  ) {
    if passes(reference, &verdict) { return }
    switch fate {
    case .exists: return
    case .deleted: verdict.judge(reference, CauldronError.danglingTarget)
    case .unsaved: verdict.refuse(.dependency(reference))
    case .deletedHere:
      // Nobody else had a part in it.
      if reference.property.ruleOfTarget != .noAction {
        verdict.refuse(.danglingTarget(reference))
      }
    }
  }

  func reference(
    _ row: RowPointer, _ entity: EntityLayout, _ property: PropertyLayout
  ) -> ReferenceVerdict.Reference? {
    guard let destination = property.destination?.entity else { return nil }
    let number = property.entitySlot.map { Int32(truncatingIfNeeded: row.slot($0)) }
    let target =
      number.flatMap { coordinator.managedObjectModel.layout(number: $0) } ?? destination
    return ReferenceVerdict.Reference(
      row: row, referrer: id(row.key, entity), entity: entity, property: property,
      target: id(row.slot(property.index), target), targetEntity: target)
  }
}
