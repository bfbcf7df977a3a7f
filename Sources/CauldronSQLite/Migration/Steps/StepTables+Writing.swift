import CauldronModel

/// Rows that steps insert, change and delete.
extension StepTables {
  /// Keeps in mind that a required property may be empty.
  func note(_ property: PropertyLayout, _ entity: EntityLayout) {
    guard property.isRequired else { return }
    emptied.insert(StepProperty(entity: entity.owner(of: property).number, index: property.index))
  }

  func key(for entity: EntityLayout) throws -> Int64 {
    let root = new.number(of: entity.root)
    let table = new.table(of: entity).sqlName
    if keys[root] == nil {
      let greatest = try connection.integer(
        "SELECT max(0, ifnull((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root)), 0),"
          + " ifnull((SELECT max(Z_PK) FROM \(table)), 0))")
      keys[root] = greatest ?? 0
    }
    let next = try (keys[root] ?? 0).plus(1, "the keys of \(table)")
    keys[root] = next
    return next
  }

  /// Writes the last keys that were given.
  func writeKeys() throws {
    for (root, key) in keys {
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(root)")
    }
  }

  func insert(_ place: MigrationPlace, _ values: [Int: AttributeScalar]) throws {
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var cells: [SQLFragment] = [
      "\(bind: place.key)", "\(bind: Int64(new.number(of: place.entity)))", "1",
    ]
    for property in place.entity.properties where property.hasColumn {
      let value = values[property.index] ?? property.initial
      if value.isNull {
        note(property, place.entity)
        continue
      }
      columns.append(new.sqlName(property, of: place.entity))
      cells.append("\(bind: SQLValue(value))")
    }
    try write(
      "INSERT INTO \(sql: new.table(of: place.entity).sqlName)"
        + " (\(sql: columns.joined(separator: ", "))) VALUES (\(cells.joined(by: ", ")))", place)
  }

  func update(_ place: MigrationPlace, _ values: [Int: AttributeScalar]) throws {
    var terms: [SQLFragment] = []
    for (index, value) in values.sorted(by: { $0.key < $1.key }) {
      let property = place.entity.properties[index]
      if value.isNull { note(property, place.entity) }
      terms.append("\(sql: new.sqlName(property, of: place.entity)) = \(bind: SQLValue(value))")
    }
    try write(
      """
      UPDATE \(sql: new.table(of: place.entity).sqlName) SET \(terms.joined(by: ", ")), \
      Z_OPT = ifnull(Z_OPT, 0) + 1 WHERE Z_PK = \(bind: place.key)
      """, place)
    if connection.changes == 0 {
      throw CauldronError(
        .objectNotFound, "Cannot write to \(place.id): it was deleted in the same step.",
        hint: "Write to it before it is deleted, or not at all."
      ).with { $0.entity = place.entity.name }
    }
  }

  private func write(_ fragment: SQLFragment, _ place: MigrationPlace) throws {
    do {
      try connection.bound(fragment).run()
    } catch let failure as SQLiteFailure where failure.isUniqueViolation {
      throw CauldronError(
        .migrationNotUnique,
        "\(place.id) would have a unique value that another object has: \(failure.message).",
        hint: "Give it another value, or delete one of the objects."
      ).with { $0.entity = place.entity.name }
    }
  }

  func delete(_ place: MigrationPlace) throws {
    let root = place.entity.rootNumber
    for entity in new.model.layouts {
      for property in entity.ownProperties where property.kind == .toOne {
        guard property.destination?.entity.rootNumber == root else { continue }
        if entity.isJoin {
          try unlinkAll(property, entity, place.key)
        } else {
          try clear(property, of: entity, leadingTo: place.key)
        }
      }
    }
    let statement = try connection.statement(
      "DELETE FROM \(new.table(of: place.entity).sqlName) WHERE Z_PK = ?")
    try statement.bind(1, place.key)
    try statement.run()
  }

  private func unlinkAll(_ end: PropertyLayout, _ join: EntityLayout, _ key: Int64) throws {
    let table = new.table(of: join)
    let column = new.sqlName(end, of: join)
    try index(table, column)
    let statement = try connection.statement("DELETE FROM \(table.sqlName) WHERE \(column) = ?")
    try statement.bind(1, key)
    try statement.run()
  }
}

extension PropertyLayout {
  /// What a new object has.
  fileprivate var initial: AttributeScalar {
    guard case .attribute(let attribute) = description else { return .null }
    switch attribute.defaultValue {
    case .none: return .null
    case .constant(let scalar): return scalar
    case .computed(let make): return make()
    }
  }
}
