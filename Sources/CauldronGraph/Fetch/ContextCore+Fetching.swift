import CauldronModel

extension ContextCore {
  /// The rows that a query selects, the pending changes of the whole chain included.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  func fetchRows(_ query: StoreQuery) throws -> FetchedRows {
    publish()
    let entities = query.entityNumbers
    let isShort = query.limit.map { $0 <= 100 } ?? false
    let (rows, _) = try coordinator.read(node, isShort: isShort) { reader, chain in
      guard chain.touches(entities) else {
        let list = try reader.fetch(query)
        return FetchedRows(rows: list.rows, blocks: list.blocks)
      }
      return try FetchOverlay(query, chain).fetch(reader, &builder)
    }
    return rows
  }

  /// How many objects a query selects, the pending changes of the whole chain included.
  func count(_ query: StoreQuery) throws -> Int {
    publish()
    let entities = query.entityNumbers
    let (count, _) = try coordinator.read(node) { reader, chain in
      guard chain.touches(entities) else { return try reader.count(query) }
      return try FetchOverlay(query, chain).count(reader, &builder)
    }
    return count
  }

  /// The objects for fetched rows: registered ones as they are, new ones with the row.
  func objects(_ rows: FetchedRows) -> [ManagedObject] {
    var result: [ManagedObject] = []
    result.reserveCapacity(rows.rows.count)
    var layout: EntityLayout?
    var type: ManagedObject.Type = ManagedObject.self
    for row in rows.rows {
      if layout?.number != row.entityNumber {
        layout = coordinator.managedObjectModel.layout(number: row.entityNumber)
        if let layout { type = coordinator.classes.type(layout) }
      }
      guard let layout else { continue }
      result.append(object(for: row, layout, type))
    }
    return result
  }

  private func object(
    for row: RowPointer, _ layout: EntityLayout, _ type: ManagedObject.Type
  ) -> ManagedObject {
    let root = layout.root.number
    if let object = identity.object(row.key, root: root) {
      if !object.state.isDisjoint(with: [.fault, .gone]) {
        object.revive()
        object.show(row)
      }
      return object
    }
    let object = type.init(
      _seed: ObjectSeed(
        core: self, layout: layout, key: row.key, row: row, owner: row.block, state: []))
    identity.insert(object, row.key, root: root)
    return object
  }

  /// The registered object with an ID, or a fault for it; nothing is read.
  func object(with id: ManagedObjectID) -> ManagedObject? {
    guard let layout = coordinator.layout(id) else { return nil }
    let root = layout.root.number
    if let object = identity.object(id.key, root: root) { return object }
    let object = coordinator.classes.type(layout).init(
      _seed: ObjectSeed(
        core: self, layout: layout, key: id.key, row: layout.zero.row, owner: layout.zero.block,
        state: .fault))
    identity.insert(object, id.key, root: root)
    return object
  }

  /// The object with an ID, its row read.
  func existingObject(_ id: ManagedObjectID) throws -> ManagedObject {
    guard let object = object(with: id) else {
      throw CauldronError(.objectNotFound, "Object \(id) belongs to another store.")
    }
    // It may be back: an ancestor's rollback takes a deletion back.
    if object.state.contains(.gone) { object.state.insert(.fault) }
    try load(object)
    if object.state.contains(.gone) { throw CauldronError.notFound(object) }
    return object
  }
}
