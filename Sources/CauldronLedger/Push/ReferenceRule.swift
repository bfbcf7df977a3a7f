import CauldronModel
import CauldronQuery
import CauldronStore

/// Has no reference lead to an object that is deleted, but where the rule is to do nothing.
///
/// Two pushes may each be right and their union wrong: one deletes a company, the other hires into it.
/// Whichever comes second is adapted as the delete rule says, or refused. What a context's own edits leave for
/// a moment, a child may have mended by a save of its own that lies on top of them and goes the same way.
struct ReferenceRule: PushRule {
  let draft: PushDraft

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
  func withLivingReferences(
    _ layer: Layer, reads: Bool
  ) throws(CauldronError) -> Layer {
    var verdict = ReferenceVerdict()
    try judgeTargets(layer, reads: reads, verdict: &verdict)
    try judgeReferrers(layer, reads: reads, verdict: &verdict)
    if let error = verdict.error { throw error }
    guard !verdict.lost.isEmpty else { return layer }
    draft.isNoticed = true
    receiver.doubt(layer)
    return draft.adapted(
      layer,
      to: NullifyingRule(draft: draft).nullifying(verdict.lost, among: layer.changes.entities))
  }

  /// What new references lead to must exist.
  private func judgeTargets(
    _ layer: Layer, reads: Bool, verdict: inout ReferenceVerdict
  ) throws(CauldronError) {
    for (root, keys) in layer.targets.keys {
      guard let layout = coordinator.managedObjectModel.layout(number: root) else { continue }
      var fates: [Int64: Fate] = [:]
      var stored: [Int64] = []
      for key in keys {
        switch fate(of: key, root: layout, in: layer) {
        case .exists?: continue
        case let fate?: fates[key] = fate
        case nil: stored.append(key)
        }
      }
      if reads, !stored.isEmpty {
        for key in try missing(stored, of: layout) { fates[key] = .deleted }
      }
      if !fates.isEmpty { judge(fates, root: root, in: layer, verdict: &verdict) }
    }
  }

  /// - Returns: Nil where only the store knows.
  private func fate(of key: Int64, root: EntityLayout, in layer: Layer) -> Fate? {
    for entity in root.family.map(\.entity) {
      let id = coordinator.id(key, of: entity)
      switch layer.changes.change(id) {
      case .inserted, .updated: return .exists
      case .deleted: return .deletedHere
      case nil: break
      }
      switch receiver.chain.newest(id) {
      case .inserted, .updated: return .exists
      case .deleted: return .deleted
      case nil: continue
      }
    }
    if coordinator.keys.isUncommitted(key, root: root.number) { return .unsaved }
    // A deletion that this process has committed, or has read of, is told at the first level.
    if case .some(.none) = coordinator.cache.entry(key, root: root.number) { return .deleted }
    return nil
  }

  private func missing(
    _ keys: [Int64], of entity: EntityLayout
  ) throws(CauldronError) -> Set<Int64> {
    do {
      return Set(keys).subtracting(try coordinator.storedRows(keys, of: entity).map(\.row.key))
    } catch {
      throw CauldronError.wrap(error)
    }
  }

  private func judge(
    _ fates: [Int64: Fate], root: Int32, in layer: Layer, verdict: inout ReferenceVerdict
  ) {
    for set in layer.changes.entities where !set.entity.isJoin {
      for property in set.entity.digest.toOnes
      where property.destination?.entity.rootNumber == root {
        let changed = set.updated.filter { $0.brings(property.index) }.map(\.row)
        for row in set.inserted + changed where !row.isNull(property.index) {
          guard let fate = fates[row.slot(property.index)],
            let reference = reference(in: row, of: set.entity, through: property)
          else { continue }
          judge(reference, fate: fate, verdict: &verdict)
        }
      }
    }
  }

  private func judge(
    _ reference: ReferenceVerdict.Reference, fate: Fate, verdict: inout ReferenceVerdict
  ) {
    if passes(reference, verdict: &verdict) { return }
    switch fate {
    case .exists: return
    case .deleted: verdict.judge(reference, conflict: CauldronError.danglingTarget)
    case .unsaved: verdict.refuse(.dependency(reference))
    case .deletedHere:
      // Nobody else had a part in it.
      if reference.property.ruleOfTarget != .noAction {
        verdict.refuse(.danglingTarget(reference))
      }
    }
  }

  private func reference(
    in row: RowPointer, of entity: EntityLayout, through property: PropertyLayout
  ) -> ReferenceVerdict.Reference? {
    guard let destination = property.destination?.entity else { return nil }
    let number = property.entitySlot.map { Int32(truncatingIfNeeded: row.slot($0)) }
    let target =
      number.flatMap { coordinator.managedObjectModel.layout(number: $0) } ?? destination
    return ReferenceVerdict.Reference(
      row: row, referrer: coordinator.id(row.key, of: entity), entity: entity, property: property,
      target: coordinator.id(row.slot(property.index), of: target), targetEntity: target)
  }

  /// How many deleted objects' referrers one statement reads.
  private static let batch = 512

