package import CauldronModel
package import CauldronStore

/// The ends of one-to-one links that a context's own layers change no more, and that a child's save has led
/// elsewhere since.
///
/// A delete rule has cleared them for deletions that have come to nothing, or they were edited, and refreshed.
/// What the child has done stands, and the context's part goes: each layer becomes what it would be, had the
/// context never changed the end. Left in its own layer, that part would change one end of a link alone.
struct EndedEnds {
  /// The ends whose layers are still to be changed, by object.
  private var open: [ManagedObjectID: PropertySet] = [:]
  /// A row of each object from before the context's changes.
  private var before: [ManagedObjectID: RowPointer] = [:]
  /// The rows of the objects that come back, as they were deleted.
  private var returning: [ManagedObjectID: RowPointer] = [:]
  /// All ends.
  private(set) var all: [ManagedObjectID: PropertySet] = [:]

  /// The ends that delete rules have cleared.
  /// - Parameter deleted: The objects whose deletions have come to nothing.
  init(clearedFor deleted: Set<ManagedObjectID>, in layers: [Layer], of node: LedgerNode) {
    self.init(in: layers, of: node) { update, entity in
      update.cleared(of: entity, by: deleted.contains).intersection(entity.digest.oneToOnes)
    }
    if all.isEmpty { return }
    for set in layers.lazy.filter({ $0.isUnsaved(of: node) }).flatMap(\.changes.entities) {
      for deletion in set.deleted {
        let id = ManagedObjectID(deletion.key, set.entity)
        if deleted.contains(id) { returning[id] = deletion.base }
      }
    }
  }

  /// Ends that were edited.
  init(edited: [ManagedObjectID: PropertySet], in layers: [Layer], of node: LedgerNode) {
    self.init(in: layers, of: node) { update, entity in
      edited[ManagedObjectID(update.row.key, entity)]?.intersection(update.changed) ?? PropertySet()
    }
  }

  /// - Parameters:
  ///   - layers: What waits in the context, oldest first.
  ///   - ended: Those of the ends that an update changes.
  /// - Complexity: O(rows of the layers of entities with one-to-one relationships).
  private init(
    in layers: [Layer], of node: LedgerNode, where ended: (RowUpdate, EntityLayout) -> PropertySet
  ) {
    var own: [ManagedObjectID: PropertySet] = [:]
    var entities: [ManagedObjectID: EntityLayout] = [:]
    for layer in layers {
      let isOwn = layer.isUnsaved(of: node)
      if !isOwn, own.isEmpty { continue }
      for set in layer.changes.entities where !set.entity.digest.oneToOnes.isEmpty {
        for update in set.updated {
          let id = ManagedObjectID(update.row.key, set.entity)
          if isOwn {
            let ends = ended(update, set.entity)
            if ends.isEmpty { continue }
            own[id, default: PropertySet()].formUnion(ends)
            entities[id] = set.entity
            if before[id] == nil { before[id] = update.base }
          } else if let ends = own[id] {
            let led = ends.intersection(update.changed.subtracting(update.nullified))
            if !led.isEmpty { all[id, default: PropertySet()].formUnion(led) }
          }
        }
      }
    }
    for (id, ends) in all {
      guard let entity = entities[id] else { continue }
      for index in ends.indices { endPartner(of: id, entity: entity, at: index, among: own) }
    }
    open = all
  }

  /// Ends the edit of the partner that an end had before the context's changes: the child has led the end on, so
  /// that the partner leads nowhere.
  private mutating func endPartner(
    of id: ManagedObjectID, entity: EntityLayout, at index: Int,
    among own: [ManagedObjectID: PropertySet]
  ) {
    guard let row = before[id], !row.isNull(index),
      let destination = entity.properties[index].destination
    else { return }
    for target in destination.entity.family {
      let partner = ManagedObjectID(row.slot(index), target.entity)
      guard own[partner]?.contains(destination.inverse) == true,
        let former = before[partner], !former.isNull(destination.inverse),
        former.slot(destination.inverse) == id.key
      else { continue }
      all[partner, default: PropertySet()].insert(destination.inverse)
    }
  }

