import CauldronModel
import CauldronStore

/// What relationships lead to, and where they are led.
extension StepTables {
  func links(_ property: MigrationProperty, key: Int64) throws -> [MigrationPlace] {
    guard let destination = property.property.destination?.entity else { return [] }
    let keys = try keys(of: property, from: key)
    return try keys.compactMap { try place(of: $0, in: destination, isOld: property.isOld) }
  }

  /// The keys that a relationship of a row leads to, in order.
  private func keys(of property: MigrationProperty, from key: Int64) throws -> [Int64] {
    guard let query = try query(for: property.property, of: property.entity, isOld: property.isOld)
    else {
      return []
    }
    let statement = try connection.statement(query)
    defer { statement.reset() }
    try statement.bind(1, to: key)
    var keys: [Int64] = []
    while try statement.step() { keys.append(statement.integer(0)) }
    return keys
  }

  private func query(
    for property: PropertyLayout, of entity: EntityLayout, isOld: Bool
  ) throws -> String? {
    let schema = schema(isOld: isOld)
    if let join = property.join {
      let (table, near, far) = ends(join, in: schema)
      try index(table, on: near)
      let order = order(of: join.entity.properties[join.far], in: join.entity, schema: schema)
      return "SELECT \(far) FROM \(table.sqlName) WHERE \(near) = ? AND \(far) NOT NULL"
        + " ORDER BY \(order ?? far), \(far)"
    }
    if property.kind == .toOne {
      let column = schema.sqlName(property, of: entity)
      return "SELECT \(column) FROM \(schema.table(of: entity).sqlName)"
        + " WHERE Z_PK = ? AND \(column) NOT NULL"
    }
    guard let destination = property.destination else { return nil }
    let inverse = destination.entity.properties[destination.inverse]
    let table = schema.table(of: destination.entity)
    let column = schema.sqlName(inverse, of: destination.entity)
    try index(table, on: column)
    let order = order(of: inverse, in: destination.entity, schema: schema)
    return "SELECT Z_PK FROM \(table.sqlName) WHERE \(column) = ? ORDER BY \(order ?? "Z_PK"), Z_PK"
  }

  /// The column that keeps the order of the objects at an end.
  private func order(
    of end: PropertyLayout, in entity: EntityLayout, schema: StoreSchema
  ) -> String? {
    guard let slot = end.orderSlot, let column = schema.map(of: entity).companions[slot] else {
      return nil
    }
    return schema.table(of: entity).sqlName(column)
  }

  private func ends(
    _ join: PropertyLayout.Join, in schema: StoreSchema
  ) -> (table: TableSchema, near: String, far: String) {
    let ends = join.entity.properties
    return (
      schema.table(of: join.entity), schema.sqlName(ends[join.near], of: join.entity),
      schema.sqlName(ends[join.far], of: join.entity)
    )
  }

  /// Where the object with a key is: in the model's tables, or else among what goes.
  private func place(
    of key: Int64, in destination: EntityLayout, isOld: Bool
  ) throws -> MigrationPlace? {
    guard isOld else { return try place(of: key, among: [destination], isGone: false) }
    let family = destination.family.map(\.entity)
    let news = family.compactMap { mapping.destination(of: $0) }
    if let found = try place(of: key, among: news, isGone: false) { return found }
    let gone = family.filter { mapping.destination(of: $0) == nil }
    return try place(of: key, among: gone, isGone: true)
  }

  private func place(
    of key: Int64, among entities: [EntityLayout], isGone: Bool
  ) throws -> MigrationPlace? {
    let schema = schema(isOld: isGone)
    var seen: Set<Int32> = []
    for entity in entities where seen.insert(entity.rootNumber).inserted {
      let statement = try connection.statement(
        "SELECT Z_ENT FROM \(schema.table(of: entity).sqlName) WHERE Z_PK = ?")
      defer { statement.reset() }
      try statement.bind(1, to: key)
      guard try statement.step(),
        let found = schema.layout(fileNumber: statement.integer(0)),
        entities.contains(where: { found.isKind(of: $0) })
      else { continue }
      return MigrationPlace(found, key, isGone: isGone)
    }
    return nil
  }
}

extension StepTables {
  func link(_ place: MigrationPlace, _ property: PropertyLayout, to other: MigrationPlace?) throws {
    if let join = property.join {
      if let other { try add(near: place.key, far: other.key, to: join) }
      return
    }
    guard let destination = property.destination else { return }
    let inverse = destination.entity.properties[destination.inverse]
    if property.kind == .toMany {
      if let other { try link(other, inverse, to: place) }
      return
    }
    guard inverse.kind == .toOne else { return try refer(place, through: property, to: other) }
    // One to one: whoever had either of them has nobody now.
    try clear(inverse, of: destination.entity, leadingTo: place.key)
    if let other {
      try clear(property, of: place.entity, leadingTo: other.key)
      try refer(other, through: inverse, to: place)
    }
    try refer(place, through: property, to: other)
  }