  private func judgeReferrers(
    _ layer: Layer, reads: Bool, verdict: inout ReferenceVerdict
  ) throws(CauldronError) {
    for set in layer.changes.entities where !set.deleted.isEmpty {
      let above = layersAbove(referringTo: set)
      for property in set.entity.digest.relationships where property.deleteRule != .noAction {
        guard let destination = property.destination else { continue }
        let inverse = destination.entity.properties[destination.inverse]
        guard inverse.kind == .toOne else { continue }
        let referrers = Referrers(
          property: inverse, entity: destination.entity, deleted: set, layer: layer)
        for (other, keys) in above { judge(referrers, in: other, to: keys, verdict: &verdict) }
        if reads { try judgeStored(referrers, verdict: &verdict) }
      }
    }
  }

  /// The layers above that make references lead to what is deleted, each with the keys.
  private func layersAbove(referringTo set: EntityChanges) -> [(Layer, [Int64])] {
    let root = set.entity.rootNumber
    var result: [(Layer, [Int64])] = []
    var places: [ObjectIdentifier: Int] = [:]
    for run in receiver.chain.runs {
      for deletion in set.deleted {
        for layer in run.layers(referringTo: deletion.key, root: root) {
          if let place = places[ObjectIdentifier(layer)] {
            result[place].1.append(deletion.key)
          } else {
            places[ObjectIdentifier(layer)] = result.count
            result.append((layer, [deletion.key]))
          }
        }
      }
    }
    return result
  }

  /// The objects that refer by one property to objects which a layer deletes.
  private struct Referrers {
    let property: PropertyLayout
    /// The entity that has the property.
    let entity: EntityLayout
    let deleted: EntityChanges
    let layer: Layer
  }

  /// Judges the references that a layer above makes.
  private func judge(
    _ referrers: Referrers, in above: Layer, to keys: [Int64], verdict: inout ReferenceVerdict
  ) {
    let values = keys.map { AttributeScalar.integer($0) }
    for other in above.changes.entities where other.entity.isKind(of: referrers.entity) {
      for key in Set(other.keys(where: referrers.property, in: values) ?? []) {
        let id = coordinator.id(key, of: other.entity)
        let row = row(id, of: other.entity, in: referrers.layer)
        judge(row, of: other.entity, as: referrers, verdict: &verdict)
      }
    }
  }

  /// What the store has, other processes' rows among them.
  private func judgeStored(
    _ referrers: Referrers, verdict: inout ReferenceVerdict
  ) throws(CauldronError) {
    let (layer, property) = (referrers.layer, referrers.property)
    var rest = referrers.deleted.deleted[...]
    while !rest.isEmpty {
      let keys = Set(rest.prefix(Self.batch).map(\.key))
      rest = rest.dropFirst(Self.batch)
      for stored in try storedReferrers(to: keys, by: property, of: referrers.entity) {
        guard let own = coordinator.managedObjectModel.layout(number: stored.row.entityNumber)
        else { continue }
        let id = coordinator.id(stored.row.key, of: own)
        let isPending = layer.changes.change(id) != nil || receiver.chain.newest(id) != nil
        judge(
          isPending ? row(id, of: own, in: layer) : receiver.keep(stored), of: own,
          as: referrers, verdict: &verdict)
      }
    }
  }

  /// The committed rows that refer to objects, as the store has them.
  private func storedReferrers(
    to keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws(CauldronError) -> [HeldRow] {
    do {
      let reader = try coordinator.store.reader()
      defer { reader.finish() }
      var query = StoreQuery(entity: entity)
      query.predicate = .refersTo(property, keys)
      return try reader.fetch(query).map(\.held)
    } catch {
      throw CauldronError.wrap(error)
    }
  }

  /// A row as it will be; nil where there will be none.
  private func row(
    _ id: ManagedObjectID, of entity: EntityLayout, in layer: Layer
  ) -> RowPointer? {
    if let change = layer.changes.change(id) { return change.row }
    return receiver.row(id, of: entity)
  }

  private func judge(
    _ row: RowPointer?, of entity: EntityLayout, as referrers: Referrers,
    verdict: inout ReferenceVerdict
  ) {
    let index = referrers.property.index
    guard let row, !row.isNull(index),
      case .deleted = referrers.deleted.change(row.slot(index)),
      let reference = reference(in: row, of: entity, through: entity.properties[index])
    else { return }
    if passes(reference, verdict: &verdict) { return }
    verdict.judge(reference, conflict: CauldronError.stillReferenced)
  }

  /// Lets a reference pass that leads nowhere, if a later layer has it lead elsewhere: until then it is
  /// nil, as a delete rule would have made it. One that must not be nil stays to be judged.
  private func passes(
    _ reference: ReferenceVerdict.Reference, verdict: inout ReferenceVerdict
  ) -> Bool {
    guard !reference.property.isRequired, reference.property.ruleOfTarget != .noAction,
      let layer = draft.later.last(where: { $0.touches(reference) }), layer.mends(reference)
    else { return false }
    draft.trusted.insert(ObjectIdentifier(layer))
    verdict.pass(reference)
    return true
  }
}

extension Layer {
  /// Whether the layer says what becomes of a reference.
  fileprivate func touches(_ reference: ReferenceVerdict.Reference) -> Bool {
    switch changes.change(reference.referrer) {
    case .updated(let update): update.brings(reference.property.index)
    case .deleted, .inserted: true
    case nil: false
    }
  }

  /// Whether the reference does not lead to the same object after the layer.
  fileprivate func mends(_ reference: ReferenceVerdict.Reference) -> Bool {
    guard let row = changes.change(reference.referrer)?.row else { return true }
    let index = reference.property.index
    return row.isNull(index) || row.slot(index) != reference.target.key
  }
}
