package import CauldronModel
package import CauldronQuery
package import CauldronStore

/// What a context sees at one instant: the layers above the store, and a view of the store that
/// belongs to them.
///
/// This is the one way to read. It checks that a row is of the requested entity or of a subentity,
/// and lays the layers over the store's answer.
package struct Snapshot {
  /// The layers, without those that the view shows already.
  package let chain: LayerChain
  package let reader: any StoreReader

  /// What would be seen if some of the layers did not wait.
  /// - Complexity: O(layers).
  package func without(_ isGone: (Layer) -> Bool) -> Snapshot {
    var chain = chain.without(where: isGone)
    chain.isPartial = true
    return Snapshot(chain: chain, reader: reader)
  }

  /// The rows that a query selects, in its order.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  package func fetch(_ query: StoreQuery, builder: inout RowBuilder) throws -> RowSet {
    if let overlay = try graphOverlay(query, showsRows: true) { return try overlay.fetch() }
    guard isOverlaid(query) else { return try reader.fetch(query) }
    return try FetchOverlay(query, chain, reader).fetch(&builder)
  }

  /// The IDs of the objects that a query selects, in its order.
  /// - Complexity: As `fetch`; without pending changes no attribute is read.
  package func ids(
    _ query: StoreQuery, storeNumber: Int32, builder: inout RowBuilder
  ) throws -> [ManagedObjectID] {
    if let overlay = try graphOverlay(query, showsRows: false) {
      return try overlay.fetch().ids(storeNumber)
    }
    guard isOverlaid(query) else {
      return try reader.ids(query, storeNumber: storeNumber)
    }
    return try FetchOverlay(query, chain, reader).fetch(&builder).ids(storeNumber)
  }

  /// How many objects a query selects.
  /// - Complexity: As `fetch`; without pending changes no row is read.
  package func count(_ query: StoreQuery, builder: inout RowBuilder) throws -> Int {
    if let overlay = try graphOverlay(query, showsRows: false) { return try overlay.count() }
    guard isOverlaid(query) else { return try reader.count(query) }
    return try FetchOverlay(query, chain, reader).count(&builder)
  }

  /// The lines of a value query.
  /// - Complexity: One statement; where a pending change can matter, as `fetch` of the rows, in the
  ///   window where each row makes a line.
  package func values(_ query: ValueQuery, builder: inout RowBuilder) throws
    -> [[AttributeScalar]]
  {
    guard !chain.isEmpty, chain.concerns(query.reach, showsRows: false) else {
      return try reader.values(query)
    }
    var lines = query
    if query.hasLineForEachRow {
      lines.rows = query.asRows
      lines.limit = nil
      lines.offset = 0
    }
    let rows = try fetch(lines.rows, builder: &builder)
    return try ValueEvaluation(lines, SnapshotSource(self)).lines(rows)
  }

  /// The rows of a value query, of which the columns alone are read; nil where a pending change can
  /// matter, and for what is not just some attributes of each row.
  /// - Complexity: One statement.
  package func columns(_ query: ValueQuery) throws -> RowSet? {
    guard let properties = query.plainColumns,
      chain.isEmpty || !chain.concerns(query.reach, showsRows: false)
    else { return nil }
    return try reader.columns(properties, of: query.asRows)
  }

  /// Whether the layers have rows of the kind that a query asks for.
  private func isOverlaid(_ query: StoreQuery) -> Bool {
    !chain.isEmpty && query.isPlain && chain.touches(query.entityNumbers)
  }

  /// What the store alone shows.
  package var withoutLayers: Snapshot {
    var none = LayerChain()
    none.instant.journalEnd = chain.instant.journalEnd
    return Snapshot(chain: none, reader: reader)
  }

  /// What answers a query that follows relationships where a pending change can matter to it.
  private func graphOverlay(_ query: StoreQuery, showsRows: Bool) throws -> GraphOverlay? {
    if query.isPlain || chain.isEmpty { return nil }
    let reach = QueryReach(query)
    guard chain.concerns(reach, showsRows: showsRows) else { return nil }
    return try GraphOverlay(query, reach, self, showsRows: showsRows)
  }

  /// The row with a key; nil where it is neither of the entity nor of a subentity, or is gone.
  /// - Complexity: One statement at most.
  package func row(
    _ key: Int64, of entity: EntityLayout, builder: inout RowBuilder
  ) throws -> HeldRow? {
    try chain.compose(key, of: entity, builder: &builder) { try reader.row(key, of: entity) }
  }

  /// The rows with keys, in no particular order; none for those that are neither of the entity nor
  /// of a subentity, or are gone.
  /// - Complexity: One statement for each few hundred keys.
  package func rows(
    _ keys: [Int64], of entity: EntityLayout, builder: inout RowBuilder
  ) throws -> RowSet {
    let stored = try reader.rows(keys, of: entity)
    guard chain.touches(StoreQuery(entity: entity).entityNumbers) else {
      return stored
    }
    var result = RowSet()
    try stored.withRowsByKey { byKey in
      for key in keys {
        let row = try chain.compose(key, of: entity, builder: &builder) { byKey[key]?.held }
        if let row { result.append(row) }
      }
    }
    return result
  }
}

extension LayerChain {
  /// An object's row as the layers leave it, on top of the store's, which is read only where it can
  /// matter.
  /// - Parameter stored: The committed row with the key, of whatever entity.
  package func compose(
    _ key: Int64, of entity: EntityLayout, builder: inout RowBuilder,
    stored: () throws -> HeldRow?
  ) throws -> HeldRow? {
    if isEmpty { return try stored().flatMap { $0.isKind(of: entity) ? $0 : nil } }
    let pending = pendingEntity(key, of: entity)
    let isInserted = pending.map { inserts(ManagedObjectID(key, $0)) } ?? false
    let below = isInserted ? nil : try stored()
    if let below, !below.isKind(of: entity) { return nil }
    guard let pending else { return below }
    // The cache may drop the stored row at any moment.
    return withExtendedLifetime(below) {
      defer { builder.close() }
      return compose(
        below?.row, of: ManagedObjectID(key, pending), entity: pending, builder: &builder)?.held
    }
  }

  /// The entity or subentity under which the layers know a key; nil where none touches it.
  private func pendingEntity(_ key: Int64, of entity: EntityLayout) -> EntityLayout? {
    if entity.family.count == 1 {
      return newest(ManagedObjectID(key, entity)) == nil ? nil : entity
    }
    return entity.family.first { newest(ManagedObjectID(key, $0.entity)) != nil }?.entity
  }
}

extension HeldRow {
  /// Whether the row is of an entity or one of its subentities.
  package func isKind(of entity: EntityLayout) -> Bool { entity.includes(row.entityNumber) }
}

/// The rows as a context sees them, for the evaluation of conditions.
package final class SnapshotSource: RowSource {
  private let snapshot: Snapshot
  private var builder = RowBuilder()

  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  package func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    keys.isEmpty ? RowSet() : try snapshot.rows(keys, of: entity, builder: &builder)
  }

  /// Goes through what layers have changed of a row, oldest first.
  package func forEachChange(of key: Int64, entity: EntityLayout, body: (RowChange) -> Void) {
    let id = ManagedObjectID(key: key, entityNumber: entity.number, storeNumber: 0)
    snapshot.chain.forEachChange(of: id, body: body)
  }

  package func referrers(
    _ keys: Set<Int64>, by property: PropertyLayout, of entity: EntityLayout
  ) throws -> RowSet {
    if keys.isEmpty { return RowSet() }
    return try snapshot.fetch(.referrers(to: keys, by: property, of: entity), builder: &builder)
  }
}