  /// What a layer is without the context's part.
  /// - Returns: The layer itself where that is the same; nil where nothing is left of it.
  mutating func rest(
    of layer: Layer, in node: LedgerNode, _ builder: inout RowBuilder
  ) -> Layer? {
    if open.isEmpty || !open.keys.contains(where: { layer.changes.change($0) != nil }) {
      return layer
    }
    let isOwn = layer.isUnsaved(of: node)
    var sets: [EntityChanges] = []
    var left: [(row: RowPointer, index: Int, entity: EntityLayout)] = []
    for set in layer.changes.entities {
      var updated: [RowUpdate] = []
      for update in set.updated {
        let rest = rest(
          of: update, entity: set.entity, broughtBy: isOwn ? nil : layer, builder: &builder)
        guard let rest else { continue }
        updated.append(rest)
        if !isOwn { left += partners(leftBy: rest, set.entity, in: layer) }
      }
      sets.append(
        EntityChanges(
          entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted))
    }
    for (row, index, entity) in left { sets.free(row, at: index, of: entity, builder: &builder) }
    let changes = ChangeSet(
      id: layer.changes.id, entities: sets.filter { $0.count > 0 }, from: [layer.changes])
    return changes.count > 0 ? layer.with(changes: changes) : nil
  }

  /// The objects that an end leaves, and that the layer does not know of: the context had deleted them, or led
  /// them elsewhere, when the child led the end elsewhere.
  private func partners(
    leftBy update: RowUpdate, _ entity: EntityLayout, in layer: Layer
  ) -> [(row: RowPointer, index: Int, entity: EntityLayout)] {
    guard let ends = all[ManagedObjectID(update.row.key, entity)] else { return [] }
    return ends.intersection(update.changed).indices.compactMap { index in
      guard !update.base.isNull(index), let destination = entity.properties[index].destination
      else { return nil }
      let (key, inverse) = (update.base.slot(index), destination.inverse)
      for target in destination.entity.family.map(\.entity) {
        let id = ManagedObjectID(key, target)
        guard let row = returning[id] ?? before[id], layer.changes.change(id) == nil,
          !row.isNull(inverse),
          row.slot(inverse) == update.row.key, !target.properties[inverse].isRequired
        else { continue }
        return (row, inverse, target)
      }
      return nil
    }
  }

  /// - Parameter layer: The layer, where a child has brought it; nil for one of the context's own.
  private mutating func rest(
    of update: RowUpdate, entity: EntityLayout, broughtBy layer: Layer?, builder: inout RowBuilder
  ) -> RowUpdate? {
    let id = ManagedObjectID(update.row.key, entity)
    guard let ends = open[id], let before = before[id] else { return update }
    let led = ends.intersection(update.changed.subtracting(update.nullified))
    let edited =
      layer.map { layer in
        PropertySet(led.indices.filter { !isPassedOn($0, of: update, entity: entity, in: layer) })
      } ?? PropertySet()
    let base = builder.merge(ends, from: before, onto: update.base, entity)
    base.setVersion(update.base.version)
    let row = builder.merge(ends.subtracting(edited), from: before, onto: update.row, entity)
    row.setVersion(update.row.version)
    builder.close()
    open[id] = ends.subtracting(edited)
    let same = ends.subtracting(row.difference(from: base, entity))
    let changed = update.changed.subtracting(same)
    if changed.isEmpty, !update.isRestored { return nil }
    return RowUpdate(
      row: row, base: base, changed: changed,
      first: update.first == update.base ? nil : update.first,
      nullified: update.nullified.intersection(changed).subtracting(ends), alone: update.alone,
      isRestored: update.isRestored)
  }
}

extension EndedEnds {
  /// Whether a child has cleared an end only because it led on what the context's part had led there.
  private func isPassedOn(
    _ index: Int, of update: RowUpdate, entity: EntityLayout, in layer: Layer
  ) -> Bool {
    guard update.row.isNull(index), !update.base.isNull(index),
      let before = before[ManagedObjectID(update.row.key, entity)],
      let destination = entity.properties[index].destination
    else { return false }
    let partner = update.base.slot(index)
    if !before.isNull(index), before.slot(index) == partner { return false }
    return destination.entity.family.contains { target in
      guard
        case .updated(let other)? =
          layer.changes.change(ManagedObjectID(partner, target.entity))
      else { return false }
      return other.changed.contains(destination.inverse) && !other.row.isNull(destination.inverse)
    }
  }
}

extension [EntityChanges] {
  /// Has a row lead nowhere.
  fileprivate mutating func free(
    _ row: RowPointer, at index: Int, of entity: EntityLayout, builder: inout RowBuilder
  ) {
    let reference = PropertySet(CollectionOfOne(index))
    let new = builder.cleared(row, reference, of: entity)
    new.setVersion(row.nextVersion)
    let update = RowUpdate(row: new, base: row, changed: reference)
    let place = firstIndex { $0.entity === entity }
    let set = place.map { self[$0] }
    let changes = EntityChanges(
      entity: entity, inserted: set?.inserted ?? [], updated: (set?.updated ?? []) + [update],
      deleted: set?.deleted ?? [])
    if let place { self[place] = changes } else { append(changes) }
  }
}

