import CauldronModel
import CauldronStore

/// What the table of a many-to-many relationship is filled with.
struct JoinMigration {
  let mapping: ModelMapping
  let source: StoreSchema
  let destination: StoreSchema
  let table: TableSchema

  /// Where the links come from.
  private enum Origin {
    /// Another join table, by its entity, and whether its ends stand the other way round.
    case join(EntityLayout, isSwapped: Bool)
    /// A to-one relationship of the objects at an end.
    case reference(PropertyLayout, EntityLayout, end: Int)
  }

  private var join: EntityLayout? { destination.model.layout(number: table.rootNumber) }

  /// The relationship that an end of the table belongs to, with the entity that declares it.
  private func relationship(_ end: Int) -> (PropertyLayout, EntityLayout)? {
    guard let destination = join?.properties[end].destination else { return nil }
    return (destination.entity.properties[destination.inverse], destination.entity)
  }

  private var origin: Origin? {
    for end in 0...1 {
      guard let (property, entity) = relationship(end),
        let old = mapping.source(of: property, in: entity),
        let oldEntity = mapping.source(of: entity)
      else { continue }
      if let join = old.join { return .join(join.entity, isSwapped: join.near != end) }
      if old.kind == .toOne { return .reference(old, oldEntity, end: end) }
    }
    return nil
  }

  /// The table that the links come from; nil for a new relationship.
  var old: TableSchema? {
    guard case .join(let join, _) = origin else { return nil }
    return source.table(of: join)
  }

  /// Whether the old table serves as it is.
  var isUnchanged: Bool {
    // Columns of the same names may belong to the other ends.
    guard let old, old.name == table.name, !isFiltered, case .join(_, isSwapped: false) = origin
    else { return false }
    return Set(stored(old).map(Cell.init)) == Set(stored(table).map(Cell.init))
  }

  /// A column by its name and what it holds: numbers that change may give an end the other one's name.
  private struct Cell: Hashable {
    let name: String
    let end: Int
    let role: ColumnSchema.Role

    init(_ column: ColumnSchema) {
      name = column.name.uppercased()
      end = column.property
      role = column.role
    }
  }

  /// The columns that the file has: entity numbers are left to the tables of the objects.
  private func stored(_ table: TableSchema) -> [ColumnSchema] {
    table.columns.filter { $0.role != .entityKey }
  }

  /// Whether objects at an end may be gone.
  private var isFiltered: Bool {
    guard case .join(let join, _) = origin else { return false }
    return join.properties.contains { end in
      end.destination?.entity.family.contains { mapping.destination(of: $0.entity) == nil } ?? true
    }
  }

  /// The statement that fills the new table; nil where there is nothing to fill it with.
  /// - Parameter name: What a table of the source is called by now.
  func filling(_ name: (TableSchema) -> String) -> SQLFragment? {
    switch origin {
    case .join(let join, let isSwapped): filling(from: join, isSwapped: isSwapped, named: name)
    case .reference(let old, let entity, let end):
      filling(from: old, in: entity, end: end, named: name)
    case nil: nil
    }
  }

  private func filling(
    from join: EntityLayout, isSwapped: Bool, named name: (TableSchema) -> String
  ) -> SQLFragment {
    let old = source.table(of: join)
    let ends = stored(old).filter { $0.role == .toOne }.map { SQLIdentifier.quoted($0.name) }
    let order = isSwapped ? [1, 0] : [0, 1]
    let values = stored(table).map { column in
      let end = order[column.property]
      guard column.role == .orderKey else { return ends[end] }
      let key = old.columns.first { $0.role == .orderKey && $0.property == end }
      // An order is that of the objects at this end, beside one at the other.
      return key.map { SQLIdentifier.quoted($0.name) } ?? numbered(ends[1 - end], by: ends[end])
    }
    let conditions = order.compactMap { end in
      isThere(
        "\(sql: SQLIdentifier.quoted(name(old))).\(sql: ends[end])", of: join.properties[end],
        named: name)
    }
    return insertion(
      of: values.joined(separator: ", "), from: SQLIdentifier.quoted(name(old)), where: conditions)
  }

  private func filling(
    from old: PropertyLayout, in entity: EntityLayout, end: Int, named name: (TableSchema) -> String
  ) -> SQLFragment? {
    let table = source.table(of: entity)
    guard let position = source.map(of: entity).properties[old.index] else { return nil }
    let reference = table.sqlName(position)
    // The column of an end holds the keys of the objects whose relationship it is.
    let ends = end == 0 ? ["Z_PK", reference] : [reference, "Z_PK"]
    let values = stored(self.table).map { column in
      column.role == .orderKey
        ? numbered(ends[1 - column.property], by: ends[column.property]) : ends[column.property]
    }
    let left = entity.family.map(\.entity).filter { mapping.destination(of: $0) != nil }
    var conditions = [
      SQLFragment(sql: "\(reference) NOT NULL"),
      SQLFragment(sql: "Z_ENT IN (\(source.numberList(left)))"),
    ]
    let outer: SQLFragment = "\(sql: SQLIdentifier.quoted(name(table))).\(sql: reference)"
    if let isThere = isThere(outer, of: old, named: name) { conditions.append(isThere) }
    return insertion(
      of: values.joined(separator: ", "), from: SQLIdentifier.quoted(name(table)), where: conditions
    )
  }

  /// Places in the order of the keys.
  private func numbered(_ owner: String, by key: String) -> String {
    "1024 * (row_number() OVER (PARTITION BY \(owner) ORDER BY \(key)) + 1)"
  }

  private func isThere(
    _ column: SQLFragment, of end: PropertyLayout, named name: (TableSchema) -> String
  ) -> SQLFragment? {
    guard let entity = end.destination?.entity else { return nil }
    let family = entity.family.map(\.entity)
    let left = family.filter { mapping.destination(of: $0) != nil }
    if left.count == family.count { return nil }
    let table = SQLIdentifier.quoted(name(source.table(of: entity)))
    return
      "(SELECT t.Z_ENT FROM \(sql: table) AS t WHERE t.Z_PK = \(column)) IN (\(sql: source.numberList(left)))"
  }

  private func insertion(
    of values: String, from table: String, where conditions: [SQLFragment]
  ) -> SQLFragment {
    let columns = stored(self.table).map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
    let head: SQLFragment =
      "INSERT INTO \(sql: self.table.sqlName) (\(sql: columns)) SELECT \(sql: values) FROM \(sql: table)"
    return conditions.isEmpty ? head : head + " WHERE " + conditions.joined(by: " AND ")
  }
}