  func unlink(
    _ place: MigrationPlace, _ property: PropertyLayout, from other: MigrationPlace
  ) throws {
    if let join = property.join {
      let (table, near, far) = ends(join, in: new)
      let statement = try connection.bound(
        """
        DELETE FROM \(sql: table.sqlName) WHERE \(sql: near) = \(bind: place.key) \
        AND \(sql: far) = \(bind: other.key)
        """)
      return try statement.run()
    }
    guard let destination = property.destination else { return }
    if property.kind == .toMany {
      let inverse = destination.entity.properties[destination.inverse]
      return try unlink(other, inverse, from: place)
    }
    let present = try keys(
      of: MigrationProperty(property, place.entity, isOld: false), from: place.key)
    if present.first == other.key { try link(place, property, to: nil) }
  }

  /// Adds a link to a join table, behind those that are there, unless it is there itself.
  private func add(near: Int64, far: Int64, to join: PropertyLayout.Join) throws {
    // Nothing could open the store afterwards.
    if let unfit = [near, far].first(where: { !JoinKey.fit.contains($0) }) {
      throw CauldronError(
        .storeUnsupported,
        "Cannot link the object with the key \(unfit): in \(join.entity.name) keys are from 1 to"
          + " \(JoinKey.greatestEnd).",
        hint: "Leave the object out, or put an entity between the two.")
    }
    let (table, nearColumn, farColumn) = ends(join, in: new)
    var columns: [SQLFragment] = [SQLFragment(sql: nearColumn), SQLFragment(sql: farColumn)]
    var values: [SQLFragment] = ["\(bind: near)", "\(bind: far)"]
    for end in join.entity.properties {
      guard let order = order(of: end, in: join.entity, schema: new) else { continue }
      // An order is that of the objects at this end, beside one at the other.
      let isFar = end.index == join.far
      try index(table, on: isFar ? nearColumn : farColumn)
      columns.append(SQLFragment(sql: order))
      values.append(
        place(
          by: order, in: SQLFragment(sql: table.sqlName), where: isFar ? nearColumn : farColumn,
          is: isFar ? near : far))
    }
    let statement = try connection.bound(
      "INSERT OR IGNORE INTO \(sql: table.sqlName) (\(columns.joined(by: ", ")))"
        + " VALUES (\(values.joined(by: ", ")))")
    try statement.run()
  }

  /// The place behind all that lead to an object, as Core Data counts.
  private func place(
    by order: String, in table: SQLFragment, where column: String, is key: Int64
  ) -> SQLFragment {
    // A place that no order has is taken for the last one that may be; SQLite would go on in reals.
    "(SELECT min(ifnull(max(\(sql: order)), 1024), 1 << 40) + 1024 FROM \(table) WHERE \(sql: column) = \(bind: key))"
  }

  /// Sets a to-one relationship, and what belongs to it.
  private func refer(
    _ place: MigrationPlace, through property: PropertyLayout, to other: MigrationPlace?
  ) throws {
    // What belongs to a property may lie elsewhere in the rows of a subentity.
    let property = place.entity.properties[property.index]
    if other == nil { note(property, of: place.entity) }
    let table = new.table(of: place.entity)
    let map = new.map(of: place.entity)
    let column = new.sqlName(property, of: place.entity)
    var terms: [SQLFragment] = []
    let key: SQLValue = other.map { .integer($0.key) } ?? .null
    if let order = order(of: property, in: place.entity, schema: new) {
      try index(table, on: column)
      let next =
        other.map {
          self.place(by: order, in: SQLFragment(sql: table.sqlName), where: column, is: $0.key)
        } ?? "NULL"
      terms.append("\(sql: order) = \(next)")
    }
    terms.append("\(sql: column) = \(bind: key)")
    if let slot = property.entitySlot, let companion = map.companions[slot] {
      let number: SQLValue = other.map { .integer(Int64(new.number(of: $0.entity))) } ?? .null
      terms.append("\(sql: table.sqlName(companion)) = \(bind: number)")
    }
    // What is led where it leads already keeps its place.
    let statement = try connection.bound(
      """
      UPDATE \(sql: table.sqlName) SET \(terms.joined(by: ", ")), Z_OPT = ifnull(Z_OPT, 0) + 1 \
      WHERE Z_PK = \(bind: place.key) AND \(sql: column) IS NOT \(bind: key)
      """)
    try statement.run()
  }

  /// Sets a to-one relationship to nil wherever it leads to an object.
  func clear(
    _ property: PropertyLayout, of entity: EntityLayout, leadingTo key: Int64
  ) throws {
    let table = new.table(of: entity)
    let map = new.map(of: entity)
    let column = new.sqlName(property, of: entity)
    try index(table, on: column)
    let companions = property.companions.compactMap { map.companions[$0] }.map(table.sqlName)
    let terms = ([column] + companions).map { "\($0) = NULL" }.joined(separator: ", ")
    let statement = try connection.statement(
      "UPDATE \(table.sqlName) SET \(terms), Z_OPT = ifnull(Z_OPT, 0) + 1 WHERE \(column) = ?")
    try statement.bind(1, to: key)
    try statement.run()
    if connection.changes > 0 { note(property, of: entity) }
  }
}