extension RowUpdate {
  /// The references that delete rules have cleared for some deletions.
  /// - Parameter isDeleted: Whether an object, of any store, is one of the deleted ones.
  package func cleared(
    of entity: EntityLayout, by isDeleted: (ManagedObjectID) -> Bool
  ) -> PropertySet {
    PropertySet(
      nullified.indices.filter { index in
        guard !base.isNull(index), let target = entity.properties[index].destination?.entity else {
          return false
        }
        let key = base.slot(index)
        return target.family.contains { isDeleted(ManagedObjectID(key, $0.entity)) }
      })
  }
}

/// Deletions of a context that have come to nothing, because children have brought the objects back.
package struct EndedDeletions {
  /// The objects, each with what the context has changed of it; nil where nothing of that is left.
  let edits: [ManagedObjectID: RowUpdate?]
  /// The references of the objects that the context has cleared when they came back.
  let lost: [ManagedObjectID: PropertySet]
  /// The objects with a second deletion further up: what has come back lies over that one still.
  let gone: Set<ManagedObjectID>
  /// The objects that were deleted with them, and come back with them.
  let entailed: Set<ManagedObjectID>
  /// By how much the rows of children are newer for what the context has cleared.
  private var shifts: [ManagedObjectID: Int32] = [:]
  private var builder = RowBuilder()

  package init(
    _ edits: [ManagedObjectID: RowUpdate?], losing lost: [ManagedObjectID: PropertySet],
    alsoGoneAbove gone: Set<ManagedObjectID>, takingAlong entailed: Set<ManagedObjectID>
  ) {
    self.edits = Dictionary(uniqueKeysWithValues: edits.map { ($0.ofAnyStore, $1) })
    self.lost = Dictionary(uniqueKeysWithValues: lost.map { ($0.ofAnyStore, $1) })
    self.gone = Set(gone.map(\.ofAnyStore))
    self.entailed = Set(entailed.map(\.ofAnyStore))
  }

  /// A child's layer as it lies on the references that the context has cleared: it was made from rows that had
  /// them. The layers come oldest first.
  /// - Returns: The layer itself where it has none of these objects.
  mutating func rebased(_ layer: Layer, in node: LedgerNode) -> Layer {
    if layer.isUnsaved(of: node) || !lost.keys.contains(where: { layer.changes.change($0) != nil })
    {
      return layer
    }
    let sets = layer.changes.entities.map { set in
      let updated = set.updated.map { update in
        let id = ManagedObjectID(update.row.key, set.entity)
        guard let own = edits[id] ?? nil, lost[id] != nil else { return update }
        let shift = shifts[id] ?? max(own.row.version &- update.base.version, 0)
        shifts[id] = shift
        return rebased(update, by: shift, of: set.entity, in: layer)
      }
      return EntityChanges(
        entity: set.entity, inserted: set.inserted, updated: updated, deleted: set.deleted)
    }
    return layer.with(
      changes: ChangeSet(id: layer.changes.id, entities: sets, from: [layer.changes]))
  }

  private mutating func rebased(
    _ update: RowUpdate, by shift: Int32, of entity: EntityLayout, in layer: Layer
  ) -> RowUpdate {
    let references = lost[ManagedObjectID(update.row.key, entity)] ?? PropertySet()
    let kept = PropertySet(
      references.indices.filter { isKept($0, by: update, of: entity, in: layer) })
    let base = builder.cleared(update.base, references, of: entity)
    let row = builder.cleared(update.row, references.subtracting(kept), of: entity)
    builder.close()
    base.setVersion(update.base.version &+ shift)
    row.setVersion(update.row.version &+ shift)
    return RowUpdate(
      row: row, base: base, changed: update.changed.subtracting(references).union(kept),
      first: update.first == update.base ? nil : update.first,
      nullified: update.nullified.subtracting(references), alone: update.alone,
      isRestored: update.isRestored)
  }

  /// Whether a layer says itself where a reference leads, at one end of the link or the other.
  private func isKept(
    _ index: Int, by update: RowUpdate, of entity: EntityLayout, in layer: Layer
  ) -> Bool {
    if update.row.isNull(index) { return false }
    if update.changed.subtracting(update.nullified).contains(index) { return true }
    guard let destination = entity.properties[index].destination,
      entity.properties[index].isOneToOne
    else { return false }
    return destination.entity.family.contains { partner in
      let id = ManagedObjectID(update.row.slot(index), partner.entity)
      guard case .updated(let other)? = layer.changes.change(id) else { return false }
      return other.changed.contains(destination.inverse)
        && !other.row.isNull(destination.inverse)
        && other.row.slot(destination.inverse) == update.row.key
    }
  }
}
