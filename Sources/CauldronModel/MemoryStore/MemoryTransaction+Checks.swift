extension MemoryTransaction {
  /// Fails where the stored row is not the one that was read.
  func requireUnchanged(_ base: RowPointer, _ entity: EntityLayout) throws(CauldronError) {
    guard let stored = tables.row(base.key, of: entity)?.row else {
      throw .deleted(name(base), read: base.version)
    }
    guard stored.version != base.version else { return }
    let fields = stored.difference(from: base, entity).indices.map { entity.properties[$0].name }
    throw .changed(name(base), read: base.version, stored: stored.version, fields: fields)
  }

  func requireTargets(
    _ entity: EntityLayout, _ keys: [Int64], _ source: EntityLayout, _ property: PropertyLayout
  ) throws(CauldronError) {
    let numbers = entity.familyNumbers
    for key in keys {
      if let target = tables.row(key, of: entity)?.row,
        numbers.contains(Int64(target.entityNumber))
      {
        continue
      }
      throw .missingTarget(name(key, entity), of: property.name, in: source.name)
    }
  }

  func requireUnreferenced(
    _ entity: EntityLayout, _ property: PropertyLayout, _ keys: Set<Int64>
  ) throws(CauldronError) {
    let numbers = StoreQuery(entity: entity).entityRange
    let referrer = tables.table(of: entity).values.map(\.row)
      .filter { row in
        numbers.contains(row.entityNumber) && !row.isNull(property.index)
          && keys.contains(row.slot(property.index))
      }
      .min { $0.key < $1.key }
    guard let referrer, let target = property.destination?.entity else { return }
    let key = referrer.slot(property.index)
    throw .referenced(name(key, target), by: name(referrer), property.name)
  }

  func name(_ row: RowPointer) -> NamedObject {
    let id = ManagedObjectID(
      key: row.key, entityNumber: row.entityNumber, storeNumber: storeNumber)
    return NamedObject(id, entity: tables.layout(of: row)?.name ?? "", store: identifier)
  }

  private func name(_ key: Int64, _ entity: EntityLayout) -> NamedObject {
    if let row = tables.row(key, of: entity)?.row { return name(row) }
    let id = ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: storeNumber)
    return NamedObject(id, entity: entity.name, store: identifier)
  }
}

extension ChangeSet {
  /// The objects that it touches.
  func objectIDs(_ storeNumber: Int32) -> [ManagedObjectID] {
    entities.flatMap { changes in
      let keys =
        changes.inserted.map(\.key) + changes.changedKeys
      return keys.map {
        ManagedObjectID(
          key: $0, entityNumber: changes.entity.number, storeNumber: storeNumber)
      }
    }
  }
}
