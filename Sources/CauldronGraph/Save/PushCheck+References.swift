import CauldronModel

extension PushCheck {
  /// Two pushes may each be right and their union wrong: one deletes a company, the other hires
  /// into it. Whichever comes second is refused.
  func checkReferences(_ layer: Layer) throws(CauldronError) {
    for (root, keys) in layer.targets.keys {
      guard let layout = coordinator.managedObjectModel.layout(number: root) else { continue }
      for key in keys { try checkTarget(key, layout, layer) }
    }
    for set in layer.changes.entities where !set.deleted.isEmpty {
      for deletion in set.deleted { try checkUnreferenced(deletion.key, set.entity, layer) }
    }
  }

  /// What a new reference leads to must exist.
  private func checkTarget(
    _ key: Int64, _ root: EntityLayout, _ layer: Layer
  ) throws(CauldronError) {
    for entity in root.family.map(\.entity) {
      let id = id(key, entity)
      switch layer.changes.change(id) {
      case .inserted, .updated: return
      case .deleted: throw .danglingTarget(entity, id)
      case nil: break
      }
      switch chain.newest(id) {
      case .inserted, .updated: return
      case .deleted: throw .danglingTarget(entity, id)
      case nil: continue
      }
    }
    if coordinator.keys.isUncommitted(key, root.number) {
      throw .danglingTarget(root, id(key, root))
    }
  }

  /// Nothing above may refer to what is deleted, unless the same push takes the reference away.
  private func checkUnreferenced(
    _ key: Int64, _ entity: EntityLayout, _ layer: Layer
  ) throws(CauldronError) {
    let root = entity.root.number
    for above in chain.runs.flatMap({ $0.layers(referringTo: key, root: root) }) {
      for set in above.changes.entities {
        for property in set.entity.properties
        where property.kind == .toOne && property.destination?.entity.root.number == root {
          try checkReferrers(set, property, key, entity, layer)
        }
      }
    }
  }

  private func checkReferrers(
    _ set: EntityChanges, _ property: PropertyLayout, _ key: Int64, _ entity: EntityLayout,
    _ layer: Layer
  ) throws(CauldronError) {
    let rows = set.inserted + set.updated.map(\.row)
    for row in rows where !row.isNull(property.index) && row.slot(property.index) == key {
      let referrer = id(row.key, set.entity)
      let newest = layer.changes.change(referrer) ?? chain.newest(referrer)
      guard let now = newest?.row, !now.isNull(property.index), now.slot(property.index) == key
      else { continue }
      throw .stillReferenced(entity, id(key, entity), set.entity, referrer, property.name)
    }
  }
}
