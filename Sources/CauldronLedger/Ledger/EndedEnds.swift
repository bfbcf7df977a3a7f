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
